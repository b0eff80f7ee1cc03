// SPDX-License-Identifier: MIT
import Sporades
import Testing

extension Bookshop.Book {
  typealias Book = Bookshop.Book

  // snippet: own-finder
  static func longest<Context: FinderContext>(
    _ count: Int, in context: Context
  ) throws(Context.Failure) -> [Book] {
    try all(sortedBy: \.pages, ascending: false, limit: count, in: context)
  }
  // snippet end
}

/// The finder that the documentation shows.
@Suite struct FinderDocumentationTests {
  @Test func oneFinderServesBlocksAndContexts() throws {
    let service = DALService(inMemory: Bookshop.entities)
    var titles: [String] = []
    try service
      .writeSync { context in
        for (title, pages) in [("Emma", 474), ("Persuasion", 249), ("Evelina", 455)] {
          let book = Bookshop.Book.create(in: context)
          book.title = title
          book.pages = pages
        }
      }
      .read { context in titles = Bookshop.Book.longest(2, in: context).map(\.title) }
      .get()
    #expect(titles == ["Emma", "Evelina"])
    #expect(try service.readValue { try Bookshop.Book.longest(1, in: $0).map(\.pages) } == [474])
  }
}
