// SPDX-License-Identifier: MIT
import SporadesModel
import SporadesPlans
import SporadesPostgreSQL
import SporadesSQL
import SporadesStore

/// Tables that existed before the store, which adds none of its own to them.
///
/// No row tells which commits took place. The server knows the outcome of its last transactions.
final class ExistingTables: WrittenTables {
  let layout: ServerLayout
  let dialect: PostgreSQLDialect
  let mapping: MappedTables
  var keepsBooks: Bool { false }
  /// The versions of rows that the store has written.
  private let versions = RowVersions()
  private let last = Guarded(Last())

  /// What the last write was told.
  private struct Last {
    /// The transaction, by which the server is asked for it.
    var transaction: ServerTransaction?
    /// The server with the line of its log, and its start.
    var server: (name: String, start: String)?

    func name(ofServer start: String?) -> String? { server?.start == start ? server?.name : nil }
  }

  init(_ model: ManagedObjectModel, _ mapping: MappedTables) {
    layout = ServerLayout(model, mapping)
    dialect = PostgreSQLDialect(
      relations: mapping.relations, hasByteOrder: mapping.hasByteOrder)
    self.mapping = mapping
  }

  private func table(ofEntity number: Int) -> MappedTables.Table {
    mapping.tables[layout.layout.tablesByEntity[number - 1]]
  }

  func place(ofEntity number: Int) -> String { table(ofEntity: number).name.description }

  func version(of key: RowKey, _ stored: Int64) -> Int64 {
    let table = table(ofEntity: key.entity)
    guard table.version == nil, !table.isFilled else { return stored }
    return versions.version(
      of: key.inTree(layout.model.shape(numbered: key.entity).rootNumber), stored)
  }

  var planSources: [String: PlanNames.Source] { mapping.planSources(layout.model) }

  func refusal(_ error: StoreError) -> StoreError? { mapping.refusal(error, layout.model) }

  // MARK: - Keys

  func takeKeys(
    _ count: Int, ofRoot root: Int, over connections: ServerPool
  ) throws(StoreError) -> Range<Int64> {
    try SequenceKeys(table: table(ofEntity: root), connections: connections).take(count)
  }

  /// Whoever gives a row a key answers for it.
  func coverKey(
    _ largest: Int64, ofRoot root: Int, over connections: ServerPool
  ) throws(StoreError) -> Int64 { RowKey.largestPrimaryKey }

  // MARK: - Writes

  func write(
    _ changes: ChangeSet, isFirst: Bool, by writer: inout ServerWriter
  ) throws(StoreError) {
    let former = writer.hasSavepoint
    writer.hasSavepoint = false
    versions.begin()
    var planned = MappedTrip(plan: writer.plan, mapping: mapping, versions: versions)
    let refusal = planned.refusal(of: changes)
    let trip = planned
    let start = writer.connection.serverStart
    let known = last.withLock { $0.name(ofServer: start) }
    let (answers, error) = try writer.connection.exchange { (connection) throws(StoreError) in
      if isFirst {
        try connection.send("BEGIN")
      } else {
        // Readers slow down with many savepoints, so that only the last one stays.
        try connection.send(former ? "RELEASE SAVEPOINT change" : "SELECT 1")
        try connection.send("SAVEPOINT change")
        try connection.send("SET CONSTRAINTS ALL DEFERRED")
      }
      // The savepoint is there, to which the caller returns.
      if let refusal { throw refusal }
      if known == nil { try connection.send(ServerTransaction.serverQuestion) }
      try connection.send(ServerTransaction.numberQuestion)
      for statement in trip.statements { try connection.send(statement.sql, statement.values) }
      try connection.send("SET CONSTRAINTS ALL IMMEDIATE")
    }
    var rest = answers.dropFirst(isFirst ? 1 : 3)
    let name = known ?? rest.popFirst()?.text(0, 0)
    let number = rest.popFirst()?.text(0, 0)
    last.withLock { last in
      last.transaction = ServerTransaction(number: number, on: name, since: start)
      if let name, let start { last.server = (name, start) }
    }
    let conflicts = trip.conflicts(rest)
    guard conflicts.isEmpty else { throw StoreError(changedByOthers: conflicts) }
    if let error { throw error }
    trip.noteVersions(rest)
    writer.hasSavepoint = !isFirst
  }

  func note(_ outcome: WriteOutcome) {
    switch outcome {
    case .lastUndone: versions.undo()
    case .allUndone: versions.undoAll()
    case .committed: versions.keep()
    }
  }

  /// Makes sure that a commit of nothing waits for the disk, which has earlier commits too.
  func sendNumber(
    _ number: Int64, _ durability: Durability, by writer: ServerWriter
  ) throws(StoreError) {
    guard durability == .immediate, writer.accepted.isEmpty else { return }
    try writer.connection.send("SELECT pg_logical_emit_message(true, 'sporades', '')")
  }

  /// Where the server does not tell, the change sets are given up: done again, they might be done twice.
  func settle(_ number: Int64, by writer: inout ServerWriter) throws(StoreError) {
    let deadline = ContinuousClock.now + writer.source.options.reconnectTimeout
    let transaction = last.withLock(\.transaction)
    switch try transaction?.outcome(over: writer.connection, until: deadline) ?? .unknown {
    case .undone: break
    case .committed: writer.noteCommit(number, .eventual)
    case .unknown:
      let reason = StoreError.unclear(at: writer.connection.place)
      writer.losses += writer.accepted.map { LostChanges($0, reason) }
      writer.accepted = []
      // If they took place, the rows have the versions that contexts show.
      versions.keep()
    }
  }
}
