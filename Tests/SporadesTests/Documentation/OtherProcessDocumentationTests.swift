// SPDX-License-Identifier: MIT
import Foundation
import Sporades
import SporadesHistory
import Testing

/// The code in the documentation of other processes.
@Suite(.timeLimit(.minutes(60))) struct OtherProcessDocumentationTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func open(_ history: HistoryTracking = .asInFile) throws -> DataStack {
    var options = SQLiteStoreOptions()
    options.persistentHistory = history
    let store = try SQLiteStore(
      url: folder.file("shop.sqlite"), model: try ManagedObjectModel(Bookshop.entities),
      options: options)
    return DataStack(store: store, classes: Bookshop.entities)
  }

  @Test func theChangesOfOthersAreHeard() async throws {
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

  @Test func aRuleComesBeforeAMerge() throws {
    let service = DALService(stack: try open(.on))
    // snippet: other-rules
    let rule = try service.addRemoteMergeRule { transaction in
      transaction.author == "import" ? .leaveOut : .goOn
    }
    // snippet end
    #expect(rule.cancel())
    try service.close()
  }
}
