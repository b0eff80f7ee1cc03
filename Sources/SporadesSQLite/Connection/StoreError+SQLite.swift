// SPDX-License-Identifier: MIT
import CSQLite
import SporadesModel
import SporadesStore

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#elseif canImport(Bionic)
  import Bionic
#else
  import Glibc
#endif

/// The code and message of an error in SQLite.
struct SQLiteFailure: Error, Sendable, CustomStringConvertible {
  /// The extended result code.
  let code: Int32
  let message: String

  var description: String { "SQLite \(code): \(message)" }
}

extension StoreError {
  /// The store error for an SQLite result code. It names the file, the cause, the remedy and the attempt. A nil
  /// path stands for the file of the connection.
  static func sqlite(
    _ code: Int32, _ handle: OpaquePointer?, at path: String? = nil, _ attempt: String
  ) -> StoreError {
    // The number of the call that failed last, before another call changes it.
    let lastError = SystemFile.lastError
    let message = unsafe handle.flatMap { unsafe sqlite3_errmsg($0) }.map {
      unsafe String(cString: $0)
    }
    let file = unsafe path ?? Self.file(of: handle)
    let failure = SQLiteFailure(code: code, message: message ?? "no details")
    if code & 0xFF == SQLITE_INTERRUPT, let error = Cancellation.current?.error { return error }
    if code & 0xFF == SQLITE_ERROR, let message {
      if let refusal = FetchPredicateError(sqliteMessage: message) {
        return StoreError(refusing: refusal)
      }
      if let value = UnreadableValue(sqliteMessage: message) {
        return StoreError(
          .io, "\(file): The predicate cannot read a large value: \(value.detail). \(attempt)",
          underlying: failure)
      }
    }
    let cause = cause(of: code, lastError)
    let system = cause & 0xFF == SQLITE_IOERR || cause & 0xFF == SQLITE_CANTOPEN
    let number = unsafe cause != code ? lastError : system ? sqlite3_system_errno(handle) : 0
    let reason = number == 0 ? "" : " The system says: \(SystemFile.message(number))."
    let isForeign = code & 0xFF == SQLITE_NOTADB
    return StoreError(
      storeCode(cause), "\(file): \(explanation(cause))\(reason)\(isForeign ? "" : " " + attempt)",
      underlying: failure)
  }

  /// The code of what the system refused. SQLite calls a file damaged that the system can not read, and busy one for
  /// which the system has no locks.
  private static func cause(of code: Int32, _ lastError: Int32) -> Int32 {
    switch (code & 0xFF, lastError) {
    case (SQLITE_BUSY, ENOLCK), (SQLITE_PROTOCOL, ENOLCK): noLocks
    case (SQLITE_CORRUPT, EIO), (SQLITE_CORRUPT, ENXIO): SQLITE_IOERR
    default: code
    }
  }

  /// `SQLITE_IOERR_LOCK`
  private static let noLocks = SQLITE_IOERR | 15 << 8

  /// SQLite's sum of whole numbers is beyond 64 bits, at least on the way.
  var isIntegerOverflow: Bool { (underlying as? SQLiteFailure)?.message == "integer overflow" }

  /// A table that is made by a module, as FTS5's are, is damaged.
  var isOfVirtualTable: Bool {
    (underlying as? SQLiteFailure)?.code == Self.damagedVirtualTable
  }

  private static func file(of handle: OpaquePointer?) -> String {
    guard let handle = unsafe handle, let name = unsafe sqlite3_db_filename(handle, "main"),
      unsafe name.pointee != 0
    else { return "The store in memory" }
    return unsafe String(cString: name)
  }

  private static func storeCode(_ code: Int32) -> Code {
    if code == readOnly(.moved) { return .moved }
    return switch code & 0xFF {
    case SQLITE_BUSY, SQLITE_LOCKED, SQLITE_PROTOCOL, SQLITE_SCHEMA: .busy
    case SQLITE_FULL: .full
    case SQLITE_TOOBIG: .tooLarge(entity: "", property: nil)
    case SQLITE_CORRUPT, SQLITE_NOTADB, SQLITE_FORMAT: .corrupt
    case SQLITE_READONLY: .readOnly
    case SQLITE_CANTOPEN, SQLITE_PERM, SQLITE_AUTH: .cannotOpen
    case SQLITE_INTERRUPT: .interrupted
    case SQLITE_CONSTRAINT: .constraint(entity: "", properties: [])
    case SQLITE_ERROR, SQLITE_MISUSE, SQLITE_RANGE, SQLITE_MISMATCH: .unsupported
    default: .io
    }
  }

  /// The detailed codes of `SQLITE_READONLY`.
  private enum ReadOnlyDetail: Int32 {
    case recovery = 1
    case cannotLock, rollback, moved, cannotBegin, folder
  }

  private static func readOnly(_ detail: ReadOnlyDetail) -> Int32 {
    SQLITE_READONLY | detail.rawValue << 8
  }

  /// `SQLITE_CORRUPT_VTAB`
  private static let damagedVirtualTable = SQLITE_CORRUPT | 1 << 8

  private static func damageExplanation(_ code: Int32) -> String {
    guard code != damagedVirtualTable else {
      return
        "A virtual table of the file is damaged, which holds no objects. If it is a search index, call "
        + "rebuildSearchIndex()."
    }
    return
      "The file is damaged. integrityProblems() lists the damage if the store opens, and PRAGMA integrity_check of "
      + "the program sqlite3 else. Restore a copy of it, or name another file."
  }

  /// The cause and the remedy.
  private static func explanation(_ code: Int32) -> String {
    switch code & 0xFF {
    case SQLITE_BUSY:
      "Another connection writes, or keeps the file locked, for longer than this request waited. End the other "
        + "transaction, or raise busyMilliseconds."
    case SQLITE_LOCKED: "Another request of this process uses the table."
    case SQLITE_PROTOCOL: "Too many connections begin to read at once. Let fewer processes read."
    case SQLITE_SCHEMA:
      "Other programs change the tables again and again. Let them finish."
    case SQLITE_FULL:
      "The disk or the quota is full, or the file has reached its largest size. Make room."
    case SQLITE_TOOBIG: "A value or a row has more bytes than SQLite accepts. Use a shorter one."
    case SQLITE_CORRUPT: damageExplanation(code)
    case SQLITE_NOTADB, SQLITE_FORMAT:
      "The file is damaged, encrypted, or no SQLite database. Restore a copy of it, or name another file."
    case SQLITE_READONLY: readOnlyExplanation(code)
    case SQLITE_CANTOPEN:
      "The file, its log or its folder cannot be opened. Look at the permissions, and at the number of files that "
        + "the process has open."
    case SQLITE_PERM, SQLITE_AUTH:
      "This process may not do that. Change the permissions of the file."
    case SQLITE_INTERRUPT:
      "A request took more steps than the store allows, and was undone. Divide it, raise stepLimit in the "
        + "store's options, or look for the cause in the file: an endless trigger, or damaged pages."
    case SQLITE_CONSTRAINT:
      "A rule or a trigger of the file refuses the row. Change the row, or the rule in the file."
    case SQLITE_ERROR, SQLITE_RANGE, SQLITE_MISMATCH:
      "SQLite refuses the statement. If another program changed the tables of the file, restore a copy of it; "
        + "else this is a mistake of the library."
    case SQLITE_MISUSE: "SQLite refuses the call. This is a mistake of the library."
    case SQLITE_NOMEM: "The process has no memory left. Free some."
    case SQLITE_IOERR where code == noLocks:
      "The system does not lock the file. If it lies on another machine, let that machine serve locks, or move the file to "
        + "a disk of this one."
    case SQLITE_IOERR:
      "The system failed to read or write the file. Look at the disk."
    default: "SQLite failed for a reason of its own."
    }
  }

  private static func readOnlyExplanation(_ code: Int32) -> String {
    switch ReadOnlyDetail(rawValue: code >> 8) {
    case .moved: "The file was removed, moved or replaced while it was open. Put it back."
    case .recovery, .cannotLock, .rollback, .cannotBegin:
      "A process ended in the middle of a change, and only a writing connection can undo or finish "
        + "the change. Open the store once without isReadOnly and with the model of the program, or open the file "
        + "once with the program sqlite3."
    case .folder:
      "This process may not write into the folder of the file. Change its permissions, or set isReadOnly."
    case nil:
      "The file may only be read. Change its permissions, or open it with isReadOnly."
    }
  }

  var sqliteFailure: SQLiteFailure? { underlying as? SQLiteFailure }

  /// SQLite could not read a page of the file, or found it damaged. SQLite tells both with one code.
  var isUnreadablePage: Bool { (sqliteFailure?.code ?? 0) & 0xFF == SQLITE_CORRUPT }

  var isUniqueViolation: Bool {
    let code = sqliteFailure?.code ?? 0
    return code == SQLITE_CONSTRAINT | (8 << 8)  // SQLITE_CONSTRAINT_UNIQUE
  }

  var isKeyViolation: Bool {
    let code = sqliteFailure?.code ?? 0
    return code == SQLITE_CONSTRAINT | (6 << 8) || code == SQLITE_CONSTRAINT | (10 << 8)
  }

  /// Adds the store's path to an error that names neither the file nor objects.
  func located(at path: String) -> StoreError {
    if detail.contains(path) || underlying is FetchPredicateError { return self }
    switch code {
    case .conflict, .noStore, .linkAcrossStores: return self
    case .constraint(let entity, _) where !entity.isEmpty: return self
    default: return StoreError(code, "\(path): \(detail)", underlying: underlying)
    }
  }
}
