// SPDX-License-Identifier: MIT
public import CRawSQLite

/// A prepared statement: thin enough that the compiler leaves only the calls of SQLite.
@safe
public struct RawStatement: ~Copyable {
  @usableFromInline let handle: OpaquePointer

  @unsafe
  init(_ handle: OpaquePointer) { unsafe self.handle = handle }

  deinit { unsafe sqlite3_finalize(handle) }

  /// Goes to the next row; false when there is none.
  @inlinable
  public func step() -> Bool {
    switch unsafe sqlite3_step(handle) {
    case SQLITE_ROW: return true
    case SQLITE_DONE: return false
    case let code: fatalError("A statement failed with SQLite's code \(code).")
    }
  }

  /// Runs a statement that answers no rows and makes it ready to run again.
  @inlinable
  public func run() {
    _ = step()
    reset()
  }

  @inlinable
  public func reset() { unsafe sqlite3_reset(handle) }

  @inlinable
  public func bind(_ index: Int32, _ number: Int64) {
    unsafe sqlite3_bind_int64(handle, index, number)
  }

  @inlinable
  public func bind(_ index: Int32, _ number: Double) {
    unsafe sqlite3_bind_double(handle, index, number)
  }

  /// Binds text without a copy; the memory must stay until the statement is reset.
  @inlinable @unsafe
  public func bind(_ index: Int32, _ text: UnsafeBufferPointer<UInt8>) {
    let bytes = unsafe UnsafeRawPointer(text.baseAddress)?.assumingMemoryBound(to: CChar.self)
    unsafe sqlite3_bind_text(handle, index, bytes, Int32(text.count), raw_static())
  }

  @inlinable
  public func integer(_ column: Int32) -> Int64 { unsafe sqlite3_column_int64(handle, column) }

  @inlinable
  public func real(_ column: Int32) -> Double { unsafe sqlite3_column_double(handle, column) }

  /// A copy of the column's text.
  @inlinable
  public func text(_ column: Int32) -> String {
    // SQLite ends text with a zero; finding it is cheaper than asking for the length.
    guard let bytes = unsafe sqlite3_column_text(handle, column) else { return "" }
    return unsafe String(cString: bytes)
  }
}
