// SPDX-License-Identifier: MIT
import Foundation
import Sporades
import SporadesExplaining
import SporadesGraph
import SporadesModel
import SporadesStore
import Testing

/// The code in the documentation of long fetches.
@Suite struct LongFetchDocumentationTests {
  typealias Book = Bookshop.Book

  @Test func aPlanIsAsked() throws {
    let folder = try TemporaryFolder()
    let stack = try Bookshop.makeStack(folder)
    try stack.main.performAndWait { context in
      // snippet: long-fetch-explain
      let request = FetchRequest("Book", where: .equals("title", "Emma"))
      let plan = try context.explain(request)
      print(plan)
      // Reads every row of Book.
      // SQL: SELECT …
      // snippet end
      #expect("\(plan)".hasPrefix("Reads every row of Book.\nSQL: SELECT "))
      #expect(!plan.isServedByIndexes)
    }
  }

  @Test func slowFetchesAreReported() throws {
    let folder = try TemporaryFolder()
    let stack = try Bookshop.makeStack(folder)
    let lines = Guarded<[String]>([])
    // snippet: long-fetch-report
    SlowFetches.report(over: .milliseconds(100)) { slow in
      lines.withLock { $0.append("\(slow)") }
    }
    // snippet end
    defer { SlowFetches.report(over: nil) }
    try stack.main.performAndWait { context throws in
      #expect(try Book.count(in: context) == 2)
    }
  }

  @Test func aFetchHasATimeLimit() throws {
    let folder = try TemporaryFolder()
    let stack = try Bookshop.makeStack(folder)
    try stack.main.performAndWait { context in
      // snippet: long-fetch-timeout
      context.fetchTimeout = .seconds(30)
      var request = FetchRequest("Book")
      request.timeout = .seconds(2)
      let books = try context.fetch(Book.self, request)
      // snippet end
      #expect(books.count == 2)
    }
  }

  @Test func aTaskIsCancelled() async throws {
    let folder = try TemporaryFolder()
    let service = DALService(
      sqlite: folder.url.appendingPathComponent("books.sqlite"), entities: Bookshop.entities)
    // snippet: long-fetch-task
    let counting = Task {
      try await service.read { context in try Book.count(in: context) }
    }
    counting.cancel()
    // snippet end
    do {
      #expect(try await counting.value == 0)
    } catch let error as DALError {
      guard case .cancelled = error.code else { throw error }
    }
  }

  @Test func aFetchRunsBesideItsContext() async throws {
    let folder = try TemporaryFolder()
    let stack = try Bookshop.makeStack(folder)
    let titles = AsyncStream<[String]>.makeStream()
    let queue = stack.newContext()
    // snippet: long-fetch-asynchronous
    let fetch = try queue.performAndWait { context in
      try context.execute(
        AsynchronousFetchRequest(FetchRequest("Book", sortedBy: [SortTerm("title")])) { result in
          let books = result.finalResult as? [Book] ?? []
          titles.continuation.yield(books.map(\.title))
        })
    }
    print("\(fetch.rowsRead) rows so far")
    // snippet end
    var iterator = titles.stream.makeAsyncIterator()
    #expect(await iterator.next() == ["Emma", "Persuasion"])
  }
}
