// SPDX-License-Identifier: MIT
import SporadesSQL
import SporadesStore

/// Several connections that show one state of the file.
///
/// SQLite's own snapshots exist only in special builds. Without them, two readings of a helper's
/// `data_version` prove that it shows the state of the first connection. The helper takes one before the
/// first connection's transaction begins, and one inside its own transaction. Equal readings mean that no
/// process has committed in between.
struct Snapshot {
  private let first: Connection
  private let helpers: [Connection]

  init(_ first: Connection, _ helpers: [Connection]) {
    self.first = first
    self.helpers = helpers
  }

  /// Calls `body` with the first connection and the helpers that show its state.
  func read<Output>(
    _ body: ([Connection]) throws(StoreError) -> Output
  ) throws(StoreError) -> Output {
    guard !helpers.isEmpty else { return try body([first]) }
    var versions: [Int64] = []
    for helper in helpers { versions.append(try Self.version(helper)) }
    try Self.begin(first)
    defer { first.endRead() }
    var begun: [Connection] = []
    defer { for helper in begun { helper.endRead() } }
    var same: [Connection] = [first]
    for (helper, version) in zip(helpers, versions) {
      try helper.statement(StatementNumber(.beginRead), .begin).run()
      begun.append(helper)
      if try Self.version(helper) == version { same.append(helper) }
    }
    return try body(same)
  }

  /// A transaction shows the state at its first read.
  static func begin(_ connection: Connection) throws(StoreError) {
    try connection.statement(StatementNumber(.beginRead), .begin).run()
    _ = try version(connection)
  }

  private static func version(_ connection: Connection) throws(StoreError) -> Int64 {
    let statement = try connection.statement(StatementNumber(.dataVersion), .dataVersion)
    defer { statement.reset() }
    return try statement.step() ? statement.integer(0) : 0
  }
}
