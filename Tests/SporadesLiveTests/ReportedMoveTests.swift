// SPDX-License-Identifier: MIT
import Foundation
import Sporades
import SporadesLive
import SporadesTesting
import Testing

/// What libraries around fetched results controllers test, and what their users reported as wrong.
@Suite struct ReportedMoveTests {
  private typealias Controller = FetchedResultsController<Player>

  /// A controller of players in a context, and a second context.
  private func withPlayers(
    _ names: [String], groups: [String]? = nil, sections: String? = nil,
    _ body: (ContextQueue, ContextQueue, Controller, TableViewModel<Player>) throws -> Void
  ) throws {
    let stack = try League.makeStack()
    let (queue, other) = (stack.newContext(), stack.newContext())
    let (controller, table) = try queue.performAndWait { context in
      for (place, name) in names.enumerated() {
        Player.make(name, place, group: groups?[place], in: context)
      }
      try context.save()
      let order = sections == nil ? Player.sorted(by: \.name) : Player.sorted(by: \.group, \.name)
      let controller = Controller(order, in: context, sectionNameKeyPath: sections)
      try controller.performFetch()
      return (controller, TableViewModel(controller))
    }
    try body(queue, other, controller, table)
  }

  private func change(_ queue: ContextQueue, _ body: ([Player]) throws -> Void) throws {
    try queue.performAndWait { context in
      try body(try Player.all(sortedBy: \.name, in: context))
      try context.save()
    }
  }

  @Test func aChangeOfAnotherAttributeElsewhereIsAnUpdateAndNoMove() throws {
    try withPlayers(["a", "b"]) { queue, other, _, table in
      try change(other) { $0[0].score = 99 }
      queue.performAndWait { _ in }
      #expect(table.takeEvents() == ["update 0.0 0.0"])
    }
  }

  @Test func valuesSetAgainAreNoChange() throws {
    try withPlayers(["a", "b", "c"]) { queue, other, _, table in
      try change(other) { players in
        players[0].score = 50
        players[1].score = 51
        players[2].score = players[2].score
      }
      queue.performAndWait { _ in }
      let events = Set(table.takeEvents())
      #expect(events.isSuperset(of: ["update 0.0 0.0", "update 0.1 0.1"]))
      #expect(events.allSatisfy { $0.hasPrefix("update") })
    }
  }

  @Test func anUpdateBesideADeletionHasThePathOfTheOldResults() throws {
    try withPlayers(["a", "b"]) { queue, other, _, table in
      try change(other) { players in
        players[1].score = 50
        players[0].managedObjectContext?.delete(players[0])
      }
      queue.performAndWait { _ in }
      #expect(Set(table.takeEvents()) == ["delete 0.0 -", "update 0.1 0.0"])
    }
  }

  @Test func anUpdateBesideAnInsertionHasThePathOfTheOldResults() throws {
    try withPlayers(["b"]) { queue, other, _, table in
      try other.performAndWait { context in
        Player.make("a", in: context)
        try #require(Player.all(where: \.name == "b", in: context).first).score = 7
        try context.save()
      }
      queue.performAndWait { _ in }
      #expect(Set(table.takeEvents()) == ["insert - 0.0", "update 0.0 0.1"])
    }
  }

  @Test func theOnlyMemberOfASectionMovesToAnother() throws {
    try withPlayers(["a", "b"], groups: ["g0", "g1"], sections: "group") { queue, _, _, table in
      try change(queue) { $0[0].group = "g1" }
      #expect(table.takeEvents() == ["section delete 0", "move 0.0 0.0"])
    }
  }

  @Test func theOnlyMemberOfASectionMovesToANewOne() throws {
    try withPlayers(["a", "b"], groups: ["g0", "g1"], sections: "group") { queue, _, _, table in
      try change(queue) { $0[0].group = "g2" }
      #expect(table.takeEvents() == ["section delete 0", "section insert 1", "move 0.0 1.0"])
    }
  }

  @Test func theFirstMemberOfAListBringsItsSection() throws {
    try withPlayers([], sections: "group") { queue, other, controller, table in
      queue.performAndWait { _ in #expect(controller.sections?.isEmpty == true) }
      try other.performAndWait { context in
        Player.make("a", group: "g", in: context)
        try context.save()
      }
      queue.performAndWait { _ in }
      #expect(table.takeEvents() == ["section insert 0", "insert - 0.0"])
    }
  }

  @Test func theLastMemberOfAListTakesItsSectionAlong() throws {
    try withPlayers(["a"], groups: ["g"], sections: "group") { queue, other, _, table in
      try other.performAndWait { context in
        try Player.deleteAll(in: context)
        try context.save()
      }
      queue.performAndWait { _ in }
      #expect(table.takeEvents() == ["section delete 0", "delete 0.0 -"])
    }
  }

  @Test func aSectionGoesAndOthersGrowInOneSave() throws {
    let groups = ["blue", "green", "red"].flatMap { [$0, $0, $0] }
    let names = (0..<9).map { "p\($0)" }
    try withPlayers(names, groups: groups, sections: "group") {
      queue, _, controller, _ in
      try change(queue) { players in
        for player in players[3..<6] { player.managedObjectContext?.delete(player) }
        players[0].group = "red"
        players[6].name = "z"
      }
      queue.performAndWait { _ in
        #expect(controller.sections?.map(\.name) == ["blue", "red"])
        #expect(controller.sections?.map(\.numberOfObjects) == [2, 4])
      }
    }
  }

  @Test func twoMembersThatChangePlacesMakeOneMove() throws {
    try withPlayers(["a", "b"]) { queue, _, _, table in
      try change(queue) { players in (players[0].name, players[1].name) = ("b", "a") }
      let events = table.takeEvents()
      #expect(events.count { $0.hasPrefix("move") } == 1)
      #expect(events.count { $0.hasPrefix("update") } == 1)
    }
  }

  @Test func aReversedOrderMovesAllButOne() throws {
    try withPlayers(["a", "b"]) { queue, _, controller, table in
      try queue.performAndWait { _ in
        try controller.performFetch(Player.sorted(by: .descending(\.name)))
      }
      #expect(table.takeEvents().count == 1)
    }
  }

  @Test func computedTotalsAreUpdates() throws {
    try League.makeStack().newContext().performAndWait { context in
      let team = Team.create(in: context)
      try context.save()
      let controller = FetchedResultsController(Team.sorted(by: \.size), in: context)
      try controller.performFetch()
      let table = TableViewModel(controller)
      Player.make("a", in: context).team = team
      try context.save()
      #expect(table.updated.contains(team.objectID))
      #expect(team.size == 1)
    }
  }

  @Test func changesOfOtherEntitiesAreNotReported() throws {
    try withPlayers(["a"]) { queue, _, _, table in
      try queue.performAndWait { context in
        Team.create(in: context).name = "x"
        try context.save()
      }
      #expect(table.rounds == 0)
    }
  }

  @Test func aDelegateThatComesLaterHearsOfLaterChangesAlone() throws {
    try withPlayers(["b"]) { queue, _, controller, _ in
      try queue.performAndWait { context in
        controller.delegate = nil
        Player.make("a", in: context)
        context.processPendingChanges()
        let table = TableViewModel(controller)
        Player.make("c", in: context)
        context.processPendingChanges()
        #expect(table.takeEvents() == ["insert - 0.2"])
        try context.save()
      }
    }
  }

  @Test func wordsBecomeOtherWords() throws {
    var random = SeededGenerator(seed: 11)
    try withPlayers([]) { queue, _, controller, _ in
      for _ in 0..<300 {
        let word = "ABCDEF".shuffled(using: &random).prefix(Int.random(in: 0...6, using: &random))
        try queue.performAndWait { context in try spell(word.map { String($0) }, in: context) }
        queue.performAndWait { _ in
          #expect(controller.fetchedObjects?.map(\.name) == word.map { String($0) }.sorted())
        }
      }
    }
  }

  /// Makes the players of the letters: by their numbers, each has one letter.
  private func spell(_ letters: [String], in context: ManagedObjectContext) throws {
    let players = try Player.all(sortedBy: \.score, in: context)
    for (place, letter) in letters.enumerated() {
      if place < players.count {
        players[place].name = letter
      } else {
        Player.make(letter, place, in: context)
      }
    }
    for player in players.dropFirst(letters.count) { context.delete(player) }
    try context.save()
  }
}
