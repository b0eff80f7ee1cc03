// SPDX-License-Identifier: MIT
import CPostgreSQL

/// The answer to a statement, in the server's binary form. The memory is libpq's, and ends with this.
@safe
package final class ServerRows {
  private let result: OpaquePointer
  package let count: Int

  @unsafe
  init(_ result: OpaquePointer) {
    unsafe self.result = unsafe result
    count = unsafe Int(PQntuples(result))
  }

  deinit { unsafe PQclear(result) }

  /// The number of rows that the statement changed; nil if it changes none by its kind.
  package var changed: Int? {
    unsafe PQcmdTuples(result).flatMap { unsafe Int(String(cString: $0)) }
  }

  /// The server's word for its deed: `COMMIT`, or `ROLLBACK` where it was to commit a transaction that had failed.
  var deed: String { unsafe PQcmdStatus(result).map { unsafe String(cString: $0) } ?? "" }

  /// The number of a column's type.
  func type(_ column: Int) -> UInt32 { unsafe PQftype(result, Int32(column)) }

  package func isNull(_ row: Int, _ column: Int) -> Bool {
    unsafe PQgetisnull(result, Int32(row), Int32(column)) == 1
  }

  /// The bytes of a value; nil for null. They are valid while this lives.
  @unsafe
  func cell(_ row: Int, _ column: Int) -> UnsafeRawBufferPointer? {
    let count = Int(unsafe PQgetlength(result, Int32(row), Int32(column)))
    // Only a value without bytes may be none.
    if count == 0, isNull(row, column) { return nil }
    return unsafe UnsafeRawBufferPointer(
      start: PQgetvalue(result, Int32(row), Int32(column)), count: count)
  }

  package func text(_ row: Int, _ column: Int) -> String? {
    guard let bytes = unsafe cell(row, column) else { return nil }
    return unsafe String(decoding: bytes, as: UTF8.self)
  }

  package func blob(_ row: Int, _ column: Int) -> [UInt8]? {
    guard let bytes = unsafe cell(row, column) else { return nil }
    return unsafe Array(bytes)
  }

  /// A whole number of two, four or eight bytes; nil for null and for values of another length.
  package func integer(_ row: Int, _ column: Int) -> Int64? {
    guard let bytes = unsafe cell(row, column) else { return nil }
    return unsafe Self.integer(bytes)
  }

  /// A whole number of two, four or eight bytes; nil for values of another length.
  @unsafe
  static func integer(_ bytes: UnsafeRawBufferPointer) -> Int64? {
    switch bytes.count {
    case 8: Int64(bigEndian: unsafe bytes.loadUnaligned(as: Int64.self))
    case 4: Int64(Int32(bigEndian: unsafe bytes.loadUnaligned(as: Int32.self)))
    case 2: Int64(Int16(bigEndian: unsafe bytes.loadUnaligned(as: Int16.self)))
    default: nil
    }
  }
}
