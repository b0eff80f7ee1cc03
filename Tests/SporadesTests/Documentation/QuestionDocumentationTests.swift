// SPDX-License-Identifier: MIT
import Foundation
import Sporades
import SporadesModel
import Testing

/// The conditions and orders that the documentation shows.
@Suite struct QuestionDocumentationTests {
  private typealias Author = Bookshop.Author
  private typealias Book = Bookshop.Book

  private func open() throws -> DALService {
    let service = DALService(inMemory: Bookshop.entities)
    try service.writeSync { context in
      let author = Author.create(in: context)
      (author.firstname, author.lastname) = ("Jane", "Austen")
      for (title, pages) in [("Emma", 474), ("Persuasion", 249), ("Lady Susan", 80)] {
        let book = Book.create(in: context)
        (book.title, book.pages, book.author) = (title, pages, author)
      }
    }.get()
    return service
  }

  @Test func computed() throws {
    try open().readValue { context in
      // snippet: computed
      let thick = try Book.all(where: \.pages * 2 + 10 > 500, sortedBy: \.title, in: context)
      let odd = try Book.all(where: \.pages % 2 == 1 || (\Book.title).length > 8, in: context)
      let careful = try Author.all(
        where: (\Author.books).all(\.pages > 50) && (\Author.books).count(where: \.pages > 200) > 1,
        in: context)
      let known = try Author.all(
        where: (\Author.books).any(\.pages > 400 && \.title == "Emma")
          && (\Author.lastname).lowercased == "austen", in: context)
      // snippet end
      #expect(thick.map(\.title) == ["Emma", "Persuasion"])
      #expect(Set(odd.map(\.title)) == ["Persuasion", "Lady Susan"])
      #expect(careful.map(\.lastname) == ["Austen"])
      #expect(known.map(\.lastname) == ["Austen"])
    }
  }

  @Test func threeDoors() throws {
    try open().readValue { context in
      // snippet: three-doors
      let long = try Book.all(
        where: \.pages > 300 && (\Book.title).lowercased == "emma", in: context)
      let same = try Book.all(
        where: #Predicate { $0.pages > 300 && $0.title == "Emma" }, in: context)
      let text = try Book.all(
        where: FetchPredicate(format: "pages > %d AND title ==[c] %@", 300, "emma"), in: context)
      // snippet end
      #expect(long.map(\.title) == ["Emma"])
      #expect(same == long)
      #expect(text == long)
    }
  }

  @Test func completions() throws {
    let model = try ManagedObjectModel(Bookshop.entities)
    // snippet: completions
    let book = try #require(model.shape(named: "Book"))
    let next = FetchPredicate.completions(after: "author.", in: book, model).map(\.text)
    // snippet end
    #expect(next.contains("lastname"))
  }

  @Test func questions() throws {
    try open().readValue { context in
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
