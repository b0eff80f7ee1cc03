// SPDX-License-Identifier: MIT
import Foundation
import Sporades
import SporadesLive
import Testing

/// A controller of players, and the table that its changes lead to.
@Suite struct ControllerTests {
  private typealias Controller = FetchedResultsController<Player>

  /// Runs in a context with the players b, d and f, whose scores are 2, 4 and 6.
  private func withPlayers(
    _ body: (ManagedObjectContext, [String: Player]) throws -> Void
  ) throws {
    try League.makeStack().newContext().performAndWait { context in
      var players: [String: Player] = [:]
      for (name, score) in [("b", 2), ("d", 4), ("f", 6)] {
        players[name] = Player.make(name, score, group: "g\(score / 4)", in: context)
      }
      try context.save()
      try body(context, players)
    }
  }

  private func names(_ controller: Controller) -> [String] {
    (controller.fetchedObjects ?? []).map(\.name)
  }

  @Test func theResultsAreThoseOfTheRequest() throws {
    try withPlayers { context, players in
      let controller = Controller(
        Player.where(\.score > 2).sorted(by: .descending(\.name)), in: context)
      #expect(controller.fetchedObjects == nil)
      #expect(controller.sections == nil)
      try controller.performFetch()
      #expect(names(controller) == ["f", "d"])
      #expect(controller.sections?.count == 1)
      #expect(controller.sections?[0].name == "")
      #expect(controller.sections?[0].numberOfObjects == 2)
      #expect(controller.object(at: IndexPath(item: 1, section: 0)) === players["d"])
      #expect(controller.indexPath(for: players["f"]!) == IndexPath(row: 0, section: 0))
      #expect(controller.indexPath(for: players["b"]!) == nil)
    }
  }

  @Test func changesAreReportedWithPathsOfTheOldAndOfTheNewResults() throws {
    try withPlayers { context, players in
      let controller = Controller(Player.sorted(by: \.name), in: context)
      try controller.performFetch()
      let table = TableViewModel(controller)
      Player.make("c", in: context)
      context.processPendingChanges()
      #expect(table.takeEvents() == ["insert - 0.1"])
      players["f"]!.name = "a"
      context.processPendingChanges()
      #expect(table.takeEvents() == ["move 0.3 0.0"])
      players["d"]!.score = 40
      context.processPendingChanges()
      #expect(table.takeEvents() == ["update 0.3 0.3"])
      context.delete(players["b"]!)
      context.processPendingChanges()
      #expect(table.takeEvents() == ["delete 0.1 -"])
      #expect(names(controller) == ["a", "c", "d"])
      try context.save()
      #expect(table.takeEvents() == [])
    }
  }

  @Test func objectsComeAndGoWithThePredicate() throws {
    try withPlayers { context, players in
      let controller = Controller(Player.where(\.score > 3).sorted(by: \.score), in: context)
      try controller.performFetch()
      let table = TableViewModel(controller)
      players["b"]!.score = 5
      players["d"]!.score = 1
      context.processPendingChanges()
      #expect(Set(table.takeEvents()) == ["insert - 0.0", "delete 0.0 -"])
      context.rollback()
      context.processPendingChanges()
      #expect(Set(table.takeEvents()) == ["insert - 0.0", "delete 0.0 -"])
      #expect(names(controller) == ["d", "f"])
    }
  }

  @Test func sectionsComeAndGo() throws {
    try withPlayers { context, players in
      let controller = Controller(
        Player.sorted(by: \.group, \.name), in: context, sectionNameKeyPath: "group")
      try controller.performFetch()
      #expect(controller.sections?.map(\.name) == ["g0", "g1"])
      #expect(controller.sections?.map(\.numberOfObjects) == [1, 2])
      #expect(controller.sectionIndexTitles == ["G"])
      let table = TableViewModel(controller)
      players["b"]!.group = "z"
      context.processPendingChanges()
      #expect(table.takeEvents() == ["section delete 0", "section insert 1", "move 0.0 1.0"])
      players["d"]!.group = "z"
      context.processPendingChanges()
      #expect(table.takeEvents() == ["move 0.0 1.1"])
      players["f"]!.group = nil
      context.processPendingChanges()
      #expect(controller.sections?.map(\.name) == ["", "z"])
      #expect(controller.sections?.map(\.indexTitle) == [nil, "Z"])
      #expect(controller.section(forSectionIndexTitle: "Z", at: 0) == 1)
    }
  }

  @Test func sectionsOutOfOrderAreAnErrorThatNamesObjectAndSection() throws {
    try withPlayers { context, players in
      let controller = Controller(Player.sorted(by: \.name), in: context, sections: \.group)
      players["f"]!.group = "g0"
      let expected = FetchedResultsError.sectionsOutOfOrder(
        section: "g0", object: players["f"]!.objectID)
      #expect(throws: expected) { try controller.performFetch() }
      players["f"]!.group = "g1"
      try controller.performFetch()
      let table = TableViewModel(controller)
      players["f"]!.group = "g0"
      context.processPendingChanges()
      #expect(table.errors.first as? FetchedResultsError == expected)
      #expect(controller.sections?.map(\.name) == ["g0", "g1"])
      players["d"]!.group = "g0"
      context.processPendingChanges()
      #expect(controller.sections?.map(\.name) == ["g0"])
    }
  }

  @Test func relatedObjectsCount() throws {
    try withPlayers { context, players in
      let (one, two) = (Team.create(in: context), Team.create(in: context))
      (one.name, two.name) = ("one", "two")
      (players["b"]!.team, players["d"]!.team, players["f"]!.team) = (one, two, one)
      try context.save()
      let controller = Controller(
        Player.where(\.team!.name != "none").sorted(by: \.team!.name, \.name), in: context,
        sectionNameKeyPath: "team.name")
      try controller.performFetch()
      #expect(names(controller) == ["b", "f", "d"])
      let table = TableViewModel(controller)
      one.name = "zero"
      context.processPendingChanges()
      #expect(controller.sections?.map(\.name) == ["two", "zero"])
      #expect(names(controller) == ["d", "b", "f"])
      #expect(table.rounds == 1)
      two.name = "none"
      context.processPendingChanges()
      #expect(names(controller) == ["b", "f"])
      context.delete(one)
      context.processPendingChanges()
      #expect(controller.sections?.map(\.name) == [""])
    }
  }

  @Test func aLimitedRequestShowsItsWindow() throws {
    try withPlayers { context, players in
      for number in 0..<60 { Player.make("p", 10 + number, in: context) }
      try context.save()
      let controller = Controller(
        Player.sorted(by: \.score).limit(3).offset(1), in: context)
      try controller.performFetch()
      #expect(names(controller) == ["d", "f", "p"])
      let table = TableViewModel(controller)
      context.delete(players["b"]!)
      context.processPendingChanges()
      #expect(Set(table.takeEvents()) == ["delete 0.0 -", "insert - 0.2"])
      Player.make("a", 0, in: context)
      context.processPendingChanges()
      #expect(Set(table.takeEvents()) == ["insert - 0.0", "delete 0.2 -"])
      #expect(names(controller) == ["d", "f", "p"])
    }
  }

  @Test func aNewRequestIsReportedAsChanges() throws {
    try withPlayers { context, players in
      let controller = Controller(Player.sorted(by: \.name), in: context)
      try controller.performFetch()
      let table = TableViewModel(controller)
      controller.fetchRequest.sortTerms = [SortTerm("name", ascending: false)]
      try controller.performFetch()
      #expect(names(controller) == ["f", "d", "b"])
      #expect(table.takeEvents().count == 2)
      try controller.performFetch(Player.where(\.score > 3).sorted(by: .descending(\.name)))
      #expect(table.takeEvents() == ["delete 0.2 -"])
    }
  }

  @Test func savesOfOthersArrive() throws {
    let stack = try League.makeStack()
    let (queue, other) = (stack.newContext(), stack.newContext())
    try other.performAndWait { context in
      for name in ["b", "d"] { Player.make(name, 1, in: context) }
      try context.save()
    }
    let (controller, table) = try queue.performAndWait { context in
      let controller = Controller(Player.where(\.score > 0).sorted(by: \.name), in: context)
      try controller.performFetch()
      return (controller, TableViewModel(controller))
    }
    let change: (ManagedObjectContext) throws -> Void = { context in
      let all = try Player.all(sortedBy: \.name, in: context)
      all[0].score = 0
      all[1].name = "a"
      Player.make("c", 3, in: context)
      try context.save()
    }
    try other.performAndWait(change)
    queue.performAndWait { _ in }
    #expect(table.takeEvents().count == 3)
    queue.performAndWait { _ in #expect(names(controller) == ["a", "c"]) }
    // An object that is not in memory comes when another context changes it.
    try other.performAndWait { context in
      let player = try Player.first(where: \.name == "b", in: context)
      try #require(player).score = 9
      try context.save()
    }
    queue.performAndWait { _ in #expect(names(controller) == ["a", "b", "c"]) }
    #expect(table.takeEvents() == ["insert - 0.1"])
  }

  @Test func aResetGivesNewObjects() throws {
    try withPlayers { context, players in
      let controller = Controller(Player.sorted(by: \.name), in: context)
      try controller.performFetch()
      let table = TableViewModel(controller)
      Player.make("x", in: context)
      context.reset()
      #expect(names(controller) == ["b", "d", "f"])
      #expect(controller.fetchedObjects?.contains(players["b"]!) == false)
      #expect(table.updated.count == 3)
      #expect(table.snapshots.last?.reloadedObjectIDs.count == 3)
    }
  }

  @Test func anObjectBeforeTheFirstFetchTrapsWithTheCallThatIsMissing() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      try ControllerTests().withPlayers { context, _ in
        let controller = Controller(Player.sorted(by: \.name), in: context)
        _ = controller.object(at: IndexPath(item: 0, section: 0))
      }
    }
    let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    #expect(text.contains("Call try performFetch()"), "\(text)")
  }

  @Test func wrongRequestsAreRefused() throws {
    try withPlayers { context, _ in
      var request = FetchRequest("Player", sortedBy: [.random])
      #expect(throws: FetchedResultsError.self) {
        try Controller(request, in: context).performFetch()
      }
      request = FetchRequest("Player")
      request.resultType = .managedObjectID
      #expect(throws: FetchedResultsError.self) {
        try Controller(request, in: context).performFetch()
      }
      #expect(throws: ContextError.self) {
        try Controller(FetchRequest("Nobody"), in: context).performFetch()
      }
      #expect(throws: FetchPredicateError.self) {
        try Controller(Player.sorted(by: \.initial), in: context).performFetch()
      }
    }
  }
}
