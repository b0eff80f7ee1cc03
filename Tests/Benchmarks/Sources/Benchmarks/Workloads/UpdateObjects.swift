// SPDX-License-Identifier: MIT
import RawStore
import Sporades

/// All players fetched, the age of each changed, until the change is committed.
struct UpdateObjects: Workload {
  static let key = "update_objects"
  static let title = "fetch all players, change one value of each, save"
  static let start = Template.players

  init(_ sample: Sample) {}

  func raw(on path: String, _ watch: inout Stopwatch) -> UInt64 {
    do {
      let database = RawDatabase(path)
      watch.time {
        database.execute("BEGIN IMMEDIATE")
        var players = RawPlayer.all(database.prepare(RawPlayer.select))
        for index in players.indices { players[index].age += 1 }
        // No check of the version: the transaction that read the rows still holds them.
        let statement = database.prepare(
          "UPDATE ZPLAYER SET ZAGE = ?1, Z_OPT = Z_OPT + 1 WHERE Z_PK = ?2")
        for player in players {
          statement.bind(1, player.age)
          statement.bind(2, player.id)
          statement.run()
        }
        database.execute("COMMIT")
      }
    }
    return contents(of: path)
  }
}

extension UpdateObjects {
  func ours(on path: String, _ watch: inout Stopwatch) throws -> UInt64 {
    do {
      let service = try openService(path)
      defer { try? service.close() }
      try watch.time {
        try service.writeUntilCommitted { context in
          for player in Player.all(in: context) { player.age += 1 }
        }
      }
    }
    return contents(of: path)
  }
}
