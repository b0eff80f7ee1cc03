// SPDX-License-Identifier: MIT

/// One kind of work, done by hand against SQLite's C functions and with Sporades.
///
/// Both sides begin with their own fresh copy of the same file, open it before the clock runs, do
/// the same work while it runs, and answer a checksum of what they read or of what is in the file
/// afterwards.
protocol Workload: SendableMetatype {
  /// The workload's name in the results.
  static var key: String { get }
  static var title: String { get }
  /// What is in the file at the beginning.
  static var start: Template { get }
  /// What is in the file of Sporades, where that has tables that raw statements do without.
  static var ourStart: Template { get }
  /// The longest time that Sporades may need in a full run; nil for work whose ratio alone counts.
  static var mostMilliseconds: Double? { get }

  init(_ sample: Sample)

  func raw(on path: String, _ watch: inout Stopwatch) throws -> UInt64
  func ours(on path: String, _ watch: inout Stopwatch) throws -> UInt64
}

extension Workload {
  static var mostMilliseconds: Double? { nil }
  static var ourStart: Template { start }
}

/// A prepared database file.
enum Template: String, CaseIterable {
  /// All teams, no player.
  case teams
  /// All teams and players.
  case players
  /// One order with all its lines, and their number in its row.
  case lines
  /// A row of each of many entities.
  case foreign
  /// All clubs, no account.
  case clubs
  /// All clubs and accounts.
  case accounts
  /// Rows of one entity, a million in a full run.
  case readings
  /// A tenth of them.
  case fewReadings
  /// As many runners as there are players, in a thousand teams and two hundred groups.
  case runners
  /// Tickets with two unique values, a quarter of a million in a full run.
  case tickets
  /// Stories with an index of their words that raw statements made.
  case stories
  /// The same stories with the index of Sporades.
  case searchedStories
  /// No story, and no index.
  case noStories
}

/// Measures the parts of a run that count.
struct Stopwatch {
  private(set) var parts: [(name: String, milliseconds: Double)] = []

  var total: Double { parts.reduce(0) { $0 + $1.milliseconds } }

  mutating func time<Output>(
    _ name: String = "", _ work: () throws -> Output
  ) rethrows -> Output {
    let start = ContinuousClock.now
    let output = try work()
    parts.append((name, milliseconds(since: start)))
    return output
  }
}

func milliseconds(since start: ContinuousClock.Instant) -> Double {
  (ContinuousClock.now - start) / .milliseconds(1)
}

/// A checksum that depends on the order of what it is fed.
struct Checksum {
  private(set) var value: UInt64 = 0xCBF2_9CE4_8422_2325

  mutating func add(_ number: Int) {
    value = (value ^ UInt64(truncatingIfNeeded: number)) &* 0x100_0000_01B3
  }
}
