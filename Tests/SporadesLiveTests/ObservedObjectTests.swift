// SPDX-License-Identifier: MIT
import Sporades
import SporadesLive
import Testing

/// Swift's Observation on single objects.
@Suite struct ObservedObjectTests {
  private func withPlayer(
    _ body: (ManagedObjectContext, Player, ObservedObject<Player>) throws -> Void
  ) throws {
    try League.makeStack().newContext().performAndWait { context in
      let player = Player.make("a", 1, in: context)
      try context.save()
      try body(context, player, ObservedObject(player))
    }
  }

  @Test func aChangeOfAReadPropertyIsAnnounced() throws {
    try withPlayer { context, player, observed in
      let changes = changes { #expect(observed.name == "a") }
      player.score = 2
      context.processPendingChanges()
      #expect(changes.value == 0)
      player.name = "b"
      #expect(changes.value == 0)
      context.processPendingChanges()
      #expect(changes.value == 1)
      #expect(observed.name == "b")
    }
  }

  @Test func aRollbackAndADeletionAreAnnounced() throws {
    try withPlayer { context, player, observed in
      observed.score = 5
      context.processPendingChanges()
      #expect(player.score == 5)
      let score = changes { #expect(observed.score == 5) }
      context.rollback()
      context.processPendingChanges()
      #expect(score.value == 1)
      let isGone = changes { #expect(!observed.isGone) }
      context.delete(player)
      context.processPendingChanges()
      #expect(isGone.value == 1)
      #expect(observed.isGone)
    }
  }

  @Test func savesOfOthersAreAnnounced() throws {
    let stack = try League.makeStack()
    let queue = stack.newContext()
    let observed = try queue.performAndWait { context in
      let player = Player.make("a", 1, in: context)
      try context.save()
      return ObservedObject(player)
    }
    let counter = queue.performAndWait { _ in changes { #expect(observed.score == 1) } }
    try stack.newContext().performAndWait { context in
      try #require(Player.all(in: context).first).score = 7
      try context.save()
    }
    queue.performAndWait { _ in #expect(observed.score == 7) }
    #expect(counter.value == 1)
  }

  @Test func readsOutsideOfATrackingCostNoAnnouncement() throws {
    try withPlayer { context, player, observed in
      #expect(observed.name == "a")
      player.name = "b"
      context.processPendingChanges()
      let changes = changes { #expect(observed.name == "b") }
      context.processPendingChanges()
      #expect(changes.value == 0)
    }
  }
}
