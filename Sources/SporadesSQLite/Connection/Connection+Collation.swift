// SPDX-License-Identifier: MIT
import CSQLite
import SporadesModel
import SporadesSQL
import SporadesStore

// The orders of languages. A statement asks for the key of each row once and sorts the keys, where a collation of
// SQLite's would compare the texts again and again. No index, trigger or view names the function.
extension Connection {
  /// `SPORADES_COLLATE(text, comparison, locale)`: the key of a text, whose bytes have the order of the language.
  func registerCollation() throws(StoreError) {
    let flags = SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_INNOCUOUS
    unsafe try register(SQLFunction.collate, 3, flags) { context, _, arguments in
      do throws(FetchPredicateError) {
        guard let text = unsafe SQLArgument.text(arguments?[0]) else {
          return unsafe sqlite3_result_null(context)
        }
        let key = unsafe try Collation.collator(context, arguments).key(of: text)
        unsafe key.withUnsafeBytes { unsafe SQLArgument.answer(context, $0) }
      } catch {
        unsafe sqlite3_result_error(context, error.detail, -1)
      }
    }
  }
}

private enum Collation {
  /// The rules of a statement. SQLite keeps them beside the constant argument until the statement ends.
  @unsafe
  static func collator(
    _ context: OpaquePointer?, _ arguments: UnsafeMutablePointer<OpaquePointer?>?
  ) throws(FetchPredicateError) -> any TextCollator {
    if let known = unsafe sqlite3_get_auxdata(context, 2) {
      return unsafe Unmanaged<Box>.fromOpaque(known).takeUnretainedValue().collator
    }
    let name = unsafe SQLArgument.text(arguments?[1]) ?? ""
    guard let comparison = TextCollation.Comparison(rawValue: name) else {
      throw FetchPredicateError(.unsupported, "There is no order of texts named \(name).")
    }
    let locale = unsafe SQLArgument.text(arguments?[2])
    let collator = try TextCollation(comparison, locale: locale).collator()
    unsafe sqlite3_set_auxdata(context, 2, Unmanaged.passRetained(Box(collator)).toOpaque()) {
      if let box = unsafe $0 { unsafe Unmanaged<Box>.fromOpaque(box).release() }
    }
    return collator
  }

  private final class Box {
    let collator: any TextCollator
    init(_ collator: any TextCollator) { self.collator = collator }
  }
}
