// SPDX-License-Identifier: MIT
import CPostgreSQL
import SporadesStore

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// Rows on their way into a table, in the binary form of `COPY`.
struct CopiedRows {
  /// A chunk goes to the server when it has this many bytes.
  fileprivate static let chunk = 1 << 16
  fileprivate var bytes: [UInt8] =
    Array("PGCOPY\n".utf8) + [0xFF, 0x0D, 0x0A, 0]
    + [UInt8](repeating: 0, count: 8)

  /// Appends a row.
  mutating func append(_ values: [ServerValue]) {
    append(Int16(clamping: values.count))
    for value in values {
      guard let content = value.bytes else {
        append(Int32(-1))
        continue
      }
      append(Int32(clamping: content.count))
      bytes += content
    }
  }

  fileprivate mutating func end() { append(Int16(-1)) }

  private mutating func append(_ word: some FixedWidthInteger) {
    unsafe withUnsafeBytes(of: word.bigEndian) { unsafe bytes.append(contentsOf: $0) }
  }
}

// `COPY` takes the fewest bytes and the least time for many rows. A pipeline cannot hold it: the connection would stay in it.
extension ServerConnection {
  /// Copies the rows that `next` appends, until it returns false. An error of the server ends the copying.
  func copy(
    into sql: String, _ next: (inout CopiedRows) throws(StoreError) -> Bool
  ) throws(StoreError) {
    try request { () throws(StoreError) -> Result<Void, StoreError> in
      let attempt = "The statement was: \(sql)"
      guard unsafe PQsendQueryParams(handle, sql, 0, nil, nil, nil, nil, 1) == 1 else {
        throw unsafe failure(nil, attempt)
      }
      try flush(sql)
      if let refusal = try expectCopying(attempt) { return .failure(refusal) }
      var rows = CopiedRows()
      var refusal: StoreError?
      do throws(StoreError) {
        while try next(&rows) {
          if rows.bytes.count >= CopiedRows.chunk { try put(&rows, attempt) }
        }
        rows.end()
        try put(&rows, attempt)
      } catch {
        refusal = error
      }
      let error = try endCopying(sql, isRefused: refusal != nil)
      return (refusal ?? error).map { .failure($0) } ?? .success(())
    }
  }

  /// Ends the copying. Returns the server's error. A refusal ends it without its rows.
  private func endCopying(_ sql: String, isRefused: Bool) throws(StoreError) -> StoreError? {
    let attempt = "The statement was: \(sql)"
    while true {
      let code = unsafe PQputCopyEnd(handle, isRefused ? "The rows were refused." : nil)
      if code == 1 { break }
      guard code == 0 else { throw unsafe failure(nil, attempt) }
      _ = try wait(for: POLLOUT)
    }
    try flush(sql)
    return try lastError(attempt)
  }

  /// Returns the server's error where it takes no rows.
  private func expectCopying(_ attempt: String) throws(StoreError) -> StoreError? {
    guard let result = unsafe try nextResult(attempt) else {
      throw unsafe failure(nil, attempt)
    }
    let status = unsafe PQresultStatus(result)
    guard status == PGRES_COPY_IN else {
      let error = unsafe failure(result, attempt)
      unsafe PQclear(result)
      _ = try lastError(attempt)
      return error
    }
    unsafe PQclear(result)
    return nil
  }

  private func put(_ rows: inout CopiedRows, _ attempt: String) throws(StoreError) {
    while true {
      let code = unsafe rows.bytes.withUnsafeBufferPointer { buffer in
        unsafe buffer.withMemoryRebound(to: CChar.self) {
          unsafe PQputCopyData(handle, $0.baseAddress, Int32(clamping: $0.count))
        }
      }
      if code == 1 { break }
      guard code == 0 else { throw unsafe failure(nil, attempt) }
      _ = try wait(for: POLLOUT)
    }
    rows.bytes.removeAll(keepingCapacity: true)
  }

  /// Takes the results that are left, and the first error among them.
  private func lastError(_ attempt: String) throws(StoreError) -> StoreError? {
    var error: StoreError?
    while let result = unsafe try nextResult(attempt) {
      let status = unsafe PQresultStatus(result)
      if status != PGRES_COMMAND_OK, error == nil { error = unsafe failure(result, attempt) }
      unsafe PQclear(result)
    }
    return error
  }
}
