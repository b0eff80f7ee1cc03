// SPDX-License-Identifier: MIT
import CSQLite
import SporadesStore

/// The primary keys of the rows that a transaction has touched so far, by statements and by triggers, in any table.
///
/// SQLite tells every row that is inserted, updated or deleted, with these exceptions
/// (https://sqlite.org/c3ref/update_hook.html): rows of a table without row numbers, rows that an `ON CONFLICT REPLACE`
/// deletes, and rows of a table that is emptied as a whole. The connection deletes such rows one by one, and whoever uses
/// the keys rules out the others. What SQLite counts as a change without telling it makes the keys unknown, too.
final class ChangedRows {
  private var noted: [Int64] = []
  /// The number of calls since the transaction began. It grows like SQLite's own number of changes.
  private var calls: Int32 = 0
  private var changesBefore: Int32 = 0
  /// Whether the open transaction has been watched since its beginning.
  private var isWatching = false
  /// A transaction that touches more rows leaves no list behind.
  private static let most = 4_096

  func note(_ row: Int64) {
    calls &+= 1
    if noted.count <= Self.most, noted.last != row { noted.append(row) }
  }

  /// Begins the list of a transaction. `changes` is SQLite's number of changes so far.
  func begin(changes: Int32) {
    noted.removeAll(keepingCapacity: true)
    (calls, changesBefore, isWatching) = (0, changes, true)
  }

  /// The keys of all rows that the transaction has touched. Nil if they are too many, or if SQLite counts a change that
  /// it did not tell.
  func keys(changes: Int32) -> [Int64]? {
    guard isWatching, noted.count <= Self.most, changes &- changesBefore <= calls else {
      return nil
    }
    return noted
  }
}

/// A listener for each row that a statement touches.
final class RowHook {
  fileprivate(set) var touches: RowTouches?
  fileprivate(set) var changes: ChangedRows?

  fileprivate func note(_ row: Int64, in table: UnsafePointer<CChar>, isDeletion: Bool) {
    changes?.note(row)
    if let touches {
      touches.count(row, in: unsafe String(cString: table), isDeletion: isDeletion)
    }
  }
}

extension Connection {
  /// Starts to count how often statements and triggers touch each row.
  func countTouches() throws(StoreError) {
    try schema.install(on: self, deletingRowByRow: true)
    hook.touches = RowTouches()
    installHook()
  }

  /// Begins the list of the rows that the open transaction touches.
  func watchRows() throws(StoreError) {
    if hook.changes == nil {
      if hook.touches == nil { try schema.install(on: self, deletingRowByRow: true) }
      hook.changes = ChangedRows()
      installHook()
    }
    hook.changes?.begin(changes: unsafe sqlite3_total_changes(handle))
  }

  /// The number of rows that statements and triggers have changed since the connection opened.
  package var changeCount: Int64 { unsafe sqlite3_total_changes64(handle) }

  /// The keys of the rows that the open transaction has touched; nil if they are not known.
  var touchedKeys: [Int64]? { hook.changes?.keys(changes: unsafe sqlite3_total_changes(handle)) }

  /// The connection owns the hook's object, and no hook runs after the connection closes.
  private func installHook() {
    let context = unsafe Unmanaged.passUnretained(hook).toOpaque()
    unsafe sqlite3_update_hook(
      handle,
      { context, operation, _, table, row in
        guard let context = unsafe context, let table = unsafe table else { return }
        let hook = unsafe Unmanaged<RowHook>.fromOpaque(context).takeUnretainedValue()
        unsafe hook.note(row, in: table, isDeletion: operation == SQLITE_DELETE)
      }, context)
  }
}
