// SPDX-License-Identifier: MIT
import Foundation
import Sporades
import SporadesGraph
import SporadesModel
import Testing

// snippet: scopes
extension TypedRequest<Bookshop.Book> {
  var long: Self { self.where(\.pages > 300) }
  func by(_ author: Bookshop.Author) -> Self { self.where(\.author == author) }
}
// snippet end

/// The requests that the documentation shows.
@Suite struct RequestDocumentationTests {
  private typealias Author = Bookshop.Author
  private typealias Book = Bookshop.Book

  private func read(_ body: (ManagedObjectContext, Author) throws -> Void) throws {
    let stack = try DataStack(inMemory: Bookshop.entities)
    try stack.newContext().performAndWait { context in
      let jane = Author.create(in: context)
      jane.lastname = "Austen"
      for (title, pages) in [("Emma", 474), ("Persuasion", 249), ("Lady Susan", 80)] {
        let book = Book.create(in: context)
        (book.title, book.pages, book.author) = (title, pages, jane)
      }
      let book = Book.create(in: context)
      (book.title, book.pages) = ("Evelina", 455)
      try context.save()
      try body(context, jane)
    }
  }

  @Test func requests() throws {
    try read { context, _ in
      // snippet: requests
      let long = Book.where(\.pages > 300).sorted(by: \.title).limit(10)
      let books = try long.fetch(in: context)
      let first = try long.first(in: context)
      let count = try Book.where("title BEGINSWITH[c] %@", "e").count(in: context)
      let hers = Book.where(\.author?.lastname == "Austen")
      let isThere = try hers.where(\.pages < 100).exists(in: context)
      let pages = try hers.or(\.title == "Evelina").sum(\.pages, in: context)
      let ids = try Book.sorted(by: .descending(\.pages), .ascending(\.title)).ids(in: context)
      for book in try Book.request.inBatches(of: 500, in: context) { book.isSelected = false }
      // snippet end
      #expect(books.map(\.title) == ["Emma", "Evelina"] && first === books[0])
      #expect(count == 2 && isThere && pages == 1258 && ids.count == 4)
    }
  }

  @Test func scopes() throws {
    try read { context, jane in
      // snippet: scoped
      let titles = try Book.request.long.by(jane).sorted(by: \.title).pluck(\.title, in: context)
      // snippet end
      #expect(titles == ["Emma"])
    }
  }

  @Test func plucking() throws {
    try read { context, _ in
      // snippet: plucking
      let names = try Book.sorted(by: \.title).pluck(\.title, in: context)
      let rows = try Book.sorted(by: \.pages).pluck(
        \.title, \.pages, \.author?.lastname, in: context)
      for (title, pages, author) in rows { print(title, pages, author ?? "unknown") }
      let sizes = try Book.sorted(by: \.pages).distinct().pluck(\.pages, in: context)
      // snippet end
      #expect(names == ["Emma", "Evelina", "Lady Susan", "Persuasion"])
      #expect(
        rows.map(\.2) == ["Austen", "Austen", nil, "Austen"] && sizes == [80, 249, 455, 474])
    }
  }

  @Test func groups() throws {
    try read { context, _ in
      // snippet: groups
      let authors = try Book.where(\.pages > 50)
        .grouped(by: \.author?.lastname) { ($0.count, $0.average(\.pages)) }
        .having { $0.count > 1 }
        .sorted { .descending($0.count) }
        .fetch(in: context)
      for (name, (count, pages)) in authors { print(name ?? "unknown", count, pages ?? 0) }
      // snippet end
      #expect(authors.map(\.0) == ["Austen"] && authors.map(\.1.0) == [3])
    }
  }

  @Test func pages() throws {
    try read { context, _ in
      // snippet: pages
      let sorted = Book.sorted(by: \.title).limit(2)
      let page = try sorted.page(in: context)
      for book in page.objects { print(book.title) }
      let text = page.next?.description
      let next = try text.flatMap(PageCursor.init).map { try sorted.after($0).page(in: context) }
      // snippet end
      #expect(page.objects.map(\.title) == ["Emma", "Evelina"])
      #expect(next?.objects.map(\.title) == ["Lady Susan", "Persuasion"] && next?.next == nil)
    }
  }
}
