// SPDX-License-Identifier: MIT
import SporadesModel
import SporadesStore
import Synchronization

/// A connection that stays at one state of the store: an open read transaction, or a copy of a database in
/// memory.
///
/// SQLite restarts its log only after the last transaction that reads it ends, so the log grows meanwhile
/// (https://sqlite.org/wal.html#avoiding_excessively_large_wal_files).
final class KeptState: Sendable {
  private let transaction: ReadTransaction
  /// The pool that gets the connection back; nil for a copy in memory.
  private let pool: ReaderPool?

  init(_ transaction: ReadTransaction, of pool: ReaderPool? = nil) {
    self.transaction = transaction
    self.pool = pool
  }

  deinit {
    if let pool {
      pool.takeBack(transaction)
    } else {
      transaction.end()?.close()
    }
  }

  func read(_ body: (Connection) throws(StoreError) -> Void) throws(StoreError) {
    try transaction.read(body)
  }

  /// The rows that this state shares with others; nil if there are none. The connection is the one that ``read(_:)``
  /// passes.
  func sharedRows(_ connection: Connection) -> SharedRows? { transaction.sharedRows(connection) }
}

/// An open read transaction, which ends with its ``KeptState`` or when the store closes.
final class ReadTransaction: Sendable {
  private let connection: Guarded<Connection?>
  private let files: ExternalFiles?
  /// The number of the read, which delays the removal of files.
  private let reading: Int?
  private let rowCache: RowCache?
  /// The state that the transaction shows; nil if it is not known.
  private let state: LogState?
  /// The number of the state in the cache; negative before anybody asked.
  private let number = Atomic(-1)

  /// Begins the read of the files before the transaction, so that every file in the state stays.
  init(
    _ connection: Connection, _ files: ExternalFiles?, _ rowCache: RowCache?
  ) throws(StoreError) {
    self.connection = Guarded(connection)
    self.files = files
    self.rowCache = rowCache
    reading = files?.begin()
    // States follow each other and never come back, so the transaction shows the one that was the newest before and
    // after its beginning.
    let before = rowCache == nil ? nil : LogState(of: connection)
    do throws(StoreError) { try Snapshot.begin(connection) } catch {
      state = nil
      end()?.close()
      throw error
    }
    state = before == nil || LogState(of: connection) != before ? nil : before
  }

  /// The rows that this state shares with others; nil if the cache does not know the state.
  func sharedRows(_ connection: Connection) -> SharedRows? {
    guard let rowCache, let state else { return nil }
    let known = number.load(ordering: .relaxed)
    if known >= 0 { return SharedRows(cache: rowCache, number: known) }
    let found = rowCache.number(of: state) { LogState(of: connection) == state }
    guard let found else { return nil }
    number.store(found, ordering: .relaxed)
    return SharedRows(cache: rowCache, number: found)
  }

  func read(_ body: (Connection) throws(StoreError) -> Void) throws(StoreError) {
    try connection.withLock { (connection) throws(StoreError) in
      guard let connection else {
        throw StoreError(.closed, "The store was closed, and its kept states ended with it.")
      }
      connection.limit.renew()
      try Self.check(connection)
      try connection.countRead()
      try connection.checked(body)
      try Self.check(connection)
    }
  }

  /// Throws if SQLite has rolled back the transaction, because a disk failed or memory ran out. The
  /// connection would otherwise show the newest state.
  private static func check(_ connection: Connection) throws(StoreError) {
    guard connection.isOutsideTransaction else { return }
    throw StoreError(
      .io,
      "The kept state of the store is lost, because SQLite ended its transaction: "
        + "the disk failed, or memory ran out. Choose another query generation.")
  }

  /// Ends the transaction. Returns its connection; nil if it has ended before.
  func end() -> Connection? {
    guard let open = connection.withLock({ $0.take() }) else { return nil }
    open.endRead()
    if let reading { files?.end(reading) }
    return open
  }
}
