// SPDX-License-Identifier: MIT
import CSQLite
import SporadesSQL
import SporadesStore

// Statements that programs write.
extension Connection {
  /// The rows of a statement that only reads. `check` gets the tables that it reads before the first row, and may refuse
  /// them.
  func answer(
    _ statement: SQLStatement, checking check: (Set<String>) throws(StoreError) -> Void
  ) throws(StoreError) -> StatementAnswer {
    do throws(StoreError) {
      return try judgedAnswer(statement, check)
    } catch {
      // A virtual table that this connection meets for the first time prepares statements that write its own tables.
      guard case .acts? = error.underlying as? StatementRefusal, try meetVirtualTables() else {
        throw error
      }
      return try judgedAnswer(statement, check)
    }
  }

  private func judgedAnswer(
    _ statement: SQLStatement, _ check: (Set<String>) throws(StoreError) -> Void
  ) throws(StoreError) -> StatementAnswer {
    try learnFunctions(of: statement.sql)
    let judge = StatementJudge(refusing: try functionsWithEffects())
    schema.judge = judge
    defer { schema.judge = nil }
    let prepared = try prepare(statement, judge)
    defer { prepared.finalize() }
    try check(judge.tables)
    prepared.bind(statement.bindings)
    let columns = prepared.answeredColumns()
    var checked = judge.tables.count
    var values: [SQLValue] = []
    while try step(prepared, judge) {
      // SQLite prepares again where somebody changed the tables since.
      if judge.tables.count > checked {
        try check(judge.tables)
        checked = judge.tables.count
      }
      for column in columns.indices { values.append(prepared.value(Int32(column))) }
    }
    if judge.tables.count > checked { try check(judge.tables) }
    let answer = StatementAnswer(columns: columns, values: values)
    Cancellation.current?.note(rows: answer.rowCount)
    return answer
  }

  private func step(_ statement: Statement, _ judge: StatementJudge) throws(StoreError) -> Bool {
    do throws(StoreError) { return try statement.step() } catch {
      if let refusal = judge.refusal { throw StoreError(refusing: refusal) }
      guard let failure = error.sqliteFailure, failure.code & 0xFF == SQLITE_ERROR else {
        throw error
      }
      throw StoreError(refusing: .failed(failure.message))
    }
  }

  // MARK: - Preparing

  private func prepare(
    _ statement: SQLStatement, _ judge: StatementJudge
  ) throws(StoreError) -> Statement {
    // SQLite reads a text up to its first NUL.
    guard !statement.sql.utf8.contains(0) else {
      throw StoreError(refusing: .failed("the text contains the character NUL"))
    }
    let (first, rest) = try parsed(statement.sql, judge)
    guard let first else { throw StoreError(refusing: .empty) }
    // Whatever follows is no part of the statement; comments and semicolons may.
    var remaining = rest
    while !remaining.isEmpty {
      do throws(StoreError) {
        let (next, rest) = try parsed(remaining, judge)
        guard next == nil else { throw StoreError(refusing: .several) }
        remaining = rest == remaining ? "" : rest
      } catch {
        throw StoreError(refusing: .several)
      }
    }
    try unsafe Self.check(first.pointer, statement.bindings.count)
    return first
  }

  /// Prepares the first statement of a text. Returns it, or nil if there is none, and the rest of the text.
  private func parsed(
    _ sql: String, _ judge: StatementJudge
  ) throws(StoreError) -> (Statement?, rest: String) {
    guard let length = Int32(exactly: sql.utf8.count) else {
      throw StoreError(refusing: .failed("the text is longer than SQLite accepts"))
    }
    var prepared: OpaquePointer?
    var rest = ""
    var text = sql
    let code = text.withUTF8 { utf8 in
      unsafe utf8.withMemoryRebound(to: CChar.self) { text in
        var tail: UnsafePointer<CChar>?
        let code = unsafe sqlite3_prepare_v3(handle, text.baseAddress, length, 0, &prepared, &tail)
        if let tail = unsafe tail, let start = text.baseAddress {
          let skipped = unsafe tail - start
          unsafe rest = String(decoding: UnsafeRawBufferPointer(text)[skipped...], as: UTF8.self)
        }
        return code
      }
    }
    guard code == SQLITE_OK else { throw failure(code, judge) }
    return (unsafe prepared.map { unsafe Statement(prepared: $0) }, rest)
  }

  private func failure(_ code: Int32, _ judge: StatementJudge) -> StoreError {
    if let refusal = judge.refusal { return StoreError(refusing: refusal) }
    let error = unsafe StoreError.sqlite(code, handle, "The program wrote the statement.")
    guard let failure = error.sqliteFailure else { return error }
    switch code & 0xFF {
    case SQLITE_ERROR where failure.message == "incomplete input":
      return StoreError(refusing: .unfinished)
    case SQLITE_ERROR, SQLITE_TOOBIG, SQLITE_RANGE, SQLITE_MISMATCH:
      return StoreError(refusing: .failed(failure.message))
    default: return error
    }
  }

  /// Refuses a statement that writes by itself, as VACUUM does, or answers nothing, or has parameters of its own.
  @unsafe
  private static func check(_ pointer: OpaquePointer, _ bindings: Int) throws(StoreError) {
    guard unsafe sqlite3_stmt_readonly(pointer) != 0 else {
      throw StoreError(refusing: .acts("a change of the file"))
    }
    guard unsafe sqlite3_column_count(pointer) > 0 else {
      throw StoreError(refusing: .withoutRows)
    }
    let count = unsafe sqlite3_bind_parameter_count(pointer)
    guard count == bindings else { throw StoreError(refusing: .parameters) }
    for place in 0..<count
    where unsafe sqlite3_bind_parameter_name(pointer, place + 1) != nil {
      throw StoreError(refusing: .parameters)
    }
  }

  // MARK: - What SQLite tells of itself

  /// The functions that SQLite does not know as free of effects, without those of full-text search, which read.
  private func functionsWithEffects() throws(StoreError) -> Set<String> {
    var names: Set<String> = []
    for row in try rows(.functions) {
      guard let name = row[0].text, let flags = row[1].integer else { continue }
      let isPure = Int32(truncatingIfNeeded: flags) & (SQLITE_INNOCUOUS | SQLITE_DETERMINISTIC) != 0
      if !isPure { names.insert(name.lowercased()) }
    }
    names.subtract(["bm25", "highlight", "snippet", "matchinfo", "offsets", "match"])
    // It writes to the log of the process's errors.
    names.insert("sqlite_log")
    return names
  }

  /// Lets SQLite load the virtual tables of the file. Returns false if there are none.
  private func meetVirtualTables() throws(StoreError) -> Bool {
    let names = try texts(.virtualTables)
    for name in names { try Statement(.anyRow(of: name), on: self).finalize() }
    return !names.isEmpty
  }
}

extension StoreError {
  init(refusing refusal: StatementRefusal) {
    self.init(.unsupported, "The statement was refused.", underlying: refusal)
  }
}

extension Statement {
  fileprivate func answeredColumns() -> [StatementAnswer.Column] {
    (0..<(unsafe sqlite3_column_count(pointer))).map { place in
      let name = unsafe sqlite3_column_name(pointer, place).map { unsafe String(cString: $0) }
      return StatementAnswer.Column(name: name ?? "", origin: origin(place))
    }
  }

  private func origin(_ place: Int32) -> StatementAnswer.Origin? {
    guard let table = unsafe sporades_column_table(pointer, place),
      let column = unsafe sporades_column_origin(pointer, place)
    else { return nil }
    return unsafe StatementAnswer.Origin(
      table: String(cString: table), column: String(cString: column))
  }
}
