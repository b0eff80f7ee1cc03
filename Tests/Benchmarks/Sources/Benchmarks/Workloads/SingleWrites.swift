// SPDX-License-Identifier: MIT
import Dispatch
import RawStore
import Sporades

/// One-object writes, each of which returns after its commit reached the disk.
struct SingleImmediate: Workload {
  static let key = "single_immediate"
  static let title = "one-object writes, each synced to disk"
  static let start = Template.teams
  let sample: Sample

  init(_ sample: Sample) { self.sample = sample }

  func raw(on path: String, _ watch: inout Stopwatch) -> UInt64 {
    rawSingleWrites(sample, on: path, synchronous: .full, &watch)
    return contents(of: path)
  }
}

/// One-object writes, until the last one has been reported as committed.
struct SingleEventual: Workload {
  static let key = "single_eventual"
  static let title = "one-object writes until the last is committed"
  static let start = Template.teams
  let sample: Sample

  init(_ sample: Sample) { self.sample = sample }

  func raw(on path: String, _ watch: inout Stopwatch) -> UInt64 {
    rawSingleWrites(sample, on: path, synchronous: .normal, &watch)
    return contents(of: path)
  }
}

/// A transaction per object, with every statement prepared once, also those around it.
private func rawSingleWrites(
  _ sample: Sample, on path: String, synchronous: RawDatabase.Synchronous,
  _ watch: inout Stopwatch
) {
  let database = RawDatabase(path, synchronous: synchronous)
  var keys = RawKeys(database)
  watch.time {
    let begin = database.prepare("BEGIN IMMEDIATE")
    let commit = database.prepare("COMMIT")
    let statement = database.prepare(RawPlayer.insertion)
    for player in sample.players.prefix(sample.scale.singles) {
      begin.run()
      var row = player
      row.id = keys.reserve(1)
      row.insert(with: statement)
      commit.run()
    }
  }
}

extension SingleImmediate {
  func ours(on path: String, _ watch: inout Stopwatch) throws -> UInt64 {
    do {
      let service = try openService(path)
      defer { try? service.close() }
      let teams = try service.teamIDs()
      try watch.time {
        for value in sample.players.prefix(sample.scale.singles) {
          try service.writeSync(durability: .immediate) { context in
            try create(value, teams, in: context)
          }.get()
        }
      }
    }
    return contents(of: path)
  }
}

extension SingleEventual {
  func ours(on path: String, _ watch: inout Stopwatch) throws -> UInt64 {
    do {
      let service = try openService(path)
      defer { try? service.close() }
      let teams = try service.teamIDs()
      let reported = DispatchGroup()
      try watch.time {
        for value in sample.players.prefix(sample.scale.singles) {
          reported.enter()
          try service.writeSync(
            { context in try create(value, teams, in: context) },
            completion: { _ in reported.leave() }
          ).get()
        }
        reported.wait()
      }
    }
    return contents(of: path)
  }
}

private func create(
  _ value: RawPlayer, _ teams: [Int64: ManagedObjectID], in context: ReportingContext
) throws {
  let player = Player.create(in: context)
  player.fill(from: value)
  player.team = try teams[value.team].map { try context.object(with: $0) } as? Team
}
