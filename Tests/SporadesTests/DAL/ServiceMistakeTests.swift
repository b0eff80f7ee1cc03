// SPDX-License-Identifier: MIT
import Foundation
import Sporades
import SporadesGraph
import SporadesModel
import SporadesStore
import Synchronization
import Testing

/// Mistakes that were silent or led nowhere.
@Suite struct ServiceMistakeTests {
  /// A service whose handler fails itself.
  private final class Stubborn: DALService, @unchecked Sendable {
    let calls = Atomic(0)

    override func handleError(_ error: DALError) {
      calls.add(1, ordering: .relaxed)
      writeSync { _ in throw CocoaError(.fileNoSuchFile) }
    }
  }

  @Test func aHandlerThatFailsIsNotCalledByItself() throws {
    let service = try Stubborn(stack: DataStack(inMemory: Bookshop.entities))
    service.writeSync { _ in throw CocoaError(.fileNoSuchFile) }
    #expect(service.calls.load(ordering: .relaxed) == 1)
    service.writeSync { _ in throw CocoaError(.fileNoSuchFile) }
    #expect(service.calls.load(ordering: .relaxed) == 2)
  }

  @Test func theURLOfNoFileIsRefused() throws {
    let url = try #require(URL(string: "https://example.org/books.sqlite"))
    let service = DALService(sqlite: url, entities: Bookshop.entities)
    let error = #expect(throws: DALError.self) { try service.readValue { _ in 1 } }
    #expect(error?.description.contains("is the URL of no file") == true)
    let open = try RecordingService(stack: DataStack(inMemory: Bookshop.entities))
    #expect(throws: DALError.self) { try open.copy(to: url) }
    #expect(throws: StoreError.self) { try DataStack.metadata(ofStoreAt: url) }
  }

  @Test func anOrderOfManyValuesIsRefused() throws {
    let service = try RecordingService(stack: DataStack(inMemory: Bookshop.entities))
    let error = #expect(throws: DALError.self) {
      try service.readValue { context in
        try context.fetch(FetchRequest("Author", sortedBy: [SortTerm("books.title")]))
      }
    }
    #expect(error?.description.contains("books.title") == true)
  }

  @Test func anOrderWithTwoDirectionsIsRefused() throws {
    let service = try RecordingService(stack: DataStack(inMemory: Bookshop.entities))
    for terms in ["lastname:YES", "lastname:NO,firstname asc"] {
      let error = #expect(throws: DALError.self) {
        try service.readValue { context in
          try Bookshop.Author.all(sortedBy: terms, ascending: false, in: context).count
        }
      }
      #expect(error?.description.contains("ascending: false has no effect") == true)
    }
    _ = try service.readValue { context in
      try Bookshop.Author.all(sortedBy: "lastname:YES,firstname", ascending: false, in: context)
        .count
        + Bookshop.Author.all(sortedBy: "lastname:YES", ascending: true, in: context).count
        + Bookshop.Author.all(sortedBy: "", ascending: false, in: context).count
    }
  }

  @Test func aValueOutsideOfATaskIsRead() throws {
    let service = try RecordingService(stack: DataStack(inMemory: Bookshop.entities))
    let calls: any ValueCalls = DeprecatedCalls()
    #expect(try calls.write(in: service) == 1)
    #expect(try calls.read(in: service) == 1)
    #expect(throws: DALError.self) { try calls.fail(in: service) }
    #expect(service.errors.count == 1)
  }
}

/// Calls of functions that the compiler warns of.
private protocol ValueCalls {
  func write(in service: DALService) throws -> Int
  func read(in service: DALService) throws -> Int
  func fail(in service: DALService) throws
}

/// What is deprecated may call what is deprecated without a warning.
private struct DeprecatedCalls: ValueCalls {
  @available(*, deprecated) func write(in service: DALService) throws -> Int {
    try service.write { context -> Int in
      _ = Bookshop.Author.create(in: context)
      return try Bookshop.Author.count(in: context)
    }
  }
  @available(*, deprecated) func read(in service: DALService) throws -> Int {
    let count: Int = try service.read { try Bookshop.Author.count(in: $0) }
    return count
  }
  @available(*, deprecated) func fail(in service: DALService) throws {
    try service.write { _ in throw CocoaError(.fileNoSuchFile) }
  }
}
