// SPDX-License-Identifier: MIT
import Foundation
import Sporades
import Testing

/// The code in the documentation of other processes.
@Suite(.timeLimit(.minutes(60))) struct OtherProcessDocumentationTests {
  @Test func theChangesOfOthersAreHeard() async throws {
    let folder = try TemporaryFolder()
    let model = try ManagedObjectModel(Bookshop.entities)
    func open() throws -> DataStack {
      let store = try SQLiteStore(url: folder.file("shop.sqlite"), model: model)
      return DataStack(store: store, classes: Bookshop.entities)
    }
    let stack = try open()
    let other = try open()
    let heard = Task { [changes = stack.remoteChanges, identifier = stack.store.identifier] in
      for await change in changes { return change.storeIdentifier == identifier }
      return false
    }
    try other.newContext().performAndWait { context in
      Bookshop.Book.create(in: context).title = "Emma"
      try context.save()
    }
    #expect(await heard.value)
    func listen() async {
      // snippet: other-processes
      for await change in stack.remoteChanges {
        print("Somebody else wrote to", change.storeIdentifier)
      }
      // snippet end
    }
    _ = listen
  }
}
