// SPDX-License-Identifier: MIT
import CSQLite
import SporadesSQL
package import SporadesStore

/// One connection to a SQLite database, and the statements prepared on it.
///
/// A connection is used by one thread at a time: by whoever took it from the pool, or holds the
/// writer's lock. Calls block, as SQLite's do.
@safe
package final class Connection: @unchecked Sendable {
  // @unchecked: see above; the pool and the writer's lock hand it from thread to thread.
  let handle: OpaquePointer
  /// Renewed where a request begins.
  let limit: StepLimit
  private var numbered: [StatementNumber: Statement] = [:]
  private var texts: [String: Statement] = [:]
  private var isClosed = false
  /// What a statement does while another connection is in its way.
  let wait: BusyWait
  /// Nil unless rows that are touched are counted.
  private(set) var touches: RowTouches?
  /// Frames in the write-ahead log after the last commit on this connection.
  private let logFrames: UnsafeMutablePointer<Int32>

  package enum Access: Sendable { case readOnly, readWrite, immutable }

  /// Opens a file that exists, or a private database in memory for the path `:memory:`.
  package init(path: String, access: Access, busyMilliseconds: Int32) throws(StoreError) {
    var flags = SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE
    flags |= access == .readWrite ? SQLITE_OPEN_READWRITE : SQLITE_OPEN_READONLY
    var name = path
    if access == .immutable {
      flags |= SQLITE_OPEN_URI
      name = "file:" + Self.escaped(path) + "?immutable=1"
    }
    var opened: OpaquePointer?
    let code = unsafe sqlite3_open_v2(name, &opened, flags, nil)
    guard code == SQLITE_OK, let handle = unsafe opened else {
      let error = unsafe StoreError.sqlite(code, opened, "The store at \(path) cannot be opened.")
      unsafe sqlite3_close_v2(opened)
      throw error
    }
    if access == .readWrite, path != ":memory:", unsafe sqlite3_db_readonly(handle, "main") != 0 {
      unsafe sqlite3_close_v2(handle)
      throw Self.notWritable(path)
    }
    unsafe self.handle = handle
    unsafe logFrames = .allocate(capacity: 1)
    unsafe logFrames.initialize(to: 0)
    wait = BusyWait(milliseconds: busyMilliseconds)
    unsafe wait.install(on: handle)
    unsafe limit = StepLimit(handle, steps: StepLimit.usual)
    try distrust()
  }

  /// Files may be anybody's: what their triggers and views call must be harmless, and no statement
  /// writes what SQLite alone should write.
  private func distrust() throws(StoreError) {
    try configure(SQLITE_DBCONFIG_DEFENSIVE, true)
    try trustSchema(false)
  }

  func trustSchema(_ isTrusted: Bool) throws(StoreError) {
    try configure(SQLITE_DBCONFIG_TRUSTED_SCHEMA, isTrusted)
  }

  private func configure(_ setting: Int32, _ isOn: Bool) throws(StoreError) {
    let code = unsafe sporades_configure(handle, setting, isOn ? 1 : 0)
    guard code == SQLITE_OK else {
      throw unsafe StoreError.sqlite(code, handle, "SQLite is older than 3.31; link a newer one.")
    }
  }

  /// SQLite opens a file for reading where it cannot be opened for writing, and says nothing.
  private static func notWritable(_ path: String) -> StoreError {
    guard SystemFile.isWritable(path) else {
      return StoreError(
        .cannotOpen, "The store at \(path) may not be written; open it for reading only.")
    }
    return StoreError(
      .io,
      "The system did not open \(path) for writing, though it may be written: for want of descriptors, "
        + "or since the disk failed. Nothing was changed; try again.")
  }

  /// Makes SQLite refuse longer values and rows than it would: what becomes of the longest ones is tried
  /// so without a thousand million bytes.
  func limitLength(to bytes: Int32) { unsafe sqlite3_limit(handle, SQLITE_LIMIT_LENGTH, bytes) }

  deinit {
    close()
    unsafe logFrames.deallocate()
  }

  /// Ends the connection; it must not be used afterwards.
  func close() {
    guard !isClosed else { return }
    isClosed = true
    for statement in numbered.values { statement.finalize() }
    for statement in texts.values { statement.finalize() }
    numbered.removeAll()
    texts.removeAll()
    // It fails for a connection that is none, and for nothing else.
    unsafe sqlite3_close_v2(handle)
  }

  private static func escaped(_ path: String) -> String {
    path.split(separator: "", omittingEmptySubsequences: false).map {
      ["%": "%25", "?": "%3f", "#": "%23"][$0] ?? String($0)
    }.joined()
  }

  // MARK: - Memory

  /// Reads so far; a cache is worth its memory to a connection that reads again and again.
  private var reads = 0

  func allowCache(of kilobytes: Int) throws(StoreError) {
    reads += 1
    if reads == Self.readsBeforeCache { try run(.setCache(kilobytes: kilobytes)) }
  }

  private static let readsBeforeCache = 16

  /// Gives back the memory of what was read last, which no later read asks for before others: a table
  /// from end to end, or what had to be known to open the store.
  func forgetPages() { unsafe sqlite3_db_release_memory(handle) }

  // MARK: - Statements

  /// The statement with a number, made and prepared on first use.
  func statement(
    _ number: StatementNumber, _ made: @autoclosure () -> SQLStatement
  ) throws(StoreError) -> Statement {
    if let known = numbered[number] { return known }
    let statement = try Statement(made(), on: self)
    numbered[number] = statement
    return statement
  }

  /// The statement with a text, its values bound; the few hundred used last stay prepared.
  func statement(_ statement: SQLStatement) throws(StoreError) -> Statement {
    let prepared = try prepared(statement)
    prepared.bind(statement.bindings)
    return prepared
  }

  private func prepared(_ statement: SQLStatement) throws(StoreError) -> Statement {
    let sql = statement.sql
    if let known = texts[sql], !known.isBusy { return known }
    if texts.count >= 300 {
      for statement in texts.values where !statement.isBusy { statement.finalize() }
      texts = texts.filter { $0.value.isBusy }
    }
    let made = try Statement(statement, on: self)
    texts[sql]?.finalize()
    texts[sql] = made
    return made
  }

  /// Runs a statement, or several of SQLite's own, whose rows nobody needs.
  func run(_ statement: SQLStatement) throws(StoreError) {
    guard statement.bindings.isEmpty else {
      _ = try rows(statement)
      return
    }
    let code = unsafe sqlite3_exec(handle, statement.sql, nil, nil, nil)
    guard code == SQLITE_OK else { throw unsafe StoreError.sqlite(code, handle, statement.sql) }
  }

  /// All rows of a small result, as values.
  func rows(_ statement: SQLStatement) throws(StoreError) -> [[SQLValue]] {
    let bindings = statement.bindings
    let statement = try Statement(statement, on: self)
    defer { statement.finalize() }
    statement.bind(bindings)
    var rows: [[SQLValue]] = []
    var bound = RowBound()
    while try statement.step() {
      try bound.count(1, of: statement)
      rows.append(statement.row())
    }
    return rows
  }

  /// The number of a result that is one; nil where there is no row, or a null.
  func number(_ statement: SQLStatement) throws(StoreError) -> Int64? {
    switch try rows(statement).first?.first {
    case .integer(let number)?: return number
    case .null?, nil: return nil
    default:
      throw StoreError(
        .corrupt,
        "There is something else where a whole number is kept. Correct it, or restore a copy of the "
          + "store. It was asked for by: \(statement.sql)")
    }
  }

  /// The names of a table's columns; none where there is no such table.
  func columns(of table: String) throws(StoreError) -> [String] {
    try rows(.columns(of: table)).compactMap { $0[1].text }
  }

  /// Writes the whole database over another connection's.
  func copy(to other: Connection) throws(StoreError) {
    let backup = unsafe sqlite3_backup_init(other.handle, "main", handle, "main")
    // A step that had to wait for others is no failure to what ends the backup.
    let step = unsafe sqlite3_backup_step(backup, -1)
    let end = unsafe sqlite3_backup_finish(backup)
    let code = step == SQLITE_DONE ? end : step
    guard unsafe backup != nil, code == SQLITE_OK else {
      throw unsafe StoreError.sqlite(code, other.handle, "The database can not be copied.")
    }
  }

  // MARK: - State

  /// No transaction is open: SQLite gives one up by itself when the disk fills or fails.
  var isOutsideTransaction: Bool { unsafe sqlite3_get_autocommit(handle) != 0 }

  /// Rows the last statement changed itself, those its triggers changed left out.
  var changes: Int32 { unsafe sqlite3_changes(handle) }

  /// Counts from now on how often each row is touched, by triggers as well.
  func countTouches() throws(StoreError) {
    // SQLite empties a table without a word to the hook, unless a delete is answered so.
    let code = unsafe sqlite3_set_authorizer(
      handle, { _, action, _, _, _, _ in action == SQLITE_DELETE ? SQLITE_IGNORE : SQLITE_OK }, nil)
    guard code == SQLITE_OK else {
      throw unsafe StoreError.sqlite(code, handle, "The store's triggers cannot be watched.")
    }
    let touches = RowTouches()
    self.touches = touches
    // The connection keeps the count, and no hook runs after its end.
    let context = unsafe Unmanaged.passUnretained(touches).toOpaque()
    unsafe sqlite3_update_hook(
      handle,
      { context, _, _, table, row in
        guard let context = unsafe context, let table = unsafe table else { return }
        let touches = unsafe Unmanaged<RowTouches>.fromOpaque(context).takeUnretainedValue()
        touches.count(row, in: unsafe String(cString: table))
      }, context)
  }

  /// Counts the frames of the write-ahead log; also ends SQLite's own checkpoints, which would
  /// make commits wait.
  func watchLog() {
    unsafe sqlite3_wal_hook(
      handle,
      { context, _, _, frames in
        unsafe context?.assumingMemoryBound(to: Int32.self).pointee = frames
        return SQLITE_OK
      }, logFrames)
  }

  var framesInLog: Int { Int(unsafe logFrames.pointee) }

  /// Moves what it can from the log into the database; returns how many of the log's frames are there.
  /// The log keeps what is not moved.
  func checkpoint(truncating: Bool) throws(StoreError) -> Int {
    var frames: Int32 = 0
    var moved: Int32 = 0
    let mode = truncating ? SQLITE_CHECKPOINT_TRUNCATE : SQLITE_CHECKPOINT_PASSIVE
    let code = unsafe sqlite3_wal_checkpoint_v2(handle, nil, mode, &frames, &moved)
    // Others are reading or writing: what they need stays where it is.
    guard code == SQLITE_OK || code & 0xFF == SQLITE_BUSY else {
      throw unsafe StoreError.sqlite(code, handle, "The log cannot be moved into the database.")
    }
    return Int(max(0, moved))
  }
}

extension Connection {
  /// Runs `body` so that nothing in it waits for another connection.
  func withoutWaiting<Output>(
    _ body: () throws(StoreError) -> Output
  ) throws(StoreError) -> Output {
    unsafe sqlite3_busy_handler(handle, nil, nil)
    defer { unsafe wait.install(on: handle) }
    return try body()
  }

  /// Throws where the log, or the memory that processes share, was opened for reading only: SQLite
  /// does so where a descriptor is wanting, and every later write would be refused.
  func checkWritable(_ path: String) throws(StoreError) {
    do throws(StoreError) {
      try withoutWaiting { () throws(StoreError) in try run(.tryToWrite) }
    } catch  where error.code == .busy {
      // Another connection writes, and only who may write is told so.
    } catch  where error.code == .readOnly {
      throw Self.notWritable(path)
    }
  }

  /// The path of the database file, links followed: the log lies beside it. Nil in memory.
  var fileName: String? {
    guard let name = unsafe sqlite3_db_filename(handle, "main") else { return nil }
    return unsafe String(cString: name)
  }

  /// The database file is not at its path any more, or another one is.
  var hasMoved: Bool {
    var answer: Int32 = 0
    let code = unsafe sqlite3_file_control(handle, "main", SQLITE_FCNTL_HAS_MOVED, &answer)
    return code == SQLITE_OK && answer != 0
  }

  /// Leaves the files beside the database alone when the connection ends. SQLite removes the log by
  /// its path, and where the files were replaced it is somebody else's.
  func keepLog() {
    var keeps: Int32 = 1
    // In a database that has no log there is nothing to keep.
    _ = unsafe sqlite3_file_control(handle, "main", SQLITE_FCNTL_PERSIST_WAL, &keeps)
  }
}

/// Names a prepared statement without its text.
struct StatementNumber: Hashable {
  enum Use: UInt8 {
    case begin, commit, rollback, savepoint, release, rollbackTo
    case insert, selectByKey, selectOne, selectFew, selectMany, selectRange
    case version, delete, storedName, unlinkFirst, unlinkSecond, link, unlink, lastPosition, move
    case raiseMaximum, presence, othersVersion
    case historyChange
  }
  let rawValue: UInt64

  init(_ use: Use, _ number: Int = 0) {
    rawValue = UInt64(use.rawValue) << 32 | UInt64(UInt32(number))
  }
}
