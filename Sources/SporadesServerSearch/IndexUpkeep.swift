// SPDX-License-Identifier: MIT
import SporadesModel
import SporadesPostgreSQL
import SporadesSQL
import SporadesSearch
import SporadesStore

/// Makes an index, and indexes what is noted. Whoever does it has a lock on the index's state, so that no older text of a row
/// comes behind a newer one.
struct IndexUpkeep {
  private let store: PostgreSQLStore
  private let table: ServerIndexTable

  init(_ store: PostgreSQLStore, _ table: ServerIndexTable) {
    (self.store, self.table) = (store, table)
  }

  private enum State { case ready, changed, unfinished, unmade, impossible }

  /// A bound, because others may take the index away again and again.
  private static let mostAttempts = 1_000_000
  /// The rows that one transaction indexes.
  private static let step = 2_000

  /// Returns false where this user or server does not allow it, or where others keep the table for themselves, or where the
  /// index is missing beside accepted changes that may not be committed. `progress` hears of each step of
  /// the making.
  func bringUpToDate(
    committingAccepted: Bool, _ progress: IndexProgress? = nil
  ) throws(StoreError) -> Bool {
    do throws(StoreError) {
      for _ in 0..<Self.mostAttempts {
        let state = try store.onPrimary { (connection) throws(StoreError) -> State in
          try self.state(connection)
        }
        switch state {
        case .ready: return true
        case .impossible: return false
        case .unmade:
          guard committingAccepted || !store.hasAccepted else { return false }
          try make(committingAccepted: committingAccepted)
        case .unfinished:
          if let last = try step(fill) { try progress?.tell(last) }
        case .changed:
          // Others may go on noting keys, which the answer then asks by themselves.
          if try step(indexChanged) == nil { return true }
        }
      }
    } catch {
      guard error.leavesSearchesToTexts else { throw error }
      return false
    }
    throw StoreError(
      .busy,
      "Another process takes the search index of \(table.name) away while it is made. Search again."
    )
  }

  // MARK: - State

  private func state(_ connection: ServerConnection) throws(StoreError) -> State {
    let triggers = table.triggers
    let there = try connection.run(
      """
      SELECT (\(table.areThere))::int, (SELECT count(*) FROM pg_trigger t JOIN pg_class c ON c.oid = t.tgrelid \
      JOIN unnest($1::text[], $2::text[]) AS w(name, tab) ON w.name = t.tgname::text AND w.tab = c.relname::text \
      WHERE c.relnamespace = current_schema()::regnamespace AND t.tgenabled IN ('O', 'A')), \
      (current_setting('server_encoding') = 'UTF8')::int
      """,
      [
        .list(.text, triggers.map { .text($0.name) }),
        .list(.text, triggers.map { .text($0.table) }),
      ])
    // Folded texts may have signs that the encodings of some languages lack.
    guard there.integer(0, 2) == 1 else { return .impossible }
    guard there.integer(0, 0) == 1, there.integer(0, 1) == Int64(triggers.count) else {
      return .unmade
    }
    let state = try connection.run(
      """
      SELECT (relation = \(table.relation))::int, (next IS NULL)::int, (\(table.hasNotes))::int FROM \(ServerIndexTable.states) \
      WHERE name = $1 AND definition = $2
      """, [.text(table.name), .text(table.definition)])
    guard state.count == 1, state.integer(0, 0) == 1 else { return .unmade }
    guard state.integer(0, 1) == 1 else { return .unfinished }
    return state.integer(0, 2) == 1 ? .changed : .ready
  }

  // MARK: - Making

  /// Makes the tables and triggers. The store's own transaction holds a lock that a trigger waits for, and ends before.
  private func make(committingAccepted: Bool) throws(StoreError) {
    if committingAccepted { try store.commit(.eventual) }
    try rearrange { (connection) throws(StoreError) in
      guard try state(connection) == .unmade else { return }
      for statement in table.removal + table.creation { try connection.run(statement) }
    }
  }

  /// Empties the index, so that its making begins again. States that others keep go on with the former words.
  func empty() throws(StoreError) {
    try rearrange { (connection) throws(StoreError) in
      // The next look at the index makes what is missing.
      guard try ![.unmade, .impossible].contains(state(connection)) else { return }
      for statement in table.emptying { try connection.run(statement) }
    }
  }

  private func rearrange(
    _ body: (ServerConnection) throws(StoreError) -> Void
  ) throws(StoreError) {
    try store.onPrimary { (connection) throws(StoreError) in
      connection.keepsStatements = false
      defer { connection.keepsStatements = true }
      try connection.transact { () throws(StoreError) in
        try connection.run("SELECT set_config('lock_timeout', '1s', true)")
        try connection.takeTurn(store.options.schema)
        try body(connection)
      }
    }
    store.noteSeen()
  }

  // MARK: - Steps

  /// Runs `body` in a transaction that has the lock on the index's state, with the place that its making has reached. Returns
  /// nil if nothing is left to do.
  private func step(
    _ body: (IndexWriter, Int64?) throws(StoreError) -> Int64?
  ) throws(StoreError) -> Int64? {
    defer { store.noteSeen() }
    return try store.onPrimary { (connection) throws(StoreError) in
      try connection.transact { () throws(StoreError) in
        let state = try connection.run(
          "SELECT next FROM \(ServerIndexTable.states) WHERE name = $1 FOR UPDATE",
          [.text(table.name)])
        // Somebody has taken the index away, which the next look at its state tells.
        guard state.count == 1 else { return 0 }
        return try body(IndexWriter(table, connection), state.integer(0, 0))
      }
    }
  }

  private func fill(_ writer: IndexWriter, _ next: Int64?) throws(StoreError) -> Int64? {
    guard let next else { return nil }
    return try writer.fill(behind: next, most: Self.step)
  }

  private func indexChanged(_ writer: IndexWriter, _ next: Int64?) throws(StoreError) -> Int64? {
    guard next == nil else { return 0 }
    return try writer.indexChanged(most: Self.step) < Self.step ? nil : 0
  }
}

extension StoreError {
  /// The user may not make tables or triggers, the server only reads, or others keep the table for themselves.
  fileprivate var leavesSearchesToTexts: Bool {
    ["42501", "25006", "55P03", "40P01"].contains(serverFailure?.state)
  }
}

extension ServerConnection {
  /// Runs `body` in a transaction each of whose statements sees what others have committed. A crash of the server may lose it as
  /// a whole.
  func transact<Output>(
    _ body: () throws(StoreError) -> Output
  ) throws(StoreError) -> Output {
    do throws(StoreError) {
      try run("BEGIN ISOLATION LEVEL READ COMMITTED")
      try run("SELECT set_config('synchronous_commit', 'off', true)")
      let output = try body()
      try run("COMMIT")
      return output
    } catch {
      // `try?`, because a connection that cannot roll back has ended, and its transaction with it.
      _ = try? run("ROLLBACK")
      throw error
    }
  }

  /// Waits until no other process makes or removes indexes of a schema.
  func takeTurn(_ schema: String) throws(StoreError) {
    try run(
      "SELECT pg_advisory_xact_lock(hashtextextended('sporades search ' || $1, 0))",
      [.text(schema)])
  }
}
