// SPDX-License-Identifier: MIT
import Foundation
import Sporades

/// A namespace, because the other tests have entities of these names too.
enum Bookshop {
  // snippet: modelling
  @Entity final class Author: ManagedObject {
    #Index<Author>([\.lastname])
    var firstname: String?
    var lastname: String = ""
    @Attribute(.unique) var email: String?
    @Relationship(deleteRule: .cascade, inverse: \Book.author) var books: Set<Book>
  }

  @Entity final class Book: ManagedObject {
    @Attribute(.length(1...200)) var title: String = "Untitled"
    var published: Date?
    var pages: Int = 0
    @Attribute(.externalStorage) var cover: Data?
    var author: Author?
    @Transient var isSelected: Bool = false
  }
  // snippet end

  static let entities: [ManagedObject.Type] = [Author.self, Book.self]
}
