// SPDX-License-Identifier: MIT
import Foundation
import Sporades
import SporadesLive
import Testing

/// Keeps what an object says of itself when it is told as deleted.
private final class Obituary: FetchedResultsControllerDelegate {
  var lines: [String] = []

  func controller(
    _ controller: FetchedResultsController<Player>, didChange object: Player,
    at indexPath: IndexPath?, for type: FetchedResultsChangeType, newIndexPath: IndexPath?
  ) {
    guard type == .delete else { return }
    lines.append("\(object.name) \(object.score) \(object.isDeleted) \(object.team?.name ?? "-")")
  }
}

/// A deleted object arrives at a delegate with its values, whoever deleted it.
@Suite struct DeletedResultsTests {
  @Test(arguments: ["here", "by others", "by a batch"])
  func aDeletedObjectStillHasItsValues(how: String) throws {
    let stack = try League.makeStack()
    let obituary = Obituary()
    let controller = try stack.main.performAndWait { context in
      let team = Team.create(in: context)
      team.name = "red"
      Player.make("a", 1, in: context)
      Player.make("b", 2, in: context).team = team
      try context.save()
      let controller = FetchedResultsController<Player>(Player.sorted(by: \.name), in: context)
      controller.delegate = obituary
      try controller.performFetch()
      _ = controller.fetchedObjects?.map(\.score)
      return controller
    }
    func delete(_ context: ManagedObjectContext) throws {
      if how == "by a batch" {
        _ = try context.execute(Player.where(\.name == "b").delete())
      } else {
        context.delete(try #require(try Player.first(where: \.name == "b", in: context)))
        try context.save()
      }
    }
    if how == "here" {
      try stack.main.performAndWait { try delete($0) }
    } else {
      try stack.newContext().performAndWait { try delete($0) }
    }
    stack.main.performAndWait { _ in
      #expect(obituary.lines == ["b 2 true red"])
      #expect(controller.fetchedObjects?.map(\.name) == ["a"])
    }
  }

  @Test func aNewObjectThatIsRolledBackLeavesTheResults() throws {
    try League.makeStack().newContext().performAndWait { context in
      Player.make("a", 1, in: context)
      try context.save()
      let controller = FetchedResultsController<Player>(Player.sorted(by: \.name), in: context)
      try controller.performFetch()
      Player.make("b", 2, in: context)
      context.processPendingChanges()
      #expect(controller.fetchedObjects?.map(\.name) == ["a", "b"])
      context.rollback()
      context.processPendingChanges()
      #expect(controller.fetchedObjects?.map(\.name) == ["a"])
    }
  }
}
