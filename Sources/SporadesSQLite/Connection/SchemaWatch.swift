// SPDX-License-Identifier: MIT
import CSQLite
import SporadesStore

/// Notes that SQLite prepares a statement that reads or writes a table.
///
/// SQLite prepares each statement again after somebody changed the tables of the file, and asks its authorizer
/// then (https://sqlite.org/c3ref/set_authorizer.html). The authorizer may not use the connection. It leaves a note, and
/// the connection looks for a change at the end of the request.
final class SchemaWatch {
  /// Whether a statement was prepared since the last check. A new connection has not looked yet.
  var isDue = true
  /// SQLite's fast deletion of a whole table skips the hook that counts touched rows. An answer to a delete turns it
  /// off.
  private var deletesRowByRow = false
  /// Decides over a statement that a program wrote; nil while the connection runs its own.
  var judge: StatementJudge?

  /// Installs the authorizer. SQLite prepares all earlier statements again. It keeps an unowned reference: the connection
  /// owns the object, and closes before it goes.
  func install(on connection: Connection, deletingRowByRow: Bool) throws(StoreError) {
    deletesRowByRow = deletingRowByRow
    let handle = unsafe connection.handle
    let code = unsafe sqlite3_set_authorizer(
      handle,
      { context, action, first, second, _, _ in
        guard let context = unsafe context else { return SQLITE_OK }
        let watch = unsafe Unmanaged<SchemaWatch>.fromOpaque(context).takeUnretainedValue()
        let answer = watch.note(action)
        guard let judge = watch.judge else { return answer }
        return unsafe judge.verdict(
          on: action, first.map { unsafe String(cString: $0) },
          second.map { unsafe String(cString: $0) })
      }, Unmanaged.passUnretained(self).toOpaque())
    guard code == SQLITE_OK else {
      throw unsafe StoreError.sqlite(code, handle, "SQLite refused to watch the store's tables.")
    }
  }

  private func note(_ action: Int32) -> Int32 {
    switch action {
    case SQLITE_READ, SQLITE_SELECT, SQLITE_INSERT, SQLITE_UPDATE: isDue = true
    case SQLITE_DELETE:
      isDue = true
      if deletesRowByRow { return SQLITE_IGNORE }
    default: break
    }
    return SQLITE_OK
  }
}
