// SPDX-License-Identifier: MIT
import Sporades
import Testing

/// The code in the documentation of observations.
@Suite(.timeLimit(.minutes(60))) struct ObservingDocumentationTests {
  private typealias Author = Bookshop.Author
  private typealias Book = Bookshop.Book

  private let folder: TemporaryFolder
  private let service: DALService

  init() throws {
    folder = try TemporaryFolder()
    service = DALService(stack: try Bookshop.makeStack(folder))
  }

  @Test func titlesFollow() async throws {
    var shown: [[String]] = []
    // snippet: observeTitles
    let short = Book.where(\.pages < 500).sorted(by: \.title).limit(10)
    for try await titles in service.observe(short, mapping: { $0.map(\.title) }) {
      shown.append(titles)
      if titles.isEmpty { break }
      try await service.write { try Book.deleteAll(where: \.pages < 500, in: $0) }
    }
    // snippet end
    #expect(shown == [["Emma", "Persuasion"], []])
  }

  @Test func valuesFollow() async throws {
    var lines: [String] = []
    // snippet: observePlucking
    let books = Book.sorted(by: \.title)
    for try await rows in service.observe(books, plucking: \.title, \.author?.lastname) {
      for (title, author) in rows { lines.append("\(title) by \(author ?? "nobody")") }
      break
    }
    // snippet end
    #expect(lines.map { $0.prefix(4) } == ["Emma", "Pers"])
  }

  @Test func aCountAndAnObjectFollow() async throws {
    let id = try #require(
      try service.readValue { try Book.first(where: \.title == "Emma", in: $0)?.objectID })
    // snippet: observeCountAndObject
    let count = service.observe(count: Book.where(\.pages < 500))
    let title = service.observe(object: id, as: Book.self, mapping: \.title)
    // snippet end
    var counts = count.makeAsyncIterator()
    var titles = title.makeAsyncIterator()
    #expect(try await counts.next() == 2)
    #expect(try await titles.next() == "Emma")
    try await service.write { context in
      try context.existingObject(with: id).delete(in: context)
    }
    #expect(try await counts.next() == 1)
    #expect(try await titles.next() == .some(nil))
  }

  @Test func groupsFollow() async throws {
    var lines: [[String]] = []
    // snippet: observeGroups
    let lengths = Book.request.grouped(by: \.pages) { ($0.count, $0.max(\.title)) }
    for try await groups in service.observe(groups: lengths) {
      lines.append(groups.map { "\($0.1.0) of \($0.0) pages" })
      if groups.count == 2 { break }
      try await service.write { Book.create(in: $0).pages = 474 }
    }
    // snippet end
    #expect(lines == [["2 of 0 pages"], ["2 of 0 pages", "1 of 474 pages"]])
  }

  @Test func changesTellTheirMakers() async throws {
    let books = Book.sorted(by: \.title)
    var lines: [String] = []
    // snippet: observeChanges
    for try await change in service.observe(books, mapping: { $0.map(\.title) }).changes {
      lines.append("\(change.value) by \(change.origin?.authors ?? [])")
      guard change.origin == nil else { break }
      try await service.write { context in
        context.transactionAuthor = "import"
        Book.create(in: context).title = "Sanditon"
      }
    }
    // snippet end
    #expect(lines.first == "[\"Emma\", \"Persuasion\"] by []")
    #expect(lines.last == "[\"Emma\", \"Persuasion\", \"Sanditon\"] by [\"import\"]")
  }
}
