// SPDX-License-Identifier: MIT
import Dispatch
import Foundation
import ProbeTools
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
  /// A thread each, where a queue would share the few that it has.
  func raw(on path: String, _ watch: inout Stopwatch) -> UInt64 {
    let sums = Sums()
    let (ready, ended) = (DispatchGroup(), DispatchGroup())
    let start = DispatchSemaphore(value: 0)
    for work in (0..<Self.readers).map(steps) {
      ready.enter()
      ended.enter()
      Thread {
        Self.run(work, on: path, sums) {
          ready.leave()
          start.wait()
        }
        ended.leave()
      }.start()
    }
    ready.wait()
    watch.time {
      for _ in 0..<Self.readers { start.signal() }
      ended.wait()
    }
    return sums.total &+ contents(of: path)
  }

  /// A connection of the thread, with every statement prepared once.
  private static func run(
    _ steps: [Step], on path: String, _ sums: Sums, whenOpen wait: () -> Void
  ) {
    let database = RawDatabase(path, synchronous: .normal)
    let reading = database.prepare(
      RawPlayer.select + " WHERE ZTEAM = ?1 ORDER BY Z_PK LIMIT \(rowsPerRead)")
    let begin = database.prepare("BEGIN IMMEDIATE")
    let writing = database.prepare(
      "UPDATE ZPLAYER SET ZSCORE = ?1, Z_OPT = Z_OPT + 1 WHERE Z_PK = ?2")
    let commit = database.prepare("COMMIT")
    wait()
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
    sums.add(sum.value)
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
    let failed = Failed()
    let ended = DispatchSemaphore(value: 0)
    Task.detached {
      do {
        try await work()
      } catch {
        report("\(error)")
        failed.flag.store(true, ordering: .releasing)
      }
      ended.signal()
    }
    ended.wait()
    if failed.flag.load(ordering: .acquiring) { throw UsageError("A reader failed.") }
  }

  /// Whether a task failed, which has reported its error.
  private final class Failed: Sendable {
    let flag = Atomic(false)
  }
}

/// Adds up what the readers have read, in any order.
private final class Sums: Sendable {
  private let sum = Atomic<UInt64>(0)

  var total: UInt64 { sum.load(ordering: .acquiring) }
  func add(_ part: UInt64) { sum.wrappingAdd(part, ordering: .acquiringAndReleasing) }
}
