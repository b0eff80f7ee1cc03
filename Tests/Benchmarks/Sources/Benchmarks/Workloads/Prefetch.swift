// SPDX-License-Identifier: MIT
import RawStore
import Sporades

/// All teams with all their players, the name of each player read.
struct Prefetch: Workload {
  static let key = "prefetch"
  static let title = "teams with their players, read every name"
  static let start = Template.players

  init(_ sample: Sample) {}

  func raw(on path: String, _ watch: inout Stopwatch) -> UInt64 {
    let database = RawDatabase(path)
    return watch.time {
      let teams = Self.teams(database)
      var sum = 0
      for team in teams {
        let weight = team.city.utf8.count
        for player in team.players { sum += weight * player.lastName.utf8.count }
      }
      return UInt64(sum)
    }
  }

  private struct RawTeam {
    let id: Int64
    let name: String
    let city: String
    var players: [RawPlayer] = []
  }

  /// Two statements. As nearly every player is wanted, the second reads the table in its own order
  /// and puts each player where it belongs: a third of the time that going by team would take.
  private static func teams(_ database: borrowing RawDatabase) -> [RawTeam] {
    var teams: [RawTeam] = []
    var places: [Int64: Int] = [:]
    let rows = database.prepare("SELECT Z_PK, ZCITY, ZNAME FROM ZTEAM")
    while rows.step() {
      places[rows.integer(0)] = teams.count
      teams.append(RawTeam(id: rows.integer(0), name: rows.text(2), city: rows.text(1)))
    }
    let players = database.prepare(RawPlayer.select + " WHERE ZTEAM IS NOT NULL")
    while players.step() {
      let player = RawPlayer(players)
      if let place = places[player.team] { teams[place].players.append(player) }
    }
    return teams
  }
}

extension Prefetch {
  func ours(on path: String, _ watch: inout Stopwatch) throws -> UInt64 {
    let service = try openService(path)
    defer { try? service.close() }
    return try watch.time {
      try service.readValue { context in
        var request = FetchRequest("Team")
        request.relationshipKeyPathsForPrefetching = ["players"]
        var sum = 0
        for team in try context.fetch(Team.self, request) {
          let weight = team.city.utf8.count
          for player in team.players { sum += weight * player.lastName.utf8.count }
        }
        return UInt64(sum)
      }
    }
  }
}
