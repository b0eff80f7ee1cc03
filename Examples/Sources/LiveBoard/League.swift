// SPDX-License-Identifier: MIT
import Foundation
import Sporades

@Entity final class Team: ManagedObject {
  var name: String = ""
  @Relationship(inverse: \Player.team) var players: Set<Player>
}

@Entity final class Player: ManagedObject {
  var name: String = ""
  var points: Int = 0
  var team: Team?
}

/// What the board shows: a value, so that it can leave the context of its objects.
struct Board: Sendable, Equatable {
  let best: [String]
  let teams: [String]
  let total: Int

  init(_ players: [Player], _ teams: [Team]) {
    best = players.enumerated().map { place, player in
      "\(place + 1). \(player.name.padding(toLength: 8, withPad: " ", startingAt: 0)) "
        + "\(player.points)\t\(player.team?.name ?? "-")"
    }
    let sums = teams.map { team in
      (name: team.name, points: team.players.reduce(0) { $0 + $1.points })
    }
    self.teams = sums.map { "\($0.name): \($0.points)" }
    total = sums.reduce(0) { $0 + $1.points }
  }

  var text: String { (best + ["", teams.joined(separator: "   ")]).joined(separator: "\n") }
}

/// The players and teams of a file, which other processes may change.
struct League {
  private let service: DALService

  init(_ path: String) throws {
    var options = SQLiteStoreOptions()
    // With a history, the service learns which rows another process has changed.
    options.persistentHistory = .on
    service = DALService(
      sqlite: URL(fileURLWithPath: path), entities: [Team.self, Player.self],
      storeOptions: options)
    _ = try service.stack()
  }

  /// The best players and all teams, at one point of the order of writes.
  var boards: ObservedValues<Board> {
    // snippet: observeSeveral
    service.observe(
      Player.sorted(by: .descending(\.points), .ascending(\.name)).limit(5),
      Team.sorted(by: \.name), mapping: { players, teams in Board(players, teams) })
    // snippet end
  }

  func make() throws {
    try service.writeSync(durability: .immediate) { context in
      for (place, name) in ["Red", "Blue", "Green"].enumerated() {
        let team = Team.create(in: context)
        team.name = name
        for player in ["Ada", "Bo", "Cleo", "Dana", "Eli", "Finn"][(place * 2)..<(place * 2 + 2)] {
          let one = Player.create(in: context)
          (one.name, one.team) = (player, team)
        }
      }
    }.get()
  }

  func give(_ points: Int, to name: String) throws {
    try service.writeSync(durability: .immediate) { context in
      guard let player = Player.first(where: \.name == name, in: context) else {
        throw Wrong("There is no player \(name).")
      }
      player.points += points
    }.get()
  }

  func total() throws -> Int { try service.readValue { try Player.request.sum(\.points, in: $0) } }

  /// A point for a player in turn, each in a write of its own.
  func play(_ rounds: Int) async throws {
    for round in 0..<rounds {
      try await service.write { context in
        let players = try Player.all(sortedBy: \.name, in: context)
        players[round % players.count].points += 1
      }
    }
  }

  func close() throws { try service.close() }
}
