// SPDX-License-Identifier: MIT
import FoundationEssentials
import RawStore
import Sporades

/// All players inserted by a batch whose closure fills one object after the other.
struct BatchInsert: Workload {
  static let key = "batch_insert"
  static let title = "insert all players by a batch"
  static let start = Template.teams
  let sample: Sample

  init(_ sample: Sample) { self.sample = sample }

  func raw(on path: String, _ watch: inout Stopwatch) -> UInt64 {
    rawInsert(sample, on: path, inTeams: false, &watch)
    return contents(of: path)
  }
}

extension BatchInsert {
  func ours(on path: String, _ watch: inout Stopwatch) throws -> UInt64 {
    do {
      let service = try openService(path)
      defer { try? service.close() }
      try watch.time {
        let batch = BatchInsertRequest(Player.self, from: sample.players) { $0.fill(from: $1) }
        _ = try service.execute(batch)
      }
    }
    return contents(of: path)
  }
}

/// The score of nearly all players computed anew by a batch, while three contexts listen.
struct BatchUpdate: Workload {
  static let key = "batch_update"
  static let title = "update nearly all players by a batch"
  static let start = Template.players

  init(_ sample: Sample) {}

  func raw(on path: String, _ watch: inout Stopwatch) -> UInt64 {
    do {
      let database = RawDatabase(path)
      watch.time {
        database.execute("BEGIN IMMEDIATE")
        // Whoever shows the rows must know which ones to read again.
        var changed: [Int64] = []
        let statement = database.prepare(
          """
          UPDATE ZPLAYER SET ZSCORE = ZSCORE * 1.1, Z_OPT = Z_OPT + 1 WHERE ZAGE > 16 \
          RETURNING Z_PK
          """)
        while statement.step() { changed.append(statement.integer(0)) }
        statement.reset()
        database.execute("COMMIT")
        precondition(!changed.isEmpty, "The batch found no players.")
      }
    }
    return contents(of: path)
  }
}

extension BatchUpdate {
  func ours(on path: String, _ watch: inout Stopwatch) throws -> UInt64 {
    do {
      let stack = try DataStack(
        sqlite: URL(fileURLWithPath: path), entities: [Player.self, Team.self])
      let listeners = (0..<3).map { _ in stack.newContext() }
      for listener in listeners {
        listener.performAndWait { context in
          context.retainsRegisteredObjects = true
          _ = Result { try Player.all(limit: 100, in: context) }
        }
      }
      let service = DALService(stack: stack)
      defer { try? service.close() }
      try watch.time {
        _ = try service.execute(Player.where(\.age > 16).update(\.score, to: \.score * 1.1))
        for listener in listeners { listener.performAndWait { _ in } }
      }
    }
    return contents(of: path)
  }
}

/// Half of the players deleted by a batch, and the teams that lose them noted.
struct BatchDelete: Workload {
  static let key = "batch_delete"
  static let title = "delete half of the players by a batch"
  static let start = Template.players
  let sample: Sample

  init(_ sample: Sample) { self.sample = sample }

  func raw(on path: String, _ watch: inout Stopwatch) -> UInt64 {
    do {
      let database = RawDatabase(path)
      watch.time {
        database.execute("BEGIN IMMEDIATE")
        // The deleted players, and the teams that lose them, are news to whoever shows them.
        database.execute("CREATE TEMP TABLE GONE (ID INTEGER PRIMARY KEY, OPT INTEGER)")
        let add = database.prepare(
          "INSERT INTO temp.GONE SELECT Z_PK, Z_OPT FROM ZPLAYER WHERE ZAGE < 46")
        add.run()
        var teams: [Int64] = []
        let owners = database.prepare(
          """
          SELECT Z_PK FROM ZTEAM WHERE Z_PK IN (SELECT ZTEAM FROM ZPLAYER WHERE Z_PK IN \
          (SELECT ID FROM temp.GONE))
          """)
        while owners.step() { teams.append(owners.integer(0)) }
        owners.reset()
        var players: [(Int64, Int64)] = []
        let gone = database.prepare("SELECT ID, OPT FROM temp.GONE")
        while gone.step() { players.append((gone.integer(0), gone.integer(1))) }
        gone.reset()
        database.execute("DELETE FROM ZPLAYER WHERE Z_PK IN (SELECT ID FROM temp.GONE)")
        database.execute("COMMIT")
        precondition(!players.isEmpty && !teams.isEmpty, "The batch found no players.")
      }
    }
    return contents(of: path)
  }
}

extension BatchDelete {
  func ours(on path: String, _ watch: inout Stopwatch) throws -> UInt64 {
    do {
      let service = try openService(path)
      defer { try? service.close() }
      try watch.time { _ = try service.execute(Player.where(\.age < 46).delete()) }
    }
    return contents(of: path)
  }
}
