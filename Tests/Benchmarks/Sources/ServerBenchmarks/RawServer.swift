// SPDX-License-Identifier: MIT
import CRawPostgreSQL
import Foundation

/// What a careful program would write with libpq alone: prepared statements, binary values, one round trip each.
@safe
final class RawServer {
  private let handle: OpaquePointer

  init(_ address: String, schema: String) {
    guard let handle = unsafe PQconnectdb(address), unsafe PQstatus(handle) == CONNECTION_OK else {
      fatalError("No server answers at \(address).")
    }
    unsafe self.handle = handle
    run("SET search_path TO \(schema)")
  }

  deinit { unsafe PQfinish(handle) }

  /// Runs a statement without an answer that matters.
  func run(_ sql: String) { unsafe PQclear(checked(PQexec(handle, sql), sql)) }

  func prepare(_ name: String, _ sql: String) {
    unsafe PQclear(checked(PQprepare(handle, name, sql, 0, nil), sql))
  }

  /// Runs a prepared statement, and calls `body` with its answer.
  func ask<Output>(
    _ name: String, _ values: [[UInt8]], _ body: (OpaquePointer) -> Output
  ) -> Output {
    let answer = unsafe withPointers(to: values) { pointers, lengths, formats in
      unsafe PQexecPrepared(handle, name, Int32(values.count), pointers, lengths, formats, 1)
    }
    let result = unsafe checked(answer, name)
    defer { unsafe PQclear(result) }
    return unsafe body(result)
  }

  /// Runs a prepared statement for each of the rows, each in a transaction of its own, in one pipeline.
  func pipeline(_ name: String, _ rows: [[[UInt8]]]) {
    precondition(unsafe PQenterPipelineMode(handle) == 1, "The pipeline does not begin.")
    for values in rows {
      let isSent = unsafe withPointers(to: values) { pointers, lengths, formats in
        unsafe PQsendQueryPrepared(
          handle, name, Int32(values.count), pointers, lengths, formats, 1)
      }
      precondition(isSent == 1, "The server takes no rows.")
      precondition(unsafe PQpipelineSync(handle) == 1, "The server takes no rows.")
    }
    for _ in rows {
      unsafe PQclear(checked(PQgetResult(handle), name))
      precondition(unsafe PQgetResult(handle) == nil, "A statement has one answer.")
      let end = unsafe PQgetResult(handle)
      precondition(unsafe PQresultStatus(end) == PGRES_PIPELINE_SYNC, "A transaction has an end.")
      unsafe PQclear(end)
    }
    precondition(unsafe PQexitPipelineMode(handle) == 1, "The pipeline does not end.")
  }

  @unsafe
  private func withPointers<Output>(
    to values: [[UInt8]],
    _ body: ([UnsafePointer<CChar>?], [Int32], [Int32]) -> Output
  ) -> Output {
    let lengths = values.map { Int32($0.count) }
    let formats = [Int32](repeating: 1, count: values.count)
    var bytes: [UInt8] = []
    var places: [Int] = []
    for value in values {
      places.append(bytes.count)
      bytes += value
    }
    bytes.append(0)
    return unsafe bytes.withUnsafeBytes { region in
      let base = unsafe region.baseAddress.unsafelyUnwrapped.assumingMemoryBound(to: CChar.self)
      let pointers: [UnsafePointer<CChar>?] = unsafe places.map { unsafe base + $0 }
      return unsafe body(pointers, lengths, formats)
    }
  }

  /// Copies rows in the binary form.
  func copy(_ sql: String, _ bytes: [UInt8]) {
    unsafe PQclear(checked(PQexec(handle, sql), sql))
    for start in stride(from: 0, to: bytes.count, by: 1 << 16) {
      let end = min(start + 1 << 16, bytes.count)
      let code = unsafe bytes[start..<end].withUnsafeBytes {
        unsafe PQputCopyData(
          handle, $0.baseAddress?.assumingMemoryBound(to: CChar.self), Int32($0.count))
      }
      precondition(code == 1, "The server takes no rows.")
    }
    precondition(unsafe PQputCopyEnd(handle, nil) == 1, "The server takes no rows.")
    while let result = unsafe PQgetResult(handle) {
      unsafe PQclear(checked(result, sql))
    }
  }

  @unsafe
  private func checked(_ result: OpaquePointer?, _ sql: String) -> OpaquePointer {
    switch unsafe PQresultStatus(result) {
    case PGRES_COMMAND_OK, PGRES_TUPLES_OK, PGRES_COPY_IN:
      return unsafe result.unsafelyUnwrapped
    default:
      fatalError("\(sql): \(unsafe String(cString: PQerrorMessage(handle)))")
    }
  }
}

extension FixedWidthInteger {
  /// The bytes as the server takes them.
  var wire: [UInt8] { unsafe withUnsafeBytes(of: bigEndian) { unsafe Array($0) } }
}

/// Keys as a list of the server.
func wireList(_ keys: [Int64]) -> [UInt8] {
  var bytes: [UInt8] = Int32(1).wire + Int32(0).wire + Int32(20).wire
  bytes += Int32(keys.count).wire + Int32(1).wire
  for key in keys { bytes += Int32(8).wire + key.wire }
  return bytes
}
