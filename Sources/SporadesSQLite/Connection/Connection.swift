// SPDX-License-Identifier: MIT
import CSQLite
package import SporadesSQL
package import SporadesStore

/// One connection to a SQLite database, with its prepared statements.
///
/// One thread at a time uses a connection: the thread that took it from the pool, or that holds the writer's
/// lock. Calls block, as SQLite's do.
@safe
package final class Connection: @unchecked Sendable {
  // @unchecked: one thread at a time uses it. The pool and the writer's lock pass it between threads.
  let handle: OpaquePointer
  /// Each request renews it at its start.
  let limit: StepLimit
  /// The statements by the places of their numbers.
  private var numbered: [Statement?] = []
  private var texts: [String: Statement] = [:]
  /// Further statements of texts that were asked for while somebody stepped the first one.
  private var further: [String: [Statement]] = [:]
  /// The statements among them that the last fetches used.
  var knownFetches = KnownFetches()
  private var isClosed = false
  /// Waits while another connection blocks a statement.
  let wait: BusyWait
  /// The transaction that look-ups by key share.
  // @exclusivity(unchecked): its functions call SQLite, which calls nothing that could come back here.
  @exclusivity(unchecked) var lastingRead = LastingRead()
  let schema = SchemaWatch()
  /// Whether the functions of the predicate language are registered: a hundred calls, which most connections never need.
  var calculates = false
  /// The names of the conditions of other modules that are registered.
  var conditions: Set<String> = []
  /// The version of the model that each request compares; nil for a connection without a store, and in memory.
  var model: ModelMark?
  /// The rows that statements touch, as SQLite tells them.
  let hook = RowHook()
  /// Nil unless touched rows are counted.
  var touches: RowTouches? { hook.touches }
  /// The number of frames in the write-ahead log after this connection's last commit.
  let logFrames: UnsafeMutablePointer<Int32>

  /// The file of a connection without locks; nil for any other.
  private let unlockedPath: String?

  package enum Access: Sendable {
    case readOnly, readWrite
    /// Reads the file without its log and without a lock.
    case immutable
    /// Reads the file and its log without a lock, and creates no index of the log beside them. The connection
    /// shows the state of its first read for ever.
    case unlocked
  }

  /// Opens an existing file. The path `:memory:` opens a private database in memory.
  package init(path: String, access: Access, busyMilliseconds: Int32) throws(StoreError) {
    let handle = try unsafe Self.open(path, access)
    if access == .readWrite, path != ":memory:", unsafe sqlite3_db_readonly(handle, "main") != 0 {
      unsafe sqlite3_close_v2(handle)
      throw Self.notWritable(path)
    }
    unsafe self.handle = handle
    unsafe logFrames = .allocate(capacity: 1)
    unsafe logFrames.initialize(to: 0)
    unlockedPath = access == .unlocked ? path : nil
    wait = BusyWait(milliseconds: busyMilliseconds)
    unsafe wait.install(on: handle)
    unsafe limit = StepLimit(handle, steps: StepLimit.usual)
    try distrust()
    try schema.install(on: self, deletingRowByRow: false)
    if access == .unlocked { try keepIndexInMemory() }
  }

  /// Lets SQLite keep the index of the log in its own memory, and keeps it from moving the log at the end.
  private func keepIndexInMemory() throws(StoreError) {
    try configure(SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, true)
    try run(.lockAlone)
  }

  /// Restricts the database, because the file may come from anybody. Triggers and views may call only
  /// harmless functions, and no statement may write SQLite's own tables.
  private func distrust() throws(StoreError) {
    try configure(SQLITE_DBCONFIG_DEFENSIVE, true)
    try trustSchema(false)
  }

  /// Runs statements that may write the tables in which modules keep their virtual tables.
  package func writingTablesOfModules(
    _ body: () throws(StoreError) -> Void
  ) throws(StoreError) {
    try configure(SQLITE_DBCONFIG_DEFENSIVE, false)
    do throws(StoreError) { try body() } catch {
      try configure(SQLITE_DBCONFIG_DEFENSIVE, true)
      throw error
    }
    try configure(SQLITE_DBCONFIG_DEFENSIVE, true)
  }

  /// Keeps SQLite from moving the log into the database when the connection closes.
  func keepDatabase() {
    // `try?`, because only a version of SQLite that opens no store has no such setting.
    try? configure(SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, true)
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

  /// The error for a file that SQLite opened for reading only. SQLite does that silently when it cannot open
  /// the file for writing.
  private static func notWritable(_ path: String) -> StoreError {
    guard SystemFile.isWritable(path) else {
      return StoreError(
        .cannotOpen, "This process may not write the store at \(path). Open it for reading only.")
    }
    return StoreError(
      .io,
      "The system did not open \(path) for writing, though its permissions allow it. The process ran out of "
        + "descriptors, or the disk failed. Nothing was changed. Try again.")
  }

  /// Lowers SQLite's limit on values and rows. Tests use it to meet the limit without a thousand million
  /// bytes.
  func limitLength(to bytes: Int32) { unsafe sqlite3_limit(handle, SQLITE_LIMIT_LENGTH, bytes) }

  deinit {
    close()
    unsafe logFrames.deallocate()
  }

  /// Closes the connection. The caller must not use it afterwards.
  package func close() {
    guard !isClosed else { return }
    isClosed = true
    for statement in numbered { statement?.finalize() }
    for statement in texts.values { statement.finalize() }
    for statement in further.values.joined() { statement.finalize() }
    numbered.removeAll()
    texts.removeAll()
    further.removeAll()
    knownFetches.forget()
    // The system drops all locks of a process on a file when any descriptor of the file is closed. SQLite
    // keeps account of that for connections that lock, so this one stays open for ever.
    guard let unlockedPath else { return closeHandle() }
    OpenStores.unlessLocking(unlockedPath) { closeHandle() }
  }

  /// Closing fails only for an invalid handle.
  private func closeHandle() { unsafe sqlite3_close_v2(handle) }

  // MARK: - Memory

  /// The size that the page cache of a reader gets, in kilobytes; nil for a connection whose cache stays as it is.
  var laterCacheKilobytes: Int?
  /// The number of reads so far. A larger cache pays only for a connection that reads repeatedly.
  private var reads = 0

  /// The caller uses it before each read of a reader.
  func countRead() throws(StoreError) {
    reads += 1
    guard reads == Self.readsBeforeCache, let laterCacheKilobytes else { return }
    try run(.setCache(kilobytes: laterCacheKilobytes))
  }

  private static let readsBeforeCache = 16

  /// Frees the pages of the last read. The caller uses it after a full scan of a table and after the opening,
  /// because later reads need other pages first.
  func forgetPages() { unsafe sqlite3_db_release_memory(handle) }

  // MARK: - Statements

  /// The statement with a number, prepared at its first use.
  func statement(
    _ number: StatementNumber, _ made: @autoclosure () -> SQLStatement
  ) throws(StoreError) -> Statement {
    if number.place < numbered.count, let known = numbered[number.place] { return known }
    let statement = try Statement(made(), on: self)
    while number.place >= numbered.count { numbered.append(nil) }
    numbered[number.place] = statement
    return statement
  }

  /// The statement with a text, with its values bound. The few hundred statements used last stay prepared.
  package func statement(_ statement: SQLStatement) throws(StoreError) -> Statement {
    let prepared = try prepared(statement)
    prepared.bind(statement.bindings)
    return prepared
  }

  private func prepared(_ statement: SQLStatement) throws(StoreError) -> Statement {
    let sql = statement.sql
    let first = texts[sql]
    if let first {
      if !first.isBusy { return first }
      if let idle = further[sql]?.first(where: { !$0.isBusy }) { return idle }
    } else if texts.count >= 300 {
      forgetIdle()
    }
    let made = try Statement(statement, on: self)
    if first == nil { texts[sql] = made } else { further[sql, default: []].append(made) }
    return made
  }

  /// Drops the statements with a text that nobody steps. One that somebody has asked for and not stepped yet stays
  /// whole until he lets it go.
  private func forgetIdle() {
    knownFetches.forget()
    texts = texts.filter { $0.value.isBusy }
    further = further.mapValues { $0.filter(\.isBusy) }.filter { !$0.value.isEmpty }
  }

  /// Runs one statement, or several of SQLite's own, and ignores their rows.
  package func run(_ statement: SQLStatement) throws(StoreError) {
    guard statement.bindings.isEmpty else {
      _ = try rows(statement)
      return
    }
    try learnFunctions(of: statement.sql)
    let code = unsafe sqlite3_exec(handle, statement.sql, nil, nil, nil)
    guard code == SQLITE_OK else {
      throw unsafe StoreError.sqlite(code, handle, "The statement was: \(statement.sql)")
    }
  }

  /// Runs a statement that stays prepared, and ignores its rows.
  package func write(_ statement: SQLStatement) throws(StoreError) {
    try self.statement(statement).run()
  }

  /// All rows of a small result.
  package func rows(_ statement: SQLStatement) throws(StoreError) -> [[SQLValue]] {
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

  /// The texts in the first column of a small result.
  func texts(_ statement: SQLStatement) throws(StoreError) -> [String] {
    // A closure, because the runtime makes a key path with an optional step anew at each call.
    try rows(statement).compactMap { $0.first?.text }
  }

  /// The whole number in a result's first column; nil for a missing row or a null.
  func number(_ statement: SQLStatement) throws(StoreError) -> Int64? {
    switch try rows(statement).first?.first {
    case .integer(let number)?: return number
    case .null?, nil: return nil
    default:
      throw StoreError(
        .corrupt,
        "A column for a whole number holds something else. Correct it, or restore a copy of the store. "
          + "The statement was: \(statement.sql)")
    }
  }

  /// The names of a table's columns; empty if the table is missing.
  package func columns(of table: String) throws(StoreError) -> [String] {
    try rows(.columns(of: table)).compactMap { $0[1].text }
  }

  /// Overwrites another connection's database with this one.
  func copy(to other: Connection) throws(StoreError) {
    guard let backup = unsafe sqlite3_backup_init(other.handle, "main", handle, "main") else {
      throw unsafe StoreError.sqlite(
        sqlite3_errcode(other.handle), other.handle, "The database cannot be copied.")
    }
    // `sqlite3_backup_finish` does not report a step that ended because the database was busy.
    let step = unsafe sqlite3_backup_step(backup, -1)
    let end = unsafe sqlite3_backup_finish(backup)
    let code = step == SQLITE_DONE ? end : step
    guard code == SQLITE_OK else {
      throw unsafe StoreError.sqlite(code, other.handle, "The database cannot be copied.")
    }
  }

  /// Writes all pages to a new file, which has no journal. The caller syncs the file.
  func copy(toFile path: String) throws(StoreError) {
    let target = try Connection(path: path, access: .readWrite, busyMilliseconds: 1_000)
    defer { target.close() }
    try target.run(.settingsOfDraft)
    try copy(to: target)
  }

  // MARK: - State

  /// Whether no transaction is open. SQLite rolls back a transaction itself when the disk is full or fails.
  var isOutsideTransaction: Bool { unsafe sqlite3_get_autocommit(handle) != 0 }

  /// Ends a transaction that wrote nothing.
  func endRead() {
    // `try?`, because SQLite may have ended the transaction itself.
    try? statement(StatementNumber(.rollback), .rollback).run()
  }

  /// The number of rows that the last statement changed itself, without those of its triggers.
  package var changes: Int32 { unsafe sqlite3_changes(handle) }
}

extension Connection {
  /// Lets each statement take as many steps as it needs.
  package func liftStepLimit() { limit.allow(0) }

  /// Runs `body` without waiting for other connections.
  func withoutWaiting<Output>(
    _ body: () throws(StoreError) -> Output
  ) throws(StoreError) -> Output {
    unsafe sqlite3_busy_handler(handle, nil, nil)
    defer { unsafe wait.install(on: handle) }
    return try body()
  }

  /// Throws if SQLite opened the log or the shared memory for reading only. SQLite does so when descriptors
  /// run out, and would then refuse every later write.
  func checkWritable(_ path: String) throws(StoreError) {
    do throws(StoreError) {
      try withoutWaiting { () throws(StoreError) in try run(.tryToWrite) }
    } catch  where error.code == .busy {
      // Another connection is writing. SQLite reports the condition only to a connection that may write.
    } catch  where error.code == .readOnly {
      throw Self.notWritable(path)
    }
  }

  /// The path of the database file after all links, where the log lies too. Nil in memory.
  var fileName: String? {
    guard let name = unsafe sqlite3_db_filename(handle, "main") else { return nil }
    return unsafe String(cString: name)
  }

  /// Whether the database file has left its path, or another file lies there.
  var hasMoved: Bool {
    var answer: Int32 = 0
    let code = unsafe sqlite3_file_control(handle, "main", SQLITE_FCNTL_HAS_MOVED, &answer)
    return code == SQLITE_OK && answer != 0
  }
}

/// Identifies a prepared statement without its text.
struct StatementNumber {
  enum Use: Int {
    case begin, commit, rollback, savepoint, release, rollbackTo, beginRead, dataVersion,
      schemaVersion
    case insert, selectByKey, selectOne, selectFew, selectMany, selectRange
    case version, delete, storedName, unlinkFirst, unlinkSecond, link, unlink, lastPosition, move
    case raiseMaximum, presence, othersVersion, derivedValue
    case historyMaximum, historyLargest, historyKeyOfText, historyText, historyTransaction
    case historyLinkedToFirst, historyLinkedToSecond, historyDelete, historyChange
  }
  /// The place in a list of all statements: those of one entity, table or join follow each other.
  let place: Int

  init(_ use: Use, _ number: Int = 0) { place = number * Self.useCount + use.rawValue }

  private static let useCount = Use.historyChange.rawValue + 1
}
