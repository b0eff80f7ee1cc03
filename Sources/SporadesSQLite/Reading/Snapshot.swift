// SPDX-License-Identifier: MIT
import SporadesSQL
import SporadesStore

/// Several connections that show one state of the file.
///
/// SQLite lets connections share a state only where it was built for that. Without, a helper whose
/// `data_version` is the same before the first connection's transaction began and inside its own
/// has seen no commit in between, by this process or another, and so shows what the first shows.
struct Snapshot {
  private let first: Connection
  private let helpers: [Connection]

  init(_ first: Connection, _ helpers: [Connection]) {
    self.first = first
    self.helpers = helpers
  }

  /// Calls `body` with the first connection and the helpers that show the same.
  func read<Output>(
    _ body: ([Connection]) throws(StoreError) -> Output
  ) throws(StoreError) -> Output {
    guard !helpers.isEmpty else { return try body([first]) }
    var versions: [Int64] = []
    for helper in helpers { versions.append(try Self.version(helper)) }
    try Self.begin(first)
    defer { Self.end(first) }
    var begun: [Connection] = []
    defer { for helper in begun { Self.end(helper) } }
    var same: [Connection] = [first]
    for (helper, version) in zip(helpers, versions) {
      try helper.run(.begin)
      begun.append(helper)
      if try Self.version(helper) == version { same.append(helper) }
    }
    return try body(same)
  }

  /// A transaction shows the state of its first read.
  static func begin(_ connection: Connection) throws(StoreError) {
    try connection.run(.begin)
    _ = try version(connection)
  }

  private static func version(_ connection: Connection) throws(StoreError) -> Int64 {
    let statement = try connection.statement(.dataVersion)
    defer { statement.reset() }
    return try statement.step() ? statement.integer(0) : 0
  }

  static func end(_ connection: Connection) {
    // It wrote nothing; where SQLite has ended it by itself, there is nothing left to end.
    try? connection.run(.rollback)
  }
}
