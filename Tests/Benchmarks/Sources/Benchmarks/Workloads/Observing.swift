// SPDX-License-Identifier: MIT
import Foundation
import ObserverBoard
import RawStore
import Sporades

/// A thousand observers of a team each, and writes to rows of another team.
///
/// The other side makes the same writes without observers.
struct ObserveUnrelated: Workload {
  static let key = "observe_unrelated"
  static let title = "1,000 observers, single writes that concern none"
  static let start = Template.runners
  let sample: Sample

  init(_ sample: Sample) { self.sample = sample }

  func raw(on path: String, _ watch: inout Stopwatch) throws -> UInt64 {
    try work(path, observers: 0, &watch)
  }

  func ours(on path: String, _ watch: inout Stopwatch) throws -> UInt64 {
    try work(path, observers: Int(RawRunner.teams) - 1, &watch)
  }

  /// The observed teams have numbers from 1 on, and the writes are in the team 0.
  private func work(
    _ path: String, observers: Int, _ watch: inout Stopwatch
  ) throws -> UInt64 {
    do {
      let service = try openService(path, [Runner.self])
      defer { try? service.close() }
      let ids = try service.runners(where: \.team == 0)
      let board = Board((0..<observers).map { service.names(of: \.team == $0 + 1) })
      try watch.time {
        for number in 0..<sample.scale.observedWrites {
          try service.rename(ids[number % ids.count], number, .immediate)
        }
      }
      withExtendedLifetime(board) {}
    }
    return Runners.contents(of: path)
  }
}

/// A thousand observers of a team each, and writes of observed rows, until the observer has the new value.
///
/// The other side makes the same writes, and asks the observer's question again, by the index.
struct ObserveOne: Workload {
  static let key = "observe_one"
  static let title = "1,000 observers, single writes until the observer has its value"
  static let start = Template.runners
  let sample: Sample

  init(_ sample: Sample) { self.sample = sample }

  func raw(on path: String, _ watch: inout Stopwatch) throws -> UInt64 {
    do {
      let service = try openService(path, [Runner.self])
      defer { try? service.close() }
      let ids = try service.runners(where: \.team > 0)
      let database = RawDatabase(path)
      let question = database.prepare("SELECT ZNAME FROM ZRUNNER WHERE ZTEAM = ?1 ORDER BY Z_PK")
      try watch.time {
        for number in 0..<sample.scale.observedWrites {
          let id = ids[number * 37 % ids.count]
          try service.rename(id, number, .immediate)
          question.bind(1, id.key.primaryKey % RawRunner.teams)
          var names: [String] = []
          while question.step() { names.append(question.text(0)) }
          question.reset()
          precondition(names.contains("New \(number)"), "The question does not show the write.")
        }
      }
    }
    return Runners.contents(of: path)
  }

  func ours(on path: String, _ watch: inout Stopwatch) throws -> UInt64 {
    do {
      let service = try openService(path, [Runner.self])
      defer { try? service.close() }
      let ids = try service.runners(where: \.team > 0)
      let board = Board((1..<Int(RawRunner.teams)).map { service.names(of: \.team == $0) })
      try watch.time {
        for number in 0..<sample.scale.observedWrites {
          let id = ids[number * 37 % ids.count]
          try service.rename(id, number, .immediate)
          let place = Int(id.key.primaryKey % RawRunner.teams) - 1
          board.wait { $0[place]?.contains("New \(number)") == true }
        }
      }
    }
    return Runners.contents(of: path)
  }
}

/// A hundred observers of five hundred rows each, and writes of two rows of each, until all have what concerns them.
///
/// The other side makes the same writes, and asks the question of the concerned observer again after each.
struct ObserveHundred: Workload {
  static let key = "observe_hundred"
  static let title = "100 observers of 500 rows, 200 writes until all have their values"
  static let start = Template.runners
  static let mostMilliseconds: Double? = 100
  let sample: Sample

  init(_ sample: Sample) { self.sample = sample }

  private static let observers = 100

  func raw(on path: String, _ watch: inout Stopwatch) throws -> UInt64 {
    do {
      let database = RawDatabase(path)
      let begin = database.prepare("BEGIN IMMEDIATE")
      let commit = database.prepare("COMMIT")
      let update = database.prepare(
        "UPDATE ZRUNNER SET ZNAME = 'New ' || ?2, Z_OPT = Z_OPT + 1 WHERE Z_PK = ?1")
      let question = database.prepare("SELECT ZNAME FROM ZRUNNER WHERE ZGROUP = ?1 ORDER BY Z_PK")
      watch.time {
        for number in 0..<2 * Self.observers {
          begin.run()
          update.bind(1, Self.row(number))
          update.bind(2, Int64(number))
          update.run()
          commit.run()
          question.bind(1, Self.row(number) % RawRunner.groups)
          var renamed = 0
          while question.step() { if question.text(0).hasPrefix("New") { renamed += 1 } }
          question.reset()
          precondition(renamed > 0, "The question does not show the write.")
        }
      }
    }
    return Runners.contents(of: path)
  }

  func ours(on path: String, _ watch: inout Stopwatch) throws -> UInt64 {
    do {
      let service = try openService(path, [Runner.self])
      defer { try? service.close() }
      let ids = try service.runners(where: \.group < Self.observers)
      let byKey = Dictionary(uniqueKeysWithValues: ids.map { ($0.key.primaryKey, $0) })
      let board = Board(
        (0..<Self.observers).map { group in
          service.observe(
            Runner.where(\.group == group),
            mapping: { $0.reduce(0) { $0 + ($1.name.hasPrefix("New") ? 1 : 0) } })
        })
      try watch.time {
        for number in 0..<2 * Self.observers {
          guard let id = byKey[Self.row(number)] else {
            preconditionFailure("A runner is missing.")
          }
          try service.rename(id, number, .eventual)
        }
        board.wait { $0.allSatisfy { $0 == 2 } }
      }
    }
    return Runners.contents(of: path)
  }

  /// Two rows of each group, one of them behind all those of the first round.
  private static func row(_ number: Int) -> Int64 {
    Int64(number % observers) + RawRunner.groups * Int64(1 + number / observers)
  }
}

/// One observer of the hundred best, and changes of scores anywhere.
///
/// The other side writes by hand, and asks the question again after each change, by the index.
struct ObserveSorted: Workload {
  static let key = "observe_sorted"
  static let title = "the 100 best of 100,000, scores change until the value is right"
  static let start = Template.runners
  let sample: Sample

  init(_ sample: Sample) { self.sample = sample }

  private static let shown = 100

  func raw(on path: String, _ watch: inout Stopwatch) throws -> UInt64 {
    var best: [Double] = []
    do {
      let database = RawDatabase(path)
      let begin = database.prepare("BEGIN IMMEDIATE")
      let commit = database.prepare("COMMIT")
      let update = database.prepare(
        "UPDATE ZRUNNER SET ZSCORE = ?2, Z_OPT = Z_OPT + 1 WHERE Z_PK = ?1")
      let question = database.prepare(
        "SELECT ZNAME, ZSCORE FROM ZRUNNER ORDER BY ZSCORE DESC, Z_PK LIMIT \(Self.shown)")
      watch.time {
        for (row, score) in changes {
          begin.run()
          update.bind(1, row)
          update.bind(2, score)
          update.run()
          commit.run()
          var names: [String] = []
          best = []
          while question.step() {
            names.append(question.text(0))
            best.append(question.real(1))
          }
          question.reset()
        }
      }
    }
    return sum(best, path)
  }

  func ours(on path: String, _ watch: inout Stopwatch) throws -> UInt64 {
    let expected = expected()
    do {
      let service = try openService(path, [Runner.self])
      defer { try? service.close() }
      let ids = try service.runners(where: \.team >= 0)
      let board = Board([
        service.observe(
          Runner.sorted(by: .descending(\.score)).limit(Self.shown),
          mapping: { $0.map { Standing(name: $0.name, score: $0.score) } })
      ])
      try watch.time {
        for (row, score) in changes {
          try service.writeSync { context in
            let runner = try context.object(with: ids[Int(row) - 1]) as? Runner
            runner?.score = score
          }.get()
        }
        board.wait { $0[0]?.map(\.score) == expected }
      }
    }
    return sum(expected, path)
  }

  private struct Standing: Sendable {
    let name: String
    let score: Double
  }

  /// Scores of random rows, which are not far above or below the others.
  var changes: [(row: Int64, score: Double)] {
    var random = SeededGenerator(seed: 20_261_123)
    return (0..<sample.scale.observedWrites * 10).map { _ in
      (
        Int64.random(in: 1...Int64(sample.scale.players), using: &random),
        Double.random(in: 0..<1_000, using: &random)
      )
    }
  }

  /// The best scores after all changes.
  private func expected() -> [Double] {
    var scores = sample.players.map(\.score)
    for (row, score) in changes { scores[Int(row) - 1] = score }
    return Array(scores.sorted(by: >).prefix(Self.shown))
  }

  private func sum(_ best: [Double], _ path: String) -> UInt64 {
    var sum = Checksum()
    for score in best { sum.add(Int(truncatingIfNeeded: score.bitPattern)) }
    sum.add(Int(truncatingIfNeeded: Runners.contents(of: path)))
    return sum.value
  }
}

private enum Runners {
  static func contents(of path: String) -> UInt64 {
    var sum = Checksum()
    for number in RawRunner.contents(RawDatabase(path)) { sum.add(Int(number)) }
    return sum.value
  }
}

extension DALService {
  /// The ids of runners, in the order of their keys.
  fileprivate func runners(
    where condition: TypedPredicate<Runner>
  ) throws -> [ManagedObjectID] { try readValue { try Runner.where(condition).ids(in: $0) } }

  fileprivate func names(of condition: TypedPredicate<Runner>) -> ObservedValues<[String]> {
    observe(Runner.where(condition), mapping: { $0.map(\.name) })
  }

  fileprivate func rename(
    _ id: ManagedObjectID, _ number: Int, _ durability: Durability
  ) throws {
    try writeSync(durability: durability) { context in
      let runner = try context.object(with: id) as? Runner
      runner?.name = "New \(number)"
    }.get()
  }
}
