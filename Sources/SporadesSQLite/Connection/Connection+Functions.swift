// SPDX-License-Identifier: MIT
import CSQLite
import FoundationEssentials
import SporadesModel
import SporadesSQL
import SporadesStore

extension Connection {
  /// Registers the functions that conditions and triggers call.
  ///
  /// In files that apps wrote, the triggers of derived attributes end with a call that informs Core Data of
  /// the new value. Without these functions, SQLite could write no row there. The calls do nothing here,
  /// because the writer reads the rows again.
  func registerFunctions(_ files: ExternalFiles?) throws(StoreError) {
    for name in [
      "NSCoreDataDATriggerUpdatedAffectedObjectValue",
      "NSCoreDataDATriggerInsertUpdatedAffectedObjectValue",
      "NSCoreDataTriggerUpdateAffectedObjectValue",
    ] {
      unsafe try register(name, -1, SQLITE_UTF8 | SQLITE_INNOCUOUS) { context, _, _ in
        unsafe sqlite3_result_null(context)
      }
    }
    try registerText()
    try registerBytes(files)
  }

  /// `SPORADES_BYTES(stored)`: the value of an attribute that may be in a file.
  private func registerBytes(_ files: ExternalFiles?) throws(StoreError) {
    unsafe try register(SQLFunction.bytes, 1, SQLITE_UTF8 | SQLITE_DETERMINISTIC, owner: files) {
      context, _, arguments in
      let files = unsafe sqlite3_user_data(context).map {
        unsafe Unmanaged<ExternalFiles>.fromOpaque($0).takeUnretainedValue()
      }
      unsafe SQLArgument.answerBytes(context, arguments?[0], files)
    }
  }

  private static let pure = SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_INNOCUOUS

  typealias Function =
    @convention(c) (
      OpaquePointer?, Int32, UnsafeMutablePointer<OpaquePointer?>?
    ) -> Void

  /// Registers a function of SQL. It finds its owner with `sqlite3_user_data`, and SQLite keeps the owner until the
  /// connection closes.
  @unsafe
  func register(
    _ name: String, _ arguments: Int32, _ flags: Int32, owner: AnyObject? = nil,
    _ function: Function
  ) throws(StoreError) {
    let owned = unsafe owner.map { unsafe Unmanaged.passRetained($0).toOpaque() }
    let code = unsafe sqlite3_create_function_v2(
      handle, name, arguments, flags, owned, function, nil, nil,
      { owned in
        if let owned = unsafe owned { unsafe Unmanaged<AnyObject>.fromOpaque(owned).release() }
      })
    // SQLite releases the owner even if the registration fails.
    guard code == SQLITE_OK else {
      throw unsafe StoreError.sqlite(code, handle, "SQLite refused the function \(name).")
    }
  }

  private func registerText() throws(StoreError) {
    unsafe try register(SQLFunction.fold, 2, Self.pure) { context, _, arguments in
      guard let text = unsafe SQLArgument.text(arguments?[0]) else { return }
      let options = FetchPredicate.TextOptions(
        rawValue: Int(unsafe sqlite3_value_int64(arguments?[1])))
      unsafe SQLArgument.answer(context, TextFolding.fold(text, options))
    }
    unsafe try register(SQLFunction.like, 3, Self.pure) { context, _, arguments in
      unsafe SQLArgument.match(context, arguments, isLike: true)
    }
    unsafe try register(SQLFunction.matches, 3, Self.pure) { context, _, arguments in
      unsafe SQLArgument.match(context, arguments, isLike: false)
    }
  }
}

/// Arguments and results of SQL functions.
enum SQLArgument {
  @unsafe
  static func text(_ value: OpaquePointer?) -> String? {
    guard unsafe sqlite3_value_type(value) != SQLITE_NULL else { return nil }
    let start = unsafe sqlite3_value_text(value)
    let count = Int(unsafe sqlite3_value_bytes(value))
    return unsafe String(
      decoding: UnsafeBufferPointer(start: start, count: start == nil ? 0 : count), as: UTF8.self)
  }

  @unsafe
  static func answer(_ context: OpaquePointer?, _ text: String) {
    var text = text
    text.withUTF8 { utf8 in
      unsafe utf8.withMemoryRebound(to: CChar.self) { text in
        unsafe sqlite3_result_text64(
          context, text.baseAddress ?? UnsafePointer(bitPattern: 1), UInt64(text.count),
          sporades_transient(), UInt8(SQLITE_UTF8))
      }
    }
  }

  /// Returns the bytes that a column of a large value contains or names.
  @unsafe
  static func answerBytes(
    _ context: OpaquePointer?, _ argument: OpaquePointer?, _ files: ExternalFiles?
  ) {
    guard unsafe sqlite3_value_type(argument) != SQLITE_NULL else {
      return unsafe sqlite3_result_null(context)
    }
    let start = unsafe sqlite3_value_blob(argument)
    let count = Int(unsafe sqlite3_value_bytes(argument))
    let stored = unsafe UnsafeRawBufferPointer(start: start, count: start == nil ? 0 : count)
    if unsafe stored.first == 1 {
      return unsafe answer(context, UnsafeRawBufferPointer(rebasing: stored[1...]))
    }
    guard unsafe ValueName.isMarked(stored) else { return unsafe answer(context, stored) }
    do throws(SystemFailure) {
      guard let files, let name = unsafe ValueName(stored: stored) else {
        throw SystemFailure("A column names no file", 0)
      }
      let data = try files.folder.contents(of: name)
      unsafe data.withUnsafeBytes { unsafe answer(context, $0) }
    } catch {
      // The code for an I/O error would make SQLite roll back the whole transaction, though the statement
      // only reads. The message alone therefore carries the failure.
      unsafe sqlite3_result_error(
        context, UnreadableValue(detail: "\(error)").sqliteMessage, -1)
    }
  }

  @unsafe
  static func answer(_ context: OpaquePointer?, _ bytes: UnsafeRawBufferPointer) {
    guard let start = bytes.baseAddress, bytes.count > 0 else {
      return unsafe sqlite3_result_zeroblob(context, 0)
    }
    unsafe sqlite3_result_blob64(context, start, UInt64(bytes.count), sporades_transient())
  }

  @unsafe
  static func match(
    _ context: OpaquePointer?, _ arguments: UnsafeMutablePointer<OpaquePointer?>?, isLike: Bool
  ) {
    guard let text = unsafe Self.text(arguments?[0]) else {
      unsafe sqlite3_result_int(context, 0)
      return
    }
    do {
      guard let box = unsafe try pattern(context, arguments, isLike: isLike) else {
        unsafe sqlite3_result_int(context, 0)
        return
      }
      let matches = try box.pattern.matches(text, within: box.budget)
      unsafe sqlite3_result_int(context, matches ? 1 : 0)
    } catch {
      unsafe sqlite3_result_error(context, error.sqliteMessage, -1)
    }
  }

  /// The pattern of a statement. SQLite keeps it, with its count of steps, beside the constant argument until
  /// the statement ends. Nil for a null argument.
  @unsafe
  private static func pattern(
    _ context: OpaquePointer?, _ arguments: UnsafeMutablePointer<OpaquePointer?>?, isLike: Bool
  ) throws(FetchPredicateError) -> PatternBox? {
    if let known = unsafe sqlite3_get_auxdata(context, 1) {
      return unsafe Unmanaged<PatternBox>.fromOpaque(known).takeUnretainedValue()
    }
    guard let pattern = unsafe Self.text(arguments?[1]) else { return nil }
    let options = FetchPredicate.TextOptions(
      rawValue: Int(unsafe sqlite3_value_int64(arguments?[2])))
    let box = PatternBox(
      isLike
        ? TextPattern(like: pattern, options: options)
        : try TextPattern(matching: pattern, options: options))
    unsafe sqlite3_set_auxdata(context, 1, Unmanaged.passRetained(box).toOpaque()) { box in
      if let box = unsafe box { unsafe Unmanaged<PatternBox>.fromOpaque(box).release() }
    }
    return box
  }
}

private final class PatternBox {
  let pattern: TextPattern
  let budget = PatternBudget()
  init(_ pattern: TextPattern) { self.pattern = pattern }
}

extension FetchPredicateError {
  private static let mark = "SPORADES_MATCHES refused: "

  /// The message for SQLite, which passes it to the caller of the statement.
  fileprivate var sqliteMessage: String { Self.mark + detail }

  /// Reads the refusal back from SQLite's message; nil for any other message.
  init?(sqliteMessage message: String) {
    guard message.hasPrefix(Self.mark) else { return nil }
    let costly = FetchPredicateError.patternTooCostly
    let detail = String(message.dropFirst(Self.mark.count))
    self = detail == costly.detail ? costly : FetchPredicateError(.invalidPattern, detail)
  }
}

/// The failed read of a large value that a predicate needs.
struct UnreadableValue {
  private static let mark = "SPORADES_BYTES failed: "

  let detail: String

  init(detail: String) { self.detail = detail }

  /// The message for SQLite, which passes it to the caller of the statement.
  fileprivate var sqliteMessage: String { Self.mark + detail }

  /// Reads the failure back from SQLite's message; nil for any other message.
  init?(sqliteMessage message: String) {
    guard message.hasPrefix(Self.mark) else { return nil }
    detail = String(message.dropFirst(Self.mark.count))
  }
}
