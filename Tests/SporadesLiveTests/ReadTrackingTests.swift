// SPDX-License-Identifier: MIT
import Sporades
import SporadesLive
import Testing

/// Swift's Observation on managed objects themselves.
@Suite struct ReadTrackingTests {
  private func withPlayer(_ body: (ManagedObjectContext, Player) throws -> Void) throws {
    try League.makeStack().newContext().performAndWait { context in
      context.tracksReads = true
      let player = Player.make("a", 1, in: context)
      try context.save()
      try body(context, player)
    }
  }

  @Test func aChangeOfAReadPropertyIsAnnounced() throws {
    try withPlayer { context, player in
      let changes = changes { #expect(player.name == "a") }
      player.score = 2
      context.processPendingChanges()
      #expect(changes.value == 0)
      player.name = "b"
      context.processPendingChanges()
      #expect(changes.value == 1)
      #expect(player.name == "b")
    }
  }

  @Test func optionalValuesAndAccessByNameAreTracked() throws {
    try withPlayer { context, player in
      let group = changes { #expect(player.group == nil) }
      let score = changes { #expect(player.value(forKey: "score") == .integer(1)) }
      player.group = "g"
      context.processPendingChanges()
      #expect((group.value, score.value) == (1, 0))
      player.setValue(5, forKey: "score")
      context.processPendingChanges()
      #expect((group.value, score.value) == (1, 1))
    }
  }

  @Test func relationshipsAreTrackedFromBothSides() throws {
    try withPlayer { context, player in
      let team = Team.create(in: context)
      team.name = "red"
      try context.save()
      let ofPlayer = changes { #expect(player.team == nil) }
      let ofTeam = changes { #expect(team.players.isEmpty) }
      player.team = team
      context.processPendingChanges()
      #expect((ofPlayer.value, ofTeam.value) == (1, 1))
      let name = changes { #expect(player.team?.name == "red") }
      team.name = "blue"
      context.processPendingChanges()
      #expect(name.value == 1)
      let members = changes { #expect(team.players.count == 1) }
      context.delete(player)
      context.processPendingChanges()
      #expect(members.value == 1)
    }
  }

  @Test func rollbacksAndUndoAreAnnounced() throws {
    try withPlayer { context, player in
      context.undoManager = ContextUndoManager()
      player.score = 5
      context.processPendingChanges()
      let undone = changes { #expect(player.score == 5) }
      context.undo()
      context.processPendingChanges()
      #expect(undone.value == 1)
      player.name = "b"
      context.processPendingChanges()
      let rolledBack = changes { #expect(player.name == "b") }
      context.rollback()
      context.processPendingChanges()
      #expect(rolledBack.value == 1)
    }
  }

  @Test func savesOfOthersAreAnnounced() throws {
    let stack = try League.makeStack()
    let queue = stack.newContext()
    let id = try queue.performAndWait { context in
      context.tracksReads = true
      let (player, team) = (Player.make("a", 1, in: context), Team.create(in: context))
      (player.team, team.name) = (team, "red")
      try context.save()
      return player.objectID
    }
    let (score, size, name) = try queue.performAndWait { context in
      let player = try #require(try context.object(with: id) as? Player)
      context.retainsRegisteredObjects = true
      return (
        changes { #expect(player.score == 1) },
        changes { #expect(player.team?.players.count == 1) },
        changes { #expect(player.name == "a") }
      )
    }
    try stack.newContext().performAndWait { context in
      let player = try #require(Player.all(in: context).first)
      (player.score, player.team) = (7, nil)
      try context.save()
    }
    queue.performAndWait { _ in }
    #expect((score.value, size.value, name.value) == (1, 1, 0))
  }

  @Test func aContextThatTracksNothingAnnouncesNothing() throws {
    try withPlayer { context, player in
      context.tracksReads = false
      let first = changes { #expect(player.name == "a") }
      player.name = "b"
      context.processPendingChanges()
      #expect(first.value == 0)
      context.tracksReads = true
      let again = changes { #expect(player.name == "b") }
      player.name = "c"
      context.processPendingChanges()
      #expect(again.value == 1)
    }
  }

  @Test func objectsAfterAResetAreTracked() throws {
    try withPlayer { context, _ in
      context.reset()
      let player = try #require(Player.all(in: context).first)
      let changes = changes { #expect(player.name == "a") }
      player.name = "b"
      context.processPendingChanges()
      #expect(changes.value == 1)
    }
  }

  @Test func trackedObjectsAreNotKept() throws {
    try withPlayer { context, _ in
      for number in 0..<1000 { Player.make("p\(number)", number, in: context) }
      try context.save()
      context.reset()
      #expect(try readNames(context) == 1001)
      #expect(context.registeredObjects.isEmpty)
    }
  }

  /// Reads all players, and lets them go.
  private func readNames(_ context: ManagedObjectContext) throws -> Int {
    Set(try Player.all(in: context).map { "\($0.name) \($0.score)" }).count
  }
}
