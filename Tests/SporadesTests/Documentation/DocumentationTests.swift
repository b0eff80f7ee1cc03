// SPDX-License-Identifier: MIT
import Foundation
import Sporades
import Testing

/// The code that the documentation shows.
@Suite struct DocumentationTests {
  typealias Author = Bookshop.Author
  typealias Book = Bookshop.Book

  private func makeService() throws -> DALService {
    let service = QuietService(inMemory: Bookshop.entities)
    try service.writeSync { context in
      let jane = Author.create(in: context)
      jane.lastname = "Austen"
      for (title, pages) in [("Emma", 474), ("Persuasion", 249), ("Evelina", 455)] {
        let book = Book.create(in: context)
        book.title = title
        book.pages = pages
        if title != "Evelina" { book.author = jane }
      }
    }.get()
    return service
  }

  @Test func fetching() throws {
    try makeService().readValue { context in
      // snippet: fetching
      let long = try Book.all(
        where: \.pages > 300 && \.title != "Emma", sortedBy: "author.lastname,title:NO", limit: 10,
        in: context)
      let emma = try Book.first(where: \.title == "Emma", in: context)
      let jane = try Author.first("lastname", equalTo: "Austen", in: context)
      let hers = try Book.count(where: \.author == jane, in: context)
      let pages = try Book.sum(\.pages, in: context)
      let format = try FetchPredicate(format: "ANY books.title BEGINSWITH[cd] %@", "é")
      let authors = try Author.all(where: format, sortedBy: "lastname", in: context)
      // snippet end
      #expect(long.map(\.title) == ["Evelina"])
      #expect(emma?.pages == 474)
      #expect(hers == 2)
      #expect(pages == 1178)
      #expect(authors == [jane])
    }
  }

  @Test func chaining() throws {
    let service = try makeService()
    // snippet: chaining
    var author: Author?
    try service
      .writeSync { context in
        author = Author.create(in: context)
        author?.lastname = "Burney"
      }
      .writeSync { context in
        let here = author?.inContext(context)
        Book.first(where: \.title == "Evelina", in: context)?.author = here
      }
      .get()
    // snippet end
    #expect(try service.readValue { try Author.count(in: $0) } == 2)
    let owner = try service.readValue {
      try Book.first(where: \.title == "Evelina", in: $0)?.author?.lastname
    }
    #expect(owner == "Burney")
  }

  @Test func conflictsAndRefusals() throws {
    let service = try makeService()
    // snippet: refusals
    let chain = service.writeSync { context in
      let book = Book.create(in: context)
      book.title = ""
    }
    switch chain.failure?.code {
    case .validation(let error): print(error.failures.map(\.detail))
    case .store(let error) where error.isRetryable: print("later: \(error)")
    case let code: print("\(code as Any)")
    }
    // snippet end
    let code = try #require(chain.failure?.code)
    guard case .validation(let error) = code else {
      Issue.record("\(code)")
      return
    }
    #expect(error.failures.map(\.property) == ["title"])
    #expect(try service.readValue { try Book.count(in: $0) } == 3)
  }

  // snippet: async
  func longTitles(_ service: DALService) async throws(DALError) -> [String] {
    try await service.write { context in
      for book in try Book.all(where: \.pages > 400, in: context) { book.title += " (long)" }
    }
    return try await service.read { context in
      try Book.all(where: \.pages > 400, sortedBy: \.title, in: context).map(\.title)
    }
  }
  // snippet end

  @Test func asynchronousForms() async throws {
    #expect(try await longTitles(makeService()) == ["Emma (long)", "Evelina (long)"])
  }

  @Test func contexts() async throws {
    // snippet: contexts
    let stack = try DataStack(inMemory: Bookshop.entities)
    let draft = stack.newChild(of: stack.main, name: "draft")
    let id = try await draft.perform { context in
      let book = Book.create(in: context)
      book.title = "Draft"
      try context.obtainPermanentIDs(for: [book])
      try context.save()
      return book.objectID
    }
    let title = try await stack.main.perform { context in
      let book = try context.existingObject(with: id) as? Book
      try context.save()
      return book?.title
    }
    // snippet end
    #expect(title == "Draft")
  }

  @Test func durability() throws {
    let folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("documentation-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let file = folder.appendingPathComponent("Shop.sqlite")
    // snippet: durability
    var options = DALService.Options()
    options.durability = .immediate
    let service = DALService(sqlite: file, entities: Bookshop.entities, options: options)
    try service.writeSync(durability: .eventual) { context in
      Book.create(in: context).title = "On the disk soon"
    }.get()
    let report = service.flush(within: .seconds(5))
    try service.close()
    // snippet end
    #expect(report.isComplete)
    #expect(!report.description.isEmpty)
  }

  @Test func opening() throws {
    let folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("documentation-\(UUID().uuidString)")
    let file = folder.appendingPathComponent("Shop.sqlite")
    // snippet: opening
    let service = QuietService(sqlite: file, entities: Bookshop.entities)
    do {
      _ = try service.stack()
    } catch {
      guard case .cannotOpen(let reason) = error.code else { throw error }
      print("Reading and writing will fail: \(reason)")
    }
    // snippet end
    #expect(!FileManager.default.fileExists(atPath: file.path))
  }

  // snippet: preview
  /// What a preview or a test shows.
  static func preview() throws -> DALService {
    let service = DALService(inMemory: Bookshop.entities)
    try service.writeSync { context in
      Book.create(in: context).title = "Persuasion"
    }.get()
    return service
  }
  // snippet end

  @Test func previews() throws {
    #expect(try Self.preview().readValue { try Book.count(in: $0) } == 1)
    #expect(try Self.preview().readValue { try Book.count(in: $0) } == 1)
  }
}

/// Failures are expected here, and looked at by the tests.
private final class QuietService: DALService, @unchecked Sendable {
  // @unchecked: nothing is stored beyond what the superclass has.
  override func handleError(_ error: DALError) {}
}
