// SPDX-License-Identifier: MIT
import Foundation
import Sporades
import SporadesGraph
import SporadesLive
import Testing

/// The code in "Coming from another library": each table's right side, in the order of its rows.
@Suite struct ComingFromDocumentationTests {
  typealias Author = Bookshop.Author
  typealias Book = Bookshop.Book

  private let folder: TemporaryFolder
  private let service: DALService

  init() throws {
    folder = try TemporaryFolder()
    service = DALService(stack: try Bookshop.makeStack(folder))
  }

  @Test func coreData() async throws {
    let file = folder.file("other.sqlite")
    // snippet: from-core-data
    let data = DALService(sqlite: file, entities: [Author.self, Book.self])
    let id = try await data.write { context in
      let book = Book(context: context)
      book.title = "Emma"
      try context.save()  // The id is permanent from here on.
      return book.objectID
    }
    let titles = try await data.read { context in
      let books = Book.where("pages < %d AND title BEGINSWITH[c] %@", 500, "e")
        .sorted(by: \.title).limit(20)
      return try books.fetch(in: context).map(\.title)
    }
    try await data.write { context in
      context.delete(try context.existingObject(with: id))
    }
    // snippet end
    #expect(titles == ["Emma"])
    #expect(try await data.read { try Book.count(in: $0) } == 0)
    try data.close()
  }

  @Test func skopelos() throws {
    // snippet: from-skopelos
    try service
      .writeSync { context in
        let author = Author.create(in: context)
        author.lastname = "Austen"
        Book.first("title", equalTo: "Emma", in: context)?.author = author
      }
      .read { context in
        print(Book.count(in: context))
        for book in Book.all(sortedBy: "title", in: context) { print(book.title) }
      }
      .writeSync { context in
        Author.first(in: context)?.delete(in: context)
        Book.deleteAll(in: context)
      }
      .get()
    // snippet end
    #expect(try service.readValue { try Book.count(in: $0) } == 0)
  }

  @Test func magicalRecord() async throws {
    // snippet: from-magical-record
    try await service.write { context in
      let jane = try Author.firstOrCreate(\.email, equalTo: "jane@example.org", in: context)
      try Book.first(where: \.title == "Emma", in: context)?.author = jane
      try Book.first("title", equalTo: "Persuasion", in: context)?.author = jane
    }
    let report = try await service.read { context in
      let longest = try Book.all(sortedBy: "pages:NO,title", in: context).first?.title
      return (try Book.count(where: \.pages > 100, in: context), longest)
    }
    try await service.write { context in
      try Book.deleteAll(where: \.pages > 100, in: context)
      try Author.deleteAll(in: context)
    }
    // snippet end
    #expect(report == (0, "Emma"))
    #expect(try await service.read { try Book.count(in: $0) } == 0)
  }

  @Test func coreStore() async throws {
    // snippet: from-core-store
    let count = try await service.write { context in
      let book = Book.create(in: context)
      (book.title, book.pages) = ("Sanditon", 80)
      return try Book.count(in: context)
    }
    let first = try await service.read { context in
      try Book.where(\.pages > 50).sorted(by: .descending(\.pages), .ascending(\.title))
        .first(in: context)?.title
    }
    let mean = try await service.read { try Book.average(\.pages, in: $0) }
    for try await titles in service.observe(Book.sorted(by: \.title), plucking: \.title) {
      print(titles)
      break
    }
    // snippet end
    #expect(count == 3 && first == "Sanditon")
    #expect(mean.map { Int($0) } == 26)
  }

  @Test func swiftData() throws {
    let folder = try TemporaryFolder()
    let stack = try Bookshop.makeStack(folder)
    try stack.newContext().performAndWait { context in
      // snippet: from-swift-data
      let sanditon = Book(context: context)
      sanditon.title = "Sanditon"
      try context.save()

      let short = Book.where(\.pages < 100).sorted(by: \.title).limit(10)
      let books = try short.fetch(in: context)
      let count = try short.count(in: context)
      context.delete(sanditon)
      if context.hasChanges { context.rollback() }
      // snippet end
      #expect(books.count == 3 && count == 3)
    }
  }

  @Test func grdb() async throws {
    // snippet: from-grdb
    let titles = try await service.read { context in
      try Book.where(\.pages >= 0 && \.title != "Emma").sorted(by: \.title)
        .prefetching(\.author).fetch(in: context).map(\.title)
    }
    try await service.write { context in
      let changed = try context.execute(Book.where(\.title == "Emma").update(\.pages, to: 474))
      print(changed.count)
      try context.execute(Book.where(\.pages == 0).delete())
    }
    for try await count in service.observe(count: Book.where(\.pages > 100)) {
      print(count)
      break
    }
    // snippet end
    #expect(titles == ["Persuasion"])
    #expect(try await service.read { try Book.count(in: $0) } == 1)
  }

  @Test func fluentAndRails() async throws {
    // snippet: from-rails
    try await service.write { context in
      let jane = try Author.firstOrCreate(\.lastname, equalTo: "Austen", in: context)
      for book in try Book.all(in: context) { jane.books.insert(book) }
    }
    let answers = try await service.read { context in
      let hers = Book.where(\.author!.lastname == "Austen")
      let titles = try hers.sorted(by: \.title).pluck(\.title, in: context)
      let perAuthor = try Book.request.grouped(by: \.author?.lastname) { $0.count }
        .fetch(in: context)
      return (try hers.exists(in: context), titles, perAuthor.map(\.1))
    }
    // snippet end
    #expect(answers == (true, ["Emma", "Persuasion"], [2]))
  }
}
