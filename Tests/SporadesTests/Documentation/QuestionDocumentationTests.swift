// SPDX-License-Identifier: MIT
import Foundation
import Sporades
import SporadesModel
import Testing

/// The conditions and orders that the documentation shows.
@Suite struct QuestionDocumentationTests {
  private typealias Author = Bookshop.Author
  private typealias Book = Bookshop.Book

  @Test func questions() throws {
    let service = DALService(inMemory: Bookshop.entities)
    try service.writeSync { context in
      let author = Author.create(in: context)
      (author.firstname, author.lastname) = ("Jane", "Austen")
      for (title, pages) in [("Emma", 474), ("Persuasion", 249), ("Lady Susan", 80)] {
        let book = Book.create(in: context)
        (book.title, book.pages, book.author) = (title, pages, author)
      }
    }.get()
    try service.readValue { context in
      // snippet: questions
      let format = try FetchPredicate(format: "title LIKE[c] %@", "*m*")
      let some = try Book.all(
        where: \.pages > 100 && format, sortedBy: .descending(\.pages), .ascending(\.title),
        prefetching: \.author, in: context)
      let busy = try Author.all(
        where: \.books.count > 2 || \.lastname.isEmpty, sortedBy: \.lastname, \.firstname,
        in: context)
      let hers = try Book.all(where: \.author ~= busy && !(\.pages ~= 200..<400), in: context)
      let others = try Book.all(
        where: FetchPredicate(format: "author IN %@ AND NOT SELF IN %@", busy, some), in: context)
      let answers = try some.map { try format.evaluate(with: $0) }
      // snippet end
      #expect(some.map(\.title) == ["Emma"])
      #expect(busy.map(\.lastname) == ["Austen"])
      #expect(hers.map(\.pages).sorted() == [80, 474])
      #expect(Set(others.map(\.title)) == ["Persuasion", "Lady Susan"])
      #expect(answers == [true])
    }
  }
}
