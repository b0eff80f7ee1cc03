// SPDX-License-Identifier: MIT
import Dispatch
import Foundation
import RawStore
import Sporades
import SporadesHistory

/// All players created in one write of a store with a history.
struct HistoryWrite: Workload {
  static let key = "history_write"
  static let title = "create all players in one write, with history"
  static let start = Template.teams
  let sample: Sample

  init(_ sample: Sample) { self.sample = sample }

  func raw(on path: String, _ watch: inout Stopwatch) throws -> UInt64 {
    try History.turnOn(path)
    do {
      let database = RawDatabase(path)
      var keys = RawKeys(database)
      var history = RawHistory(database)
      let teams = Set(sample.players.map(\.team)).sorted()
      watch.time {
        database.execute("BEGIN IMMEDIATE")
        let first = keys.reserve(sample.players.count)
        var change = history.begin(
          at: Date().timeIntervalSinceReferenceDate, changes: sample.players.count + teams.count)
        let statement = database.prepare(RawPlayer.insertion)
        for (offset, player) in sample.players.enumerated() {
          var row = player
          row.id = first + Int64(offset)
          row.insert(with: statement)
          history.add(change, player: row.id)
          change += 1
        }
        for team in teams {
          history.add(change, team: team)
          change += 1
        }
        database.execute("COMMIT")
      }
    }
    return History.contents(of: path)
  }

  func ours(on path: String, _ watch: inout Stopwatch) throws -> UInt64 {
    try History.turnOn(path)
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
    return History.contents(of: path)
  }
}

/// One-object writes into a store with a history, until the last one has been reported as committed.
struct SingleEventualHistory: Workload {
  static let key = "single_eventual_history"
  static let title = "one-object writes with history until the last is committed"
  static let start = Template.teams
  let sample: Sample

  init(_ sample: Sample) { self.sample = sample }

  func raw(on path: String, _ watch: inout Stopwatch) throws -> UInt64 {
    try History.turnOn(path)
    do {
      let database = RawDatabase(path)
      var keys = RawKeys(database)
      var history = RawHistory(database)
      watch.time {
        let begin = database.prepare("BEGIN IMMEDIATE")
        let commit = database.prepare("COMMIT")
        let statement = database.prepare(RawPlayer.insertion)
        for player in sample.players.prefix(sample.scale.singles) {
          begin.run()
          var row = player
          row.id = keys.reserve(1)
          row.insert(with: statement)
          let change = history.begin(at: Date().timeIntervalSinceReferenceDate, changes: 2)
          history.add(change, player: row.id)
          history.add(change + 1, team: row.team)
          commit.run()
        }
      }
    }
    return History.contents(of: path)
  }

  func ours(on path: String, _ watch: inout Stopwatch) throws -> UInt64 {
    try History.turnOn(path)
    do {
      let service = try openService(path)
      defer { try? service.close() }
      let teams = try service.teamIDs()
      let reported = DispatchGroup()
      try watch.time {
        for value in sample.players.prefix(sample.scale.singles) {
          reported.enter()
          try service.writeSync(
            { context in
              let player = Player.create(in: context)
              player.fill(from: value)
              player.team = try teams[value.team].map { try context.object(with: $0) } as? Team
            }, completion: { _ in reported.leave() }
          ).get()
        }
        reported.wait()
      }
    }
    return History.contents(of: path)
  }
}

/// The changes of all players read after a token, a thousand of them in a transaction.
struct HistoryRead: Workload {
  static let key = "history_read"
  static let title = "read the changes of all players after a token"
  static let start = Template.teams
  let sample: Sample

  init(_ sample: Sample) { self.sample = sample }

  func raw(on path: String, _ watch: inout Stopwatch) throws -> UInt64 {
    try fill(path)
    let database = RawDatabase(path)
    var sum = Checksum()
    watch.time {
      RawHistory.read(database, after: 1) { kind, entity, row, transaction in
        sum.add(Int(kind))
        sum.add(Int(entity))
        sum.add(Int(row))
        sum.add(Int(transaction))
      }
    }
    return sum.value
  }

  func ours(on path: String, _ watch: inout Stopwatch) throws -> UInt64 {
    try fill(path)
    let service = try openService(path)
    defer { try? service.close() }
    let stack = try service.stack()
    let token = PersistentHistoryToken([stack.store.identifier: 1])
    var sum = Checksum()
    try watch.time {
      let news = try stack.newContext().performAndWait { context in
        try context.execute(.fetchHistory(after: token)).transactions
      }
      for transaction in news {
        for change in transaction.changes ?? [] {
          sum.add(change.changeType.rawValue)
          sum.add(change.changedObjectID.key.entity)
          sum.add(Int(change.changedObjectID.key.primaryKey))
          sum.add(Int(transaction.transactionNumber))
        }
      }
    }
    return sum.value
  }

  /// A first transaction, which the token names, and one for each thousand players.
  private func fill(_ path: String) throws {
    try History.turnOn(path)
    let database = RawDatabase(path)
    var keys = RawKeys(database)
    var history = RawHistory(database)
    database.execute("BEGIN IMMEDIATE")
    _ = history.begin(at: 0, changes: 0)
    for start in stride(from: 0, to: sample.players.count, by: 1_000) {
      let count = min(1_000, sample.players.count - start)
      let first = keys.reserve(count)
      let change = history.begin(at: Double(start), changes: count)
      for offset in 0..<Int64(count) { history.add(change + offset, player: first + offset) }
    }
    database.execute("COMMIT")
  }
}

private enum History {
  /// Makes the tables of the history, before the clock runs.
  static func turnOn(_ path: String) throws {
    var options = SQLiteStoreOptions()
    options.persistentHistory = .on
    try SQLiteStore(
      path: path, model: ManagedObjectModel([Player.self, Team.self]), options: options
    ).close()
  }

  /// A checksum of the players and of the history.
  static func contents(of path: String) -> UInt64 {
    var sum = Checksum()
    sum.add(Int(truncatingIfNeeded: Benchmarks.contents(of: path)))
    let database = RawDatabase(path)
    for number in RawHistory.contents(database) { sum.add(Int(number)) }
    return sum.value
  }
}
