// SPDX-License-Identifier: MIT
import CSQLite
import SporadesModel
import SporadesSQL

extension Connection {
  /// Registers the functions that conditions and triggers call.
  ///
  /// Triggers of derived attributes in files that apps wrote end with a call that tells Core Data
  /// of the new value; without these functions no row could be written there. Rows are read anew
  /// here, so the calls have nothing to do.
  func registerFunctions() {
    for name in [
      "NSCoreDataDATriggerUpdatedAffectedObjectValue",
      "NSCoreDataDATriggerInsertUpdatedAffectedObjectValue",
      "NSCoreDataTriggerUpdateAffectedObjectValue",
    ] {
      unsafe sqlite3_create_function_v2(
        handle, name, -1, SQLITE_UTF8 | SQLITE_INNOCUOUS, nil,
        { context, _, _ in unsafe sqlite3_result_null(context) },
        nil, nil, nil)
    }
    registerText()
  }

  private static let pure = SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_INNOCUOUS

  private func registerText() {
    unsafe sqlite3_create_function_v2(
      handle, SQLFunction.fold, 2, Self.pure, nil,
      { context, _, arguments in
        guard let text = unsafe SQLArgument.text(arguments?[0]) else { return }
        let options = FetchPredicate.TextOptions(
          rawValue: Int(unsafe sqlite3_value_int64(arguments?[1])))
        unsafe SQLArgument.answer(context, TextFolding.fold(text, options))
      }, nil, nil, nil)
    unsafe sqlite3_create_function_v2(
      handle, SQLFunction.like, 3, Self.pure, nil,
      { context, _, arguments in unsafe SQLArgument.match(context, arguments, isLike: true) },
      nil, nil, nil)
    unsafe sqlite3_create_function_v2(
      handle, SQLFunction.matches, 3, Self.pure, nil,
      { context, _, arguments in unsafe SQLArgument.match(context, arguments, isLike: false) },
      nil, nil, nil)
  }
}

/// Arguments and answers of functions in SQL.
private enum SQLArgument {
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
        unsafe sqlite3_result_text(
          context, text.baseAddress ?? UnsafePointer(bitPattern: 1), Int32(text.count),
          sporades_transient())
      }
    }
  }

  /// Compiles the pattern once per statement: SQLite keeps it beside the constant argument.
  @unsafe
  static func match(
    _ context: OpaquePointer?, _ arguments: UnsafeMutablePointer<OpaquePointer?>?, isLike: Bool
  ) {
    guard let text = unsafe Self.text(arguments?[0]),
      let pattern = unsafe Self.text(arguments?[1])
    else {
      unsafe sqlite3_result_int(context, 0)
      return
    }
    if let known = unsafe sqlite3_get_auxdata(context, 1) {
      let box = unsafe Unmanaged<PatternBox>.fromOpaque(known).takeUnretainedValue()
      unsafe sqlite3_result_int(context, box.pattern.matches(text) ? 1 : 0)
      return
    }
    let options = FetchPredicate.TextOptions(
      rawValue: Int(unsafe sqlite3_value_int64(arguments?[2])))
    guard
      let made = isLike
        ? TextPattern(like: pattern, options: options)
        : try? TextPattern(matching: pattern, options: options)
    else {
      unsafe sqlite3_result_error(context, "The pattern is no regular expression.", -1)
      return
    }
    unsafe sqlite3_result_int(context, made.matches(text) ? 1 : 0)
    let box = unsafe Unmanaged.passRetained(PatternBox(made))
    unsafe sqlite3_set_auxdata(context, 1, box.toOpaque()) { box in
      if let box = unsafe box { unsafe Unmanaged<PatternBox>.fromOpaque(box).release() }
    }
  }
}

private final class PatternBox {
  let pattern: TextPattern
  init(_ pattern: TextPattern) { self.pattern = pattern }
}
