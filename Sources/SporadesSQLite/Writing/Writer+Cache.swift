// SPDX-License-Identifier: MIT
import SporadesSQL
import SporadesStore

// A commit tells the cache of the readers which rows it changes.
extension Writer {
  /// Commits the open transaction.
  mutating func commitTransaction() throws(StoreError) {
    let commit = try connection.statement(StatementNumber(.commit), .commit)
    guard let rowCache, rowCache.isUsed else { return try commit.run() }
    // Nobody else can commit while this transaction is open, so that this is the state it began from.
    let former = LogState(of: connection)
    rowCache.willCommit(from: former, changing: touchedKeys())
    do throws(StoreError) {
      let frames = try connection.framesAfter { () throws(StoreError) in try commit.run() }
      rowCache.didCommit(Self.state(of: connection, after: former, frames))
    } catch {
      rowCache.didCommit(nil)
      throw error
    }
  }

  /// The state that a commit led to; nil if somebody else may have committed since.
  private static func state(
    of connection: Connection, after former: LogState?, _ frames: Int?
  ) -> LogState? {
    guard let former, let state = LogState(of: connection) else { return nil }
    if state == former { return state }
    return frames.map { state.follows(former, byCommitting: $0) } == true ? state : nil
  }

  /// The keys of all rows that the open transaction changes; nil if they are not known.
  private mutating func touchedKeys() -> [Int64]? {
    // `try?`, because what cannot be asked is not known.
    guard let keys = connection.touchedKeys, (try? tellsAllChanges()) == true else { return nil }
    return keys
  }

  /// Whether SQLite tells each row that a statement changes in a table of the model, by its key.
  private mutating func tellsAllChanges() throws(StoreError) -> Bool {
    let schema = try ModelMark.schema(of: connection)
    if let lookedAt, lookedAt.schema == schema { return lookedAt.tellsAll }
    var tellsAll = try connection.number(.silentChanges) == 0
    for table in plan.layout.tables where tellsAll {
      let statement = SQLStatement(
        SQLStatement.otherRowNumbers.sql, [.text(table.name), .text(plan.layout.names.row.key)])
      tellsAll = try connection.number(statement) == 0
    }
    // The transaction itself may have changed the tables, which SQLite does not tell. The next one knows the schema.
    lookedAt = (schema, tellsAll)
    return false
  }
}
