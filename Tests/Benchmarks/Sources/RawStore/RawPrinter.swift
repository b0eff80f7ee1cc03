// SPDX-License-Identifier: MIT
import CRawSQLite

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Prints rows as lines of JSON into a file, as a program in C would with a buffer.
@safe
public struct RawPrinter: ~Copyable {
  private var buffer: [UInt8] = []
  private let file: UnsafeMutablePointer<FILE>

  public init(_ path: String) {
    guard let opened = unsafe fopen(path, "w") else { fatalError("\(path) cannot be written.") }
    unsafe file = opened
    buffer.reserveCapacity(1 << 17)
  }

  deinit { unsafe fclose(file) }

  /// Prints the row that a statement made of ``RawAccount/select`` stands on.
  public mutating func print(_ row: borrowing RawStatement) {
    append("{\"email\":")
    append(text: row, 0)
    append(",\"name\":")
    append(text: row, 1)
    append(",\"age\":")
    append(row.integer(2))
    append(",\"score\":")
    buffer.append(contentsOf: "\(row.real(3))".utf8)
    append(row.integer(4) == 0 ? ",\"active\":false" : ",\"active\":true")
    append(",\"createdAt\":\"")
    append(date: row.real(5))
    append("\",\"club\":")
    append(text: row, 6)
    append("}\n")
    if buffer.count > 1 << 16 { flush() }
  }

  /// Writes what is left, and waits for the disk.
  public mutating func finish() {
    flush()
    unsafe fflush(file)
    unsafe fsync(fileno(file))
  }

  private mutating func flush() {
    _ = unsafe buffer.withUnsafeBytes { unsafe fwrite($0.baseAddress, 1, $0.count, file) }
    buffer.removeAll(keepingCapacity: true)
  }

  private mutating func append(_ text: StaticString) {
    unsafe buffer.append(
      contentsOf: UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
  }

  private mutating func append(text row: borrowing RawStatement, _ column: Int32) {
    guard let bytes = unsafe sqlite3_column_text(row.handle, column) else {
      return append("null")
    }
    let count = Int(unsafe sqlite3_column_bytes(row.handle, column))
    buffer.append(UInt8(ascii: "\""))
    var start = 0
    for index in 0..<count {
      let byte = unsafe bytes[index]
      guard byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") else {
        continue
      }
      unsafe buffer.append(
        contentsOf: UnsafeBufferPointer(start: bytes + start, count: index - start))
      buffer.append(contentsOf: [UInt8(ascii: "\\"), byte])
      start = index + 1
    }
    unsafe buffer.append(
      contentsOf: UnsafeBufferPointer(start: bytes + start, count: count - start))
    buffer.append(UInt8(ascii: "\""))
  }

  private mutating func append(_ number: Int64, width: Int = 1) {
    var rest = number.magnitude
    let start = buffer.count
    repeat {
      buffer.append(UInt8(ascii: "0") + UInt8(rest % 10))
      rest /= 10
    } while rest > 0 || buffer.count - start < width
    buffer[start...].reverse()
  }

  private mutating func append(date seconds: Double) {
    var clock = time_t(seconds) + 978_307_200
    var time = unsafe tm()
    unsafe gmtime_r(&clock, &time)
    unsafe append(Int64(time.tm_year) + 1900, width: 4)
    let parts: [(StaticString, Int32)] = unsafe [
      ("-", time.tm_mon + 1), ("-", time.tm_mday), ("T", time.tm_hour), (":", time.tm_min),
      (":", time.tm_sec),
    ]
    for (mark, number) in parts {
      append(mark)
      append(Int64(number), width: 2)
    }
    append("Z")
  }
}
