// SPDX-License-Identifier: MIT
import CSQLite
import FoundationEssentials
import SporadesModel
import SporadesSQL
import SporadesStore

extension Connection {
  /// Registers the functions of migrations: conversions of values and of texts that SQLite does not know.
  func registerConversion() throws(StoreError) {
    let flags = SQLITE_UTF8 | SQLITE_DETERMINISTIC
    unsafe try register(SQLFunction.capitals, 2, flags) { context, _, arguments in
      guard let arguments = unsafe arguments,
        case .text(let text) = unsafe ConversionArgument.value(arguments[0])
      else { return unsafe sqlite3_result_null(context) }
      let isUpper = unsafe sqlite3_value_int(arguments[1]) != 0
      unsafe ConversionArgument.answer(
        context, .text(isUpper ? text.uppercased() : text.lowercased()))
    }
    unsafe try register(SQLFunction.convert, 3, flags) { context, _, arguments in
      guard let arguments = unsafe arguments,
        let old = AttributeType(rawValue: unsafe sqlite3_value_int(arguments[1])),
        let new = AttributeType(rawValue: unsafe sqlite3_value_int(arguments[2]))
      else { return unsafe sqlite3_result_null(context) }
      let value = StoredConversion.converted(
        unsafe ConversionArgument.value(arguments[0]), from: old, to: new)
      unsafe ConversionArgument.answer(context, value)
    }
  }
}

/// Converts stored values between types, if the value can be had back.
enum StoredConversion {
  /// Null if the value has no equal in the new type.
  static func converted(
    _ stored: SQLValue, from old: AttributeType, to new: AttributeType
  ) -> SQLValue {
    let value = stored.modelValue(old)
    guard let converted = value.converted(from: old, keptAs: new) else { return .null }
    let result = SQLValue(content: converted)
    return result.modelValue(new) == converted ? result : .null
  }
}

private enum ConversionArgument {
  @unsafe
  static func value(_ argument: OpaquePointer?) -> SQLValue {
    switch unsafe sqlite3_value_type(argument) {
    case SQLITE_INTEGER: return unsafe .integer(sqlite3_value_int64(argument))
    case SQLITE_FLOAT: return unsafe .real(sqlite3_value_double(argument))
    case SQLITE_TEXT:
      let start = unsafe sqlite3_value_text(argument)
      let bytes = unsafe UnsafeBufferPointer(
        start: start, count: start == nil ? 0 : Int(sqlite3_value_bytes(argument)))
      return .text(unsafe String(decoding: bytes, as: UTF8.self))
    case SQLITE_BLOB:
      let start = unsafe sqlite3_value_blob(argument)
      let bytes = unsafe UnsafeRawBufferPointer(
        start: start, count: start == nil ? 0 : Int(sqlite3_value_bytes(argument)))
      return unsafe .blob(Array(bytes))
    default: return .null
    }
  }

  @unsafe
  static func answer(_ context: OpaquePointer?, _ value: SQLValue) {
    switch value {
    case .null: unsafe sqlite3_result_null(context)
    case .integer(let number): unsafe sqlite3_result_int64(context, number)
    case .real(let number): unsafe sqlite3_result_double(context, number)
    case .text(var text):
      text.withUTF8 { utf8 in
        unsafe utf8.withMemoryRebound(to: CChar.self) { text in
          unsafe sqlite3_result_text64(
            context, text.baseAddress ?? UnsafePointer(bitPattern: 1), UInt64(text.count),
            sporades_transient(), UInt8(SQLITE_UTF8))
        }
      }
    case .blob(let bytes):
      unsafe bytes.withUnsafeBytes {
        unsafe sqlite3_result_blob64(
          context, $0.baseAddress ?? UnsafeRawPointer(bitPattern: 1), UInt64($0.count),
          sporades_transient())
      }
    }
  }
}
