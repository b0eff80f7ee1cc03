// SPDX-License-Identifier: MIT
import Dispatch
import Foundation
import RawStore
import Sporades
import Synchronization

/// Four readers at once. Each reads the players of a team, fifty at a time, and after nineteen reads
/// changes one player on average.
struct MixedReads: Workload {
  static let key = "mixed_reads"
  static let title = "four readers: 95 % reads of 50 rows, 5 % one-object writes"
  static let start = Template.players
  static let readers = 4
  static let rowsPerRead = 50
  let sample: Sample

  init(_ sample: Sample) { self.sample = sample }

  /// What one reader does, in its order. No two readers write the same player, so that the file ends
  /// alike whoever comes first.
  func steps(_ reader: Int) -> [Step] {
    var random = SeededGenerator(seed: UInt64(reader) + 1)
    let (players, readers) = (sample.players.count, Self.readers)
    return (0..<sample.scale.mixed).map { _ in
      guard Int.random(in: 0..<20, using: &random) == 0 else {
        return .read(team: Int64.random(in: 1...Int64(sample.teams.count), using: &random))
      }
      let turn = Int.random(in: 0..<players / readers, using: &random)
      return .write(
        player: Int64(turn * readers + reader + 1),
        score: Double.random(in: 0..<1_000, using: &random))
    }
  }

  enum Step {
    case read(team: Int64)
    case write(player: Int64, score: Double)
  }
}

/// What a reader has read, so that no read can be left out.
struct ReadSum {
  private(set) var value: UInt64 = 0

  /// Scores are left out, because others change them meanwhile.
  mutating func add(
    _ first: String, _ last: String, _ email: String, _ age: Int, _ isActive: Bool, _ date: Double
  ) {
    let texts = first.utf8.count + last.utf8.count * 3 + email.utf8.count * 7
    value &+= UInt64(texts + age * 11 + (isActive ? 13 : 0)) &+ UInt64(date)
  }
}

// MARK: - SQLite's C functions

extension MixedReads {
  func raw(on path: String, _ watch: inout Stopwatch) -> UInt64 {
    let connections = (0..<Self.readers).map { _ in RawConnection(path) }
    let work = (0..<Self.readers).map(steps)
    let sums = Sums()
    watch.time {
      let ended = DispatchGroup()
      for (connection, steps) in zip(connections, work) {
        ended.enter()
        // A thread each, where a queue would share the few that it has.
        Thread {
          sums.add(connection.run(steps))
          ended.leave()
        }.start()
      }
      ended.wait()
    }
    return sums.total &+ contents(of: path)
  }

  /// A connection of one thread, with every statement prepared once.
  private final class RawConnection: @unchecked Sendable {
    // @unchecked: one thread at a time uses it.
    private let database: RawDatabase
    private let reading: RawStatement
    private let begin: RawStatement
    private let writing: RawStatement
    private let commit: RawStatement

    init(_ path: String) {
      database = RawDatabase(path, synchronous: .normal)
      database.execute("PRAGMA busy_timeout=10000")
      reading = database.prepare(
        RawPlayer.select + " WHERE ZTEAM = ?1 ORDER BY Z_PK LIMIT \(MixedReads.rowsPerRead)")
      begin = database.prepare("BEGIN IMMEDIATE")
      writing = database.prepare(
        "UPDATE ZPLAYER SET ZSCORE = ?1, Z_OPT = Z_OPT + 1 WHERE Z_PK = ?2")
      commit = database.prepare("COMMIT")
    }

    func run(_ steps: [Step]) -> UInt64 {
      var sum = ReadSum()
      for step in steps {
        switch step {
        case .read(let team):
          reading.bind(1, team)
          for player in RawPlayer.all(reading) {
            sum.add(
              player.firstName, player.lastName, player.email, Int(player.age), player.isActive,
              player.createdAt)
          }
        case .write(let player, let score):
          begin.run()
          writing.bind(1, score)
          writing.bind(2, player)
          writing.run()
          commit.run()
        }
      }
      return sum.value
    }
  }
}

// MARK: - Sporades

extension MixedReads {
  func ours(on path: String, _ watch: inout Stopwatch) throws -> UInt64 {
    let sums = Sums()
    do {
      let service = try openService(path)
      defer { try? service.close() }
      let teams = try service.teamIDs()
      let players = try service.ids(sample.players.map(\.id))
      let work = (0..<Self.readers).map(steps)
      try watch.time {
        try waiting {
          try await withThrowingTaskGroup(of: UInt64.self) { group in
            for steps in work {
              group.addTask { try await Self.run(steps, service, teams, players) }
            }
            for try await sum in group { sums.add(sum) }
          }
        }
      }
    }
    return sums.total &+ contents(of: path)
  }

  private static func run(
    _ steps: [Step], _ service: DALService, _ teams: [Int64: ManagedObjectID],
    _ players: [ManagedObjectID]
  ) async throws -> UInt64 {
    var sum: UInt64 = 0
    for step in steps {
      switch step {
      case .read(let team):
        let request = FetchRequest(
          "Player", where: .compare("team", .equal, teams[team]),
          limit: rowsPerRead)
        sum &+= try await service.read { context in
          var sum = ReadSum()
          for player in try context.fetch(Player.self, request) {
            sum.add(
              player.firstName, player.lastName, player.email, player.age, player.active,
              player.createdAt.timeIntervalSinceReferenceDate)
          }
          return sum.value
        }
      case .write(let player, let score):
        let id = players[Int(player) - 1]
        try await service.write { context in
          let player = try context.existingObject(with: id) as? Player
          player?.score = score
        }
      }
    }
    return sum
  }

  /// Blocks until the tasks have ended.
  private func waiting(_ work: @escaping @Sendable () async throws -> Void) throws {
    let outcome = Outcome()
    let ended = DispatchSemaphore(value: 0)
    Task.detached {
      do { try await work() } catch { outcome.fail(error) }
      ended.signal()
    }
    ended.wait()
    try outcome.get()
  }

  /// How the tasks ended.
  private final class Outcome: @unchecked Sendable {
    // @unchecked: read after the semaphore that the writing task signals.
    private var failure: (any Error)?

    func fail(_ error: any Error) { failure = error }
    func get() throws { if let failure { throw failure } }
  }
}

/// Adds up what the readers have read, in any order.
private final class Sums: Sendable {
  private let sum = Mutex<UInt64>(0)

  var total: UInt64 { sum.withLock { $0 } }
  func add(_ part: UInt64) { sum.withLock { $0 &+= part } }
}
