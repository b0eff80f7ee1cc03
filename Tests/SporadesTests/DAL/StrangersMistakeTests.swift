// SPDX-License-Identifier: MIT
import Foundation
import Sporades
import SporadesGraph
import SporadesModel
import SporadesStore
import Synchronization
import Testing

/// Mistakes that were silent or led nowhere.
@Suite struct StrangersMistakeTests {
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

  @Test func anOrderCannotCount() throws {
    let service = try RecordingService(stack: DataStack(inMemory: Bookshop.entities))
    let error = #expect(throws: DALError.self) {
      try service.readValue { context in
        try context.fetch(FetchRequest("Author", sortedBy: [SortTerm("books.@count")]))
      }
    }
    #expect(error?.description.contains("books.@count computes a value of many objects") == true)
  }
}
