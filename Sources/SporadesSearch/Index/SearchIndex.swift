// SPDX-License-Identifier: MIT
import SporadesModel
import SporadesSQL
import SporadesSQLite
import SporadesStore

/// The indexes of one store, which change in the same transactions as the rows.
///
/// Rules:
/// 1. Triggers note the key of each row whose texts change, whoever writes. What a transaction of this process has noted is
///    indexed before its commit, so that its own writes leave no key behind.
/// 2. Before each answer, the keys that others noted are indexed, some thousand in a transaction.
/// 3. An index whose tables, triggers or definition are others than expected, or whose making was not finished, is made
///    again before the first answer.
/// 4. A search commits nothing. Beside accepted changes it reads the texts where the index is missing, and their commit begins
///    the making.
final class SearchIndex: StoreCompanion {
  let tables: SearchTables
  // What follows names an index by the number of its table's root entity.
  /// The numbers of the schemas in which each index was as expected.
  private let known = Guarded<[Int: Int64]>([:])
  /// The indexes that this process keeps in step.
  private let kept = Guarded<Set<Int>>([])
  /// The indexes in which a search met damage.
  private let distrusted = Guarded<Set<Int>>([])
  /// The number of changes on the writing connection at the end of the last commit.
  private let settledChanges = Guarded<Int64>(0)
  /// The missing indexes that a search asked for beside accepted changes. The commit of these makes their tables.
  private let wanted = Guarded<Set<Int>>([])

  init(of store: SQLiteStore) { tables = SearchTables(store.layout, store.model) }

  /// The indexes of a store.
  static func of(_ store: SQLiteStore) -> SearchIndex {
    store.companion { SearchIndex(of: store) }
  }

  /// Leaves the indexes as they are until the next search.
  func stopKeeping() {
    kept.withLock { $0 = [] }
    wanted.withLock { $0 = [] }
    known.withLock { $0 = [:] }
  }

  func distrust() {
    stopKeeping()
    distrusted.withLock { $0 = tables.roots }
  }

  // MARK: - Before an answer

  /// Whether the index knows all texts that a view of the store shows. Where it does not, it is brought up to date first, if
  /// the store can be written. An index that is missing is not made beside accepted changes, unless they may be committed.
  func isReady(
    _ table: SearchTable, in store: SQLiteStore, _ view: StoreView, committingAccepted: Bool
  ) throws(StoreError) -> Bool {
    func isReady() throws(StoreError) -> Bool {
      try store.examine(view) { (connection) throws(StoreError) in
        try self.state(of: table, connection) == .ready
      }
    }
    guard try !isReady() else { return true }
    guard !store.isReadOnly else { return false }
    do throws(StoreError) {
      try bringUpToDate(table, in: store, committingAccepted: committingAccepted)
    } catch {
      // Whoever holds the lock, or a full disk, keeps nobody from searching: the texts themselves are read.
      guard [.busy, .full].contains(error.code) else { throw error }
      wanted.withLock { _ = $0.insert(table.root) }
      return false
    }
    // A kept state does not show what was indexed since, nor the committed one what was indexed beside accepted changes.
    return try isReady()
  }

  /// Indexes all that is noted, or makes the index. `progress` hears of each step of the making.
  func bringUpToDate(
    _ table: SearchTable, in store: SQLiteStore, committingAccepted: Bool,
    _ progress: IndexProgress? = nil
  ) throws(StoreError) {
    // Else the end of the first step would index all that is noted.
    kept.withLock { _ = $0.remove(table.root) }
    var wasDamaged = false
    // A bound, because others may take the index away again and again.
    for _ in 0..<Self.mostAttempts {
      let state: State
      do throws(StoreError) { state = try indexSome(table, in: store) } catch {
        guard error.code == .corrupt, !wasDamaged else { throw error }
        wasDamaged = true
        try makeAnew(table, in: store, committingAccepted: committingAccepted)
        continue
      }
      switch state {
      case .ready: return
      case .changed: break
      case .unmade: try makeAnew(table, in: store, committingAccepted: committingAccepted)
      case .unfinished:
        try fill(table, in: store, committingAccepted: committingAccepted, progress)
      }
    }
    throw StoreError(
      .busy,
      "Another process takes the search index of \(table.table.name) away while it is made. Search again."
    )
  }

  /// Indexes some rows whose keys are noted. An index that is ready is kept in step from now on. Returns the state before.
  private func indexSome(
    _ table: SearchTable, in store: SQLiteStore
  ) throws(StoreError) -> State {
    try store.maintain { (connection) throws(StoreError) -> State in
      let state = try self.state(of: table, connection)
      switch state {
      case .changed: try IndexWriter(table, connection).indexChanged(most: Self.step)
      case .ready: kept.withLock { _ = $0.insert(table.root) }
      case .unfinished, .unmade: break
      }
      return state
    }
  }

  private static let mostAttempts = 1_000_000
  /// The rows that one transaction indexes.
  private static let step: Int64 = 4_000

  func makeAnew(
    _ table: SearchTable, in store: SQLiteStore, committingAccepted: Bool
  ) throws(StoreError) {
    try store.rearrange(committingAccepted: committingAccepted) {
      (connection) throws(StoreError) in try makeTables(of: table, connection)
    }
  }

  private func makeTables(
    of table: SearchTable, _ connection: Connection
  ) throws(StoreError) {
    try IndexRemoval(connection).remove(table)
    for statement in table.creation { try connection.run(statement.sqlite) }
    try connection.write(table.set(next: 0))
    distrusted.withLock { _ = $0.remove(table.root) }
  }

  private func fill(
    _ table: SearchTable, in store: SQLiteStore, committingAccepted: Bool,
    _ progress: IndexProgress?
  ) throws(StoreError) {
    let last: Int64?
    do throws(StoreError) {
      last = try store.maintain { (connection) throws(StoreError) -> Int64? in
        try IndexWriter(table, connection).fill(most: Self.step)
      }
    } catch {
      guard case .constraint = error.code else { throw error }
      // Somebody turned the place back that the making had reached.
      return try makeAnew(table, in: store, committingAccepted: committingAccepted)
    }
    if let last { try progress?.tell(last) }
  }

  enum State: Sendable { case ready, changed, unfinished, unmade }

  /// The state of an index, as a connection shows it.
  private func state(
    of table: SearchTable, _ connection: Connection
  ) throws(StoreError) -> State {
    if distrusted.withLock({ $0.contains(table.root) }) { return .unmade }
    let schema = try connection.schemaNumber()
    if known.withLock({ $0[table.root] }) != schema {
      guard try IndexCheck(table, connection).isAsExpected() else { return .unmade }
      known.withLock { $0[table.root] = schema }
    }
    do throws(StoreError) { return try noted(in: table, connection) } catch {
      if error.isOfRequest { throw error }
      // A transaction that made the tables was rolled back, and others have made a schema of the same number.
      known.withLock { $0[table.root] = nil }
      return .unmade
    }
  }

  private func noted(
    in table: SearchTable, _ connection: Connection
  ) throws(StoreError) -> State {
    let statement = try connection.statement(table.statements.state)
    defer { statement.reset() }
    guard try statement.step(), !statement.isNull(0) else { return .unmade }
    if statement.integer(0) == SearchTable.unmade { return .unmade }
    if statement.integer(0) >= 0, statement.integer(1) == 0 { return .unfinished }
    return statement.integer(2) == 0 ? .ready : .changed
  }

  // MARK: - Before a commit

  func settle(_ connection: Connection) throws(StoreError) {
    for root in wanted.withLock({ wanted in
      defer { wanted = [] }
      return wanted
    }).sorted() {
      guard let table = tables[root] else { continue }
      try beginMaking(table, connection)
    }
    // All keys that this transaction noted, and some of those that others did: nobody waits for a commit because somebody else
    // has changed a million rows. What is left is indexed by later commits, and before the next answer.
    let own = connection.changeCount - settledChanges.withLock(\.self)
    for root in kept.withLock(\.self).sorted() {
      guard let table = tables[root] else { continue }
      try settle(table, most: Self.step + max(0, own), connection)
    }
    settledChanges.withLock { $0 = connection.changeCount }
  }

  /// Makes the tables of a missing index, which later searches fill.
  private func beginMaking(
    _ table: SearchTable, _ connection: Connection
  ) throws(StoreError) {
    try connection.write(SQLStatement("SAVEPOINT search"))
    do throws(StoreError) {
      if try state(of: table, connection) == .unmade {
        try makeTables(of: table, connection)
      }
      try connection.write(SQLStatement("RELEASE search"))
    } catch {
      // A search that finds nothing uncommitted makes the index, or tells why it cannot.
      try connection.run(SQLStatement("ROLLBACK TO search; RELEASE search"))
    }
  }

  /// A failure of the index itself does not keep the rows from being saved. The index is made again before the next answer.
  private func settle(
    _ table: SearchTable, most: Int64, _ connection: Connection
  ) throws(StoreError) {
    do throws(StoreError) {
      guard try noted(in: table, connection) == .changed else { return }
    } catch {
      if error.isOfRequest { throw error }
      // The tables are gone; the next search finds that out.
      return
    }
    try connection.write(SQLStatement("SAVEPOINT search"))
    do throws(StoreError) {
      try IndexWriter(table, connection).indexChanged(most: most)
      try connection.write(SQLStatement("RELEASE search"))
    } catch {
      try connection.run(SQLStatement("ROLLBACK TO search; RELEASE search"))
      if error.isOfRequest { throw error }
      try connection.write(table.set(next: SearchTable.unmade))
    }
  }
}

extension StoreError {
  /// The request failed, and not the index.
  var isOfRequest: Bool {
    switch code {
    case .full, .busy, .io, .interrupted, .cancelled, .timedOut, .readOnly, .moved, .closed: true
    default: false
    }
  }
}
