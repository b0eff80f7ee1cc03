// SPDX-License-Identifier: MIT
import CSQLite
import SporadesModel
import SporadesStore

/// The code and message of an error in SQLite.
struct SQLiteFailure: Error, Sendable, CustomStringConvertible {
  /// The extended result code.
  let code: Int32
  let message: String

  var description: String { "SQLite \(code): \(message)" }
}

extension StoreError {
  /// The store error for an SQLite result code.
  static func sqlite(_ code: Int32, _ handle: OpaquePointer?, _ detail: String) -> StoreError {
    let message = unsafe handle.flatMap { unsafe sqlite3_errmsg($0) }.map {
      unsafe String(cString: $0)
    }
    if code & 0xFF == SQLITE_ERROR, let message,
      let refusal = FetchPredicateError(sqliteMessage: message)
    {
      return StoreError(refusing: refusal)
    }
    let failure = SQLiteFailure(code: code, message: message ?? "no details")
    if code & 0xFF == SQLITE_ERROR, let message,
      let value = UnreadableValue(sqliteMessage: message)
    {
      return StoreError(
        .io, "The predicate cannot read a large value: \(value.detail). \(detail)",
        underlying: failure)
    }
    guard code & 0xFF != SQLITE_INTERRUPT else {
      return StoreError(
        .interrupted,
        "A request took more steps than the store allows, and was undone. Divide it, raise "
          + "stepLimit in the store's options, or look for the cause in the file: an endless trigger, or "
          + "damaged pages. \(detail)", underlying: failure)
    }
    return StoreError(storeCode(code), detail, underlying: failure)
  }

  private static func storeCode(_ code: Int32) -> Code {
    if code == SQLITE_READONLY | (4 << 8) { return .moved }  // SQLITE_READONLY_DBMOVED
    return switch code & 0xFF {
    case SQLITE_BUSY, SQLITE_LOCKED, SQLITE_PROTOCOL: .busy
    case SQLITE_FULL: .full
    case SQLITE_TOOBIG: .tooLarge(entity: "", property: nil)
    case SQLITE_CORRUPT, SQLITE_NOTADB, SQLITE_FORMAT: .corrupt
    case SQLITE_READONLY: .readOnly
    case SQLITE_CANTOPEN, SQLITE_PERM, SQLITE_AUTH: .cannotOpen
    case SQLITE_CONSTRAINT: .constraint(entity: "", properties: [])
    case SQLITE_ERROR, SQLITE_MISUSE, SQLITE_RANGE, SQLITE_MISMATCH: .unsupported
    default: .io
    }
  }

  var sqliteFailure: SQLiteFailure? { underlying as? SQLiteFailure }

  var isUniqueViolation: Bool {
    let code = sqliteFailure?.code ?? 0
    return code == SQLITE_CONSTRAINT | (8 << 8)  // SQLITE_CONSTRAINT_UNIQUE
  }

  var isKeyViolation: Bool {
    let code = sqliteFailure?.code ?? 0
    return code == SQLITE_CONSTRAINT | (6 << 8) || code == SQLITE_CONSTRAINT | (10 << 8)
  }
}
