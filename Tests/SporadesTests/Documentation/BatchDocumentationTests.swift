// SPDX-License-Identifier: MIT
import Foundation
import Sporades
import SporadesGraph
import SporadesModel
import Testing

/// The batches that the documentation shows.
@Suite struct BatchDocumentationTests {
  private typealias Author = Bookshop.Author
  private typealias Book = Bookshop.Book

  private func stack() throws -> DataStack { try DataStack(inMemory: Bookshop.entities) }

  @Test func batches() throws {
    let stack = try stack()
    let titles = ["Emma", "Persuasion", "Lady Susan", "Evelina"]
    try stack.newContext().performAndWait { context in
      // snippet: batch-insert
      let batch = BatchInsertRequest(Book.self, from: titles) { book, title in
        book.title = title
        book.pages = 100
      }
      let inserted = try context.execute(batch)
      // snippet end
      #expect(inserted.count == 4)
      // snippet: batch-dictionaries
      try context.execute(
        BatchInsertRequest(Book.self, objects: [["title": "Cecilia", "pages": 941]]))
      // snippet end
      // snippet: batch-update
      let result = try context.execute(
        Book.where(\.title != "Emma").update(\.pages, to: \.pages + 10))
      print("\(result.count) books have grown")
      // snippet end
      #expect(result.count == 4)
      #expect(try Book.request.sum(\.pages, in: context) == 1381)
      // snippet: batch-delete
      try context.execute(Book.where(\.pages > 500).delete())
      // snippet end
      #expect(try Book.count(in: context) == 4)
    }
  }

  @Test func batchesByName() throws {
    let stack = try stack()
    try stack.newContext().performAndWait { context in
      try context.execute(BatchInsertRequest(Book.self, from: ["Emma"]) { $0.title = $1 })
      // snippet: batch-names
      let request = FetchRequest("Book", where: .equals("title", "Emma"))
      let batch = BatchUpdateRequest(
        fetchRequest: request,
        propertiesToUpdate: [
          "title": "EMMA",
          "pages": FetchExpression.function(.length, [.keyPath("title")]),
        ])
      try context.execute(batch)
      // snippet end
      #expect(try Book.all(in: context).map(\.title) == ["EMMA"])
    }
  }
}
