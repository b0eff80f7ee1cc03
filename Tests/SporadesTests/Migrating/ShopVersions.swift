// SPDX-License-Identifier: MIT
import Sporades

// Two versions whose entities have other numbers, and one of which has another name.

enum ShopV1: VersionedSchema {
  @Entity final class Book: ManagedObject {
    var title: String = ""
    var price: String?
    var author: Writer?
  }
  @Entity final class Writer: ManagedObject {
    var name: String = ""
    @Relationship(inverse: \Book.author) var books: Set<Book>
  }
  static var entities: [ManagedObject.Type] { [Book.self, Writer.self] }
}

enum ShopV2: VersionedSchema {
  @Entity final class Author: ManagedObject {
    var name: String = ""
    @Relationship(inverse: \Book.author) var books: Set<Book>
  }
  @Entity final class Book: ManagedObject {
    var title: String = ""
    var price: Double?
    var author: Author?
  }
  static var entities: [ManagedObject.Type] { [Author.self, Book.self] }
}

/// The first version with an author in the place of the writer, so that no object goes.
enum ShopV2b: VersionedSchema {
  @Entity(renamedFrom: "Writer") final class Author: ManagedObject {
    var name: String = ""
    @Relationship(inverse: \Book.author) var books: Set<Book>
  }
  @Entity final class Book: ManagedObject {
    var title: String = ""
    var price: Double?
    var author: Author?
  }
  static var entities: [ManagedObject.Type] { [Author.self, Book.self] }
}

/// The same shop, where each book must have an author.
enum ShopV3: VersionedSchema {
  @Entity(renamedFrom: "Writer") final class Author: ManagedObject {
    var name: String = ""
    @Relationship(inverse: \Book.author) var books: Set<Book>
  }
  @Entity final class Book: ManagedObject {
    var title: String = ""
    var price: Double?
    var author: Author
  }
  static var entities: [ManagedObject.Type] { [Author.self, Book.self] }
}
