// SPDX-License-Identifier: MIT
import Foundation
import Sporades
import SporadesTesting
import Testing

/// A namespace, because the other tests have entities of these names too.
enum League {
  // snippet: league
  @Entity final class Team: ManagedObject {
    @Attribute(.unique, .length(1...40)) var name: String = "?"
    @Relationship(deleteRule: .cascade, inverse: \Player.team) var players: Set<Player>
    @Relationship(inverse: \Match.teams, maxCount: 40) var matches: [Match]
  }

  @Entity final class Player: ManagedObject {
    var name: String = ""
    @Attribute(.range(1...99)) var number: Int = 1
    @Attribute(.satisfies("SELF <= number")) var goals: Int = 0
    var team: Team?
  }

  @Entity final class Match: ManagedObject {
    var day: Date?
    var teams: Set<Team>
  }
  // snippet end

  static let entities: [ManagedObject.Type] = [Team.self, Player.self, Match.self]
}

/// The code in the articles on faults, relationships, validation and undo.
@Suite struct GraphDocumentationTests {
  typealias Team = League.Team
  typealias Player = League.Player
  typealias Match = League.Match

  private func inLeague(_ body: (ManagedObjectContext) throws -> Void) throws {
    let stack = DataStack(
      store: MemoryStore(model: try ManagedObjectModel(League.entities)), classes: League.entities)
    try stack.newContext().performAndWait { context in
      for name in ["Ajax", "Bari"] {
        let team = Team.create(in: context)
        team.name = name
        for number in 1...20 {
          let player = Player.create(in: context)
          (player.name, player.number, player.team) = ("\(name) \(number)", number, team)
        }
        team.matches = (0..<3).map { _ in Match.create(in: context) }
      }
      try context.save()
    }
    try stack.newContext().performAndWait(body)
  }

  @Test func faulting() throws {
    try inLeague { context in
      var lines: [String] = []
      func print(_ text: String) { lines.append(text) }
      // snippet: firing
      let players = try Player.all(sortedBy: \.number, in: context)
      for player in players {
        print("\(player.name) plays for \(player.team?.name ?? "nobody")")
      }
      // snippet end
      #expect(lines.count == 40 && lines[0].contains(" plays for "))
      let team = try #require(players[0].team)
      let total = try Player.count(in: context)
      // snippet: unloaded
      let isFault = team.hasFault(forRelationshipNamed: "players")
      let count = team.count(forRelationshipNamed: "players")
      let ids = team.objectIDs(forRelationshipNamed: "players")
      team.add(Player.create(in: context), to: "players")
      // snippet end
      #expect(isFault)
      #expect(count == 20)
      #expect(ids.count == 20)
      #expect(try team.players.count == 21 && Player.count(in: context) == total + 1)
      context.rollback()
      // snippet: batches
      var request = FetchRequest("Player", sortedBy: [SortTerm("name")])
      request.fetchBatchSize = 500
      var goals = 0
      for player in try context.fetchInBatches(Player.self, request) {
        goals += player.goals
      }
      // snippet end
      #expect(goals == 0)
      // snippet: prefetching
      request = FetchRequest("Team")
      request.relationshipKeyPathsForPrefetching = ["players", "matches.teams"]
      let teams = try context.fetch(Team.self, request)
      // snippet end
      #expect(teams.count == 2 && !teams[0].hasFault(forRelationshipNamed: "players"))
    }
  }

  @Test func relationships() throws {
    try inLeague { context in
      var lines: [String] = []
      func print(_ items: Any) { lines.append("\(items)") }
      // snippet: linking
      let ajax = try #require(try Team.first(where: \.name == "Ajax", in: context))
      let player = Player.create(in: context)
      player.team = ajax
      print(ajax.players.contains(player))  // true
      ajax.players.remove(player)
      print(player.team as Any)  // nil
      ajax.matches.insert(Match.create(in: context), at: 0)
      ajax.matches.swapAt(0, 1)
      // snippet end
      #expect(lines == ["true", "nil"])
      #expect(ajax.matches.count == 4)
      try context.save()
      // snippet: linking-unloaded
      ajax.add(player, to: "players")
      ajax.remove(player, from: "players")
      ajax.insert(Match.create(in: context), into: "matches", at: 0)
      ajax.move(from: 0, to: 2, in: "matches")
      ajax.replace(at: 1, in: "matches", with: Match.create(in: context))
      ajax.remove(at: 1, from: "matches")
      // snippet end
      #expect(player.team == nil)
      #expect(ajax.matches.count == 4)
      try context.save()
      // snippet: deleting
      let plan = context.deletePlan(for: [ajax])
      print("\(plan.deleted.count) objects would go")
      if !plan.isDenied { context.delete(ajax) }
      // snippet end
      #expect(plan.deleted.count == 21)
      #expect(context.deletedObjects == plan.deleted)
    }
  }

  @Test func validation() throws {
    try inLeague { context in
      var lines: [String] = []
      func print(_ text: String) { lines.append(text) }
      // snippet: validating
      let player = Player.create(in: context)
      (player.number, player.goals) = (100, 101)
      do {
        try context.save()
      } catch let error as ValidationError {
        for failure in error.failures {
          print("\(failure.code.rawValue) \(failure.property ?? ""): \(failure.detail)")
        }
      }
      // snippet end
      #expect(lines.count == 2 && lines[0].hasPrefix("1610 number"), "\(lines)")
      #expect(lines.last?.hasPrefix("1550 goals") == true, "\(lines)")
    }
  }
}
