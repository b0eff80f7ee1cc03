// SPDX-License-Identifier: MIT
import Foundation
import Sporades
import SporadesGraph

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

  /// A stack over a file in the folder, with two books.
  static func makeStack(_ folder: TemporaryFolder) throws -> DataStack {
    let stack = try DataStack(sqlite: folder.file("books.sqlite"), entities: entities)
    try stack.main.performAndWait { context in
      for title in ["Emma", "Persuasion"] { Book.create(in: context).title = title }
      try context.save()
    }
    return stack
  }
}
