// SPDX-License-Identifier: MIT
import CRawSQLite
import CRawZlib

extension RawStatement {
  /// The number of bytes to which the column's bytes expand.
  public func expandedCount(_ column: Int32) -> Int {
    let bytes = unsafe sqlite3_column_blob(handle, column)
    let count = unsafe sqlite3_column_bytes(handle, column)
    let capacity = 1 << 22
    return unsafe withUnsafeTemporaryAllocation(byteCount: capacity, alignment: 1) { target in
      let size = unsafe raw_inflate(bytes, count, target.baseAddress, Int32(capacity))
      precondition(size >= 0, "The model in the store does not expand.")
      return size
    }
  }
}
