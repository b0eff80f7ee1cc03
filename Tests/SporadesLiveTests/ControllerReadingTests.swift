// SPDX-License-Identifier: MIT
import Sporades
import SporadesLive
import SporadesTesting
import Testing

/// What controllers read of the store when others have saved.
@Suite struct ControllerReadingTests {
  @Test(arguments: [nil, 20])
  func changedObjectsThatAreNotInMemoryAreReadTogether(limit: Int?) throws {
    let store = FaultyStore(
      MemoryStore(model: try ManagedObjectModel(League.entities)), failingCall: .max, .before)
    let stack = DataStack(store: store, classes: League.entities)
    let queue = stack.newContext()
    let controller = try queue.performAndWait { context in
      context.automaticallyMergesChangesFromParent = true
      let controller = FetchedResultsController<Player>(
        Player.where(\.score >= 0).sorted(by: \.score).limit(limit), in: context)
      try controller.performFetch()
      return controller
    }
    try stack.newContext().performAndWait { context in
      for number in 0..<600 { Player.make("p\(number)", number, in: context) }
      try context.save()
    }
    let before = store.calls
    queue.performAndWait { _ in
      #expect(controller.fetchedObjects?.map(\.score) == Array(0..<(limit ?? 600)))
    }
    #expect(store.calls - before <= 5)
  }
}
