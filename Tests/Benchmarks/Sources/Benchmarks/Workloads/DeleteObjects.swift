// SPDX-License-Identifier: MIT
import RawStore
import Sporades

/// Half of the players fetched and deleted, until the change is committed.
struct DeleteObjects: Workload {
  static let key = "delete_objects"
  static let title = "fetch half of the players, delete each, save"
  static let start = Template.players
  let sample: Sample

  init(_ sample: Sample) { self.sample = sample }

  func raw(on path: String, _ watch: inout Stopwatch) -> UInt64 {
    do {
      let database = RawDatabase(path)
      watch.time {
        database.execute("BEGIN IMMEDIATE")
        let fetch = database.prepare(RawPlayer.select + " ORDER BY Z_PK LIMIT ?1")
        fetch.bind(1, Int64(sample.players.count / 2))
        let players = RawPlayer.all(fetch)
        let statement = database.prepare("DELETE FROM ZPLAYER WHERE Z_PK = ?1")
        for player in players {
          statement.bind(1, player.id)
          statement.run()
        }
        database.execute("COMMIT")
      }
    }
    return contents(of: path)
  }
}

extension DeleteObjects {
  func ours(on path: String, _ watch: inout Stopwatch) throws -> UInt64 {
    do {
      let service = try openService(path)
      defer { try? service.close() }
      let half = sample.players.count / 2
      try watch.time {
        try service.writeUntilCommitted { context in
          // The order is by key where no other is asked for.
          let players = try context.fetch(Player.self, FetchRequest("Player", limit: half))
          for player in players { player.delete(in: context) }
        }
      }
    }
    return contents(of: path)
  }
}
