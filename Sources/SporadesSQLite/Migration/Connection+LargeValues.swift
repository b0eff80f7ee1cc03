// SPDX-License-Identifier: MIT
import CSQLite
import SporadesSQL
import SporadesStore

extension Connection {
  /// `SPORADES_STORED(bytes)`: what a column with external storage holds for a value.
  /// `SPORADES_IS_UNREADABLE(stored)`: whether a column names a file that cannot be read.
  func registerLargeValues(_ values: LargeValueMigration) throws(StoreError) {
    unsafe try register(SQLFunction.stored, 1, SQLITE_UTF8, owner: values) {
      context, _, arguments in
      guard let owned = unsafe sqlite3_user_data(context) else { return }
      let values = unsafe Unmanaged<LargeValueMigration>.fromOpaque(owned).takeUnretainedValue()
      unsafe values.answerStored(context, arguments?[0])
    }
    unsafe try register(SQLFunction.isUnreadable, 1, SQLITE_UTF8, owner: values) {
      context, _, arguments in
      guard let owned = unsafe sqlite3_user_data(context) else { return }
      let values = unsafe Unmanaged<LargeValueMigration>.fromOpaque(owned).takeUnretainedValue()
      unsafe values.answerIsUnreadable(context, arguments?[0])
    }
  }
}

extension LargeValueMigration {
  @unsafe
  fileprivate func answerStored(_ context: OpaquePointer?, _ argument: OpaquePointer?) {
    guard unsafe sqlite3_value_type(argument) != SQLITE_NULL else {
      return unsafe sqlite3_result_null(context)
    }
    do throws(SystemFailure) {
      let stored = try unsafe stored(Self.bytes(argument))
      unsafe stored.withUnsafeBytes {
        unsafe sqlite3_result_blob64(
          context, $0.baseAddress, UInt64($0.count), sporades_transient())
      }
    } catch {
      // The migration keeps the failure itself, and rolls back.
      unsafe sqlite3_result_error(context, "\(error)", -1)
    }
  }

  @unsafe
  fileprivate func answerIsUnreadable(_ context: OpaquePointer?, _ argument: OpaquePointer?) {
    let isBlob = unsafe sqlite3_value_type(argument) == SQLITE_BLOB
    let answer = unsafe isBlob && isUnreadable(Self.bytes(argument))
    unsafe sqlite3_result_int(context, answer ? 1 : 0)
  }

  @unsafe
  private static func bytes(_ argument: OpaquePointer?) -> UnsafeRawBufferPointer {
    let start = unsafe sqlite3_value_blob(argument)
    let count = Int(unsafe sqlite3_value_bytes(argument))
    return unsafe UnsafeRawBufferPointer(start: start, count: start == nil ? 0 : count)
  }
}
