// SPDX-License-Identifier: MIT
import RawStore

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
