// SPDX-License-Identifier: MIT
import CSQLite
import SporadesSQL

/// Numbers that a file stores in another type than their column's.
///
/// SQLite reads a number from the start of any text, and 0 from a text without digits. This type accepts a
/// value only if all of it is the exact number.
enum OddNumber {
  /// The word of the slot; nil if the value does not have the attribute's type.
  @unsafe
  static func word(
    _ transfer: SlotTransfer, _ statement: OpaquePointer, _ column: Int32
  ) -> UInt64? {
    switch (transfer.transfer, unsafe sqlite3_column_type(statement, column)) {
    case (.integer, SQLITE_FLOAT):
      integer(Int64(exactly: unsafe sqlite3_column_double(statement, column)), transfer)
    case (.integer, SQLITE_TEXT): integer(Int64(unsafe text(statement, column)), transfer)
    case (.real, SQLITE_TEXT): Double(unsafe text(statement, column))?.bitPattern
    default: nil
    }
  }

  private static func integer(_ number: Int64?, _ transfer: SlotTransfer) -> UInt64? {
    guard let number, transfer.least <= number, number <= transfer.greatest else { return nil }
    return UInt64(bitPattern: number)
  }

  @unsafe
  private static func text(_ statement: OpaquePointer, _ column: Int32) -> String {
    let start = unsafe sqlite3_column_text(statement, column)
    let count = Int(unsafe sqlite3_column_bytes(statement, column))
    return unsafe String(
      decoding: UnsafeBufferPointer(start: start, count: start == nil ? 0 : count), as: UTF8.self)
  }
}
