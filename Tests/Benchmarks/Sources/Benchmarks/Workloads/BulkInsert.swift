// SPDX-License-Identifier: MIT
import RawStore
import Sporades

/// All players created in one write, until it is committed.
struct BulkInsert: Workload {
  static let key = "bulk_insert"
  static let title = "create all players in one write"
  static let start = Template.teams
  let sample: Sample

  init(_ sample: Sample) { self.sample = sample }

  func raw(on path: String, _ watch: inout Stopwatch) -> UInt64 {
    rawInsert(sample, on: path, inTeams: true, &watch)
    return contents(of: path)
  }
}

/// All players inserted in one transaction.
func rawInsert(_ sample: Sample, on path: String, inTeams: Bool, _ watch: inout Stopwatch) {
  let database = RawDatabase(path)
  var keys = RawKeys(database)
  watch.time {
    database.execute("BEGIN IMMEDIATE")
    let first = keys.reserve(sample.players.count)
    // One row per statement, because lists of rows are no faster in SQLite.
    let statement = database.prepare(RawPlayer.insertion)
    for (offset, player) in sample.players.enumerated() {
      var row = player
      row.id = first + Int64(offset)
      row.insert(with: statement, inTeam: inTeams)
    }
    database.execute("COMMIT")
  }
}

extension BulkInsert {
  func ours(on path: String, _ watch: inout Stopwatch) throws -> UInt64 {
    do {
      let service = try openService(path)
      defer { try? service.close() }
      try watch.time {
        try service.writeUntilCommitted { context in
          let teams = Team.byPrimaryKey(in: context)
          for value in sample.players {
            let player = Player.create(in: context)
            player.fill(from: value)
            player.team = teams[value.team]
          }
        }
      }
    }
    return contents(of: path)
  }
}
