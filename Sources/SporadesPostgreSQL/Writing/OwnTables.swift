// SPDX-License-Identifier: MIT
import SporadesModel
import SporadesSQL
import SporadesStore

/// The tables that a store makes, with its own beside them.
final class OwnTables: WrittenTables {
  let layout: ServerLayout
  let dialect: PostgreSQLDialect
  var keepsBooks: Bool { true }
  private static let names = ServerLayout.names.counters
  /// The number of keys that the smallest block has.
  private static let blockSize = 256

  /// The dialect knows the tables that a migration has given other names.
  init(_ layout: ServerLayout, _ dialect: PostgreSQLDialect = PostgreSQLDialect()) {
    (self.layout, self.dialect) = (layout, dialect)
  }

  func place(ofEntity number: Int) -> String {
    dialect.quoted(layout.layout.table(ofEntity: number).name)
  }

  func version(of key: RowKey, _ stored: Int64) -> Int64 { stored }

  func refusal(_ error: StoreError) -> StoreError? { nil }

  // MARK: - Keys

  func takeKeys(
    _ count: Int, ofRoot root: Int, over connections: ServerPool
  ) throws(StoreError) -> Range<Int64> {
    let size = max(Int64(count), Int64(Self.blockSize))
    guard size <= RowKey.largestPrimaryKey else { throw lack(root) }
    let last = try raise(root, by: "k.\(Self.names.maximum) + $2", size, over: connections)
    guard last <= RowKey.largestPrimaryKey else { throw lack(root) }
    return last - size + 1..<last + 1
  }

  func coverKey(
    _ largest: Int64, ofRoot root: Int, over connections: ServerPool
  ) throws(StoreError) -> Int64 {
    try raise(root, by: "GREATEST(k.\(Self.names.maximum), $2)", largest, over: connections)
  }

  /// Raises the counter of a tree, which begins with the number. Returns the largest key that it covers then.
  private func raise(
    _ root: Int, by change: String, _ number: Int64, over connections: ServerPool
  ) throws(StoreError) -> Int64 {
    let (names, entity) = (Self.names, layout.model.shape(numbered: root).name)
    let answer = try connections.readKeys { (connection) throws(StoreError) in
      try connection.run(
        """
        INSERT INTO \(names.table) AS k (\(names.entity), \(names.maximum)) VALUES ($1, $2) \
        ON CONFLICT (\(names.entity)) DO UPDATE SET \(names.maximum) = \(change) RETURNING \(names.maximum)
        """, [.text(entity), .int8(number)])
    }
    guard let largest = answer.integer(0, 0) else {
      throw StoreError(
        .corrupt,
        "\(names.table) has no number of keys for \(entity). Set it to the largest key.")
    }
    return largest
  }

  private func lack(_ root: Int) -> StoreError {
    StoreError(
      .full,
      "\(layout.model.shape(numbered: root).name) has no keys left: the largest key is \(RowKey.largestPrimaryKey), and an "
        + "object has a key near it.")
  }

  // MARK: - Writes

  func write(
    _ changes: ChangeSet, isFirst: Bool, by writer: inout ServerWriter
  ) throws(StoreError) {
    try writer.writeOwn(changes, isFirst: isFirst)
  }

  func note(_ outcome: WriteOutcome) {}

  /// A row that somebody removed is made again, since the commit would not be found without it.
  func sendNumber(
    _ number: Int64, _ durability: Durability, by writer: ServerWriter
  ) throws(StoreError) {
    try writer.connection.send(
      Self.numbering, [writer.clientValue, .int8(number), .int8(writer.plan.migrations)])
  }

  /// A store that was migrated since refuses the number by a cast that fails, since a server has no other way to fail without a
  /// function of ours.
  private static let numbering = """
    INSERT INTO \(ServerLayout.clients) (id, last_write) VALUES ($1, (SELECT CASE migrations WHEN $3 THEN $2 \
    ELSE ('migrations: ' || migrations)::bigint END FROM \(ServerLayout.names.metadata.table))) \
    ON CONFLICT (id) DO UPDATE SET last_write = excluded.last_write, seen = now()
    """

  func settle(_ number: Int64, by writer: inout ServerWriter) throws(StoreError) {
    let answer = try writer.connection.run(
      "SELECT last_write FROM \(ServerLayout.clients) WHERE id = $1 FOR UPDATE",
      [writer.clientValue])
    // The next commit asks the server's disk for this one, too.
    if answer.count == 1, answer.integer(0, 0) == number { writer.noteCommit(number, .eventual) }
  }
}
