// SPDX-License-Identifier: MIT
import CPostgreSQL
import SporadesModel
package import SporadesStore

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// The text of a statement and the types of its parameters, which a server prepares together.
struct ServerStatement: Hashable {
  let sql: String
  let types: [UInt32]

  /// A part of a pipeline, which the server answers.
  enum Sent {
    case preparation(ServerStatement)
    case statement(String)
  }
}

// Statements travel in pipelines: all are sent, and then all answers are taken, in one round trip. The first error ends
// all that follow it.
extension ServerConnection {
  /// Runs one statement.
  @discardableResult
  package func run(_ sql: String, _ values: [ServerValue] = []) throws(StoreError) -> ServerRows {
    let answers = try pipelined { (connection) throws(StoreError) in
      try connection.send(sql, values)
    }
    return answers[0]
  }

  /// Runs what `body` sends, and returns an answer for each statement.
  package func pipelined(
    _ body: (ServerConnection) throws(StoreError) -> Void
  ) throws(StoreError) -> [ServerRows] {
    let (answers, error) = try exchange(body)
    if let error { throw error }
    return answers
  }

  /// Runs what `body` sends. Returns an answer for each statement before the first error, and that error. Throws where the
  /// connection has ended, and what `body` throws.
  package func exchange(
    _ body: (ServerConnection) throws(StoreError) -> Void
  ) throws(StoreError) -> (answers: [ServerRows], error: StoreError?) {
    try request { () throws(StoreError) in
      guard unsafe PQenterPipelineMode(handle) == 1 else {
        throw unsafe failure(nil, "It was a pipeline.")
      }
      sent = []
      var refusal: StoreError?
      do throws(StoreError) { try body(self) } catch { refusal = error }
      guard unsafe PQpipelineSync(handle) == 1 else {
        throw unsafe failure(nil, "It was the end of a pipeline.")
      }
      var taken = try takeAnswers()
      // A constraint that is checked at the end of the transaction may fail there.
      if let late = try takeSync(), taken.error == nil { taken.error = late }
      guard unsafe PQexitPipelineMode(handle) == 1 else {
        throw unsafe failure(nil, "It was the end of a pipeline.")
      }
      // The server has executed the statements before the refused one. The caller undoes its transaction.
      return refusal.map { .failure($0) } ?? .success(taken)
    }
  }

  /// The largest number of statements that stay prepared. Further ones are sent with their texts each time.
  private static let preparedLimit = 500

  /// Sends a statement in the open pipeline.
  package func send(_ sql: String, _ values: [ServerValue] = []) throws(StoreError) {
    let sql = inner?.statement(for: sql) ?? sql
    let statement = ServerStatement(sql: sql, types: values.map(\.type.rawValue))
    let name = try name(of: statement)
    let isSent = unsafe Self.withPointers(to: values) { pointers, lengths, formats in
      let count = Int32(values.count)
      if let name {
        return unsafe PQsendQueryPrepared(handle, name, count, pointers, lengths, formats, 1)
      }
      return unsafe PQsendQueryParams(
        handle, sql, count, statement.types, pointers, lengths, formats, 1)
    }
    guard isSent == 1 else { throw unsafe failure(nil, Self.attempt(sql)) }
    sent.append(.statement(sql))
    unflushed += values.reduce(sql.utf8.count) { $0 + ($1.bytes?.count ?? 0) }
    // What is small goes to the server with the end of the pipeline, in one piece.
    if unflushed >= Self.flushedSize { try flush(sql) }
  }

  private static let flushedSize = 32_768

  private func name(of statement: ServerStatement) throws(StoreError) -> String? {
    if let known = prepared[statement] { return known }
    guard keepsStatements, prepared.count < Self.preparedLimit else { return nil }
    let name = "s\(nextName)"
    nextName += 1
    let isSent = unsafe PQsendPrepare(
      handle, name, statement.sql, Int32(statement.types.count), statement.types)
    guard isSent == 1 else { throw unsafe failure(nil, Self.attempt(statement.sql)) }
    prepared[statement] = name
    sent.append(.preparation(statement))
    return name
  }

  private static func attempt(_ sql: String) -> String {
    sql.isEmpty ? "It was the end of a request." : "The statement was: \(sql)"
  }

  // MARK: - Answers

  /// Sends what libpq still holds. A server that sends does not read, so what it sends is taken in between.
  func flush(_ sql: String) throws(StoreError) {
    unflushed = 0
    while true {
      let code = unsafe PQflush(handle)
      if code == 0 { return }
      guard code == 1 else { throw unsafe failure(nil, Self.attempt(sql)) }
      _ = try wait(for: POLLIN | POLLOUT)
      guard unsafe PQconsumeInput(handle) == 1 else {
        throw unsafe failure(nil, Self.attempt(sql))
      }
    }
  }

  /// Takes the answers to all that was sent, and the first error among them.
  private func takeAnswers() throws(StoreError) -> (answers: [ServerRows], error: StoreError?) {
    try flush("")
    var answers: [ServerRows] = []
    var error: StoreError?
    for item in sent {
      let sql =
        switch item {
        case .preparation(let statement): statement.sql
        case .statement(let sql): sql
        }
      let (rows, failure) = try takeAnswer(to: sql)
      if let failure, error == nil { error = failure }
      if case .preparation(let statement) = item, rows == nil {
        // The server knows no such statement.
        prepared[statement] = nil
      } else if case .statement = item, let rows {
        answers.append(rows)
      }
    }
    return (answers, error)
  }

  /// Takes one answer. Both are nil for a statement behind an error.
  private func takeAnswer(to sql: String) throws(StoreError) -> (ServerRows?, StoreError?) {
    var rows: ServerRows?
    var error: StoreError?
    while let result = unsafe try nextResult(sql) {
      switch unsafe PQresultStatus(result) {
      case PGRES_COMMAND_OK, PGRES_TUPLES_OK: rows = unsafe ServerRows(result)
      case PGRES_PIPELINE_ABORTED: unsafe PQclear(result)
      default:
        error = unsafe failure(result, Self.attempt(sql))
        unsafe PQclear(result)
      }
    }
    return (rows, error)
  }

  /// Takes the end of a pipeline. Returns the error of a commit that the server does there.
  private func takeSync() throws(StoreError) -> StoreError? {
    var error: StoreError?
    while true {
      guard let result = unsafe try nextResult("") else {
        guard error == nil else { continue }
        throw unsafe failure(nil, "It was the end of a pipeline.")
      }
      defer { unsafe PQclear(result) }
      switch unsafe PQresultStatus(result) {
      case PGRES_PIPELINE_SYNC: return error
      case PGRES_FATAL_ERROR where error == nil:
        unsafe error = failure(result, "It was the end of a transaction.")
      default:
        throw StoreError(.io, "\(place): The server answered in another order than it was asked.")
      }
    }
  }

  /// The next result; nil between two statements.
  func nextResult(_ sql: String) throws(StoreError) -> OpaquePointer? {
    while unsafe PQisBusy(handle) == 1 {
      _ = try wait(for: POLLIN)
      guard unsafe PQconsumeInput(handle) == 1 else {
        throw unsafe failure(nil, Self.attempt(sql))
      }
    }
    let result = unsafe PQgetResult(handle)
    if unsafe result == nil, isBroken { throw unsafe failure(nil, Self.attempt(sql)) }
    return unsafe result
  }

  private static func withPointers<Output>(
    to values: [ServerValue],
    _ body: (
      UnsafePointer<UnsafePointer<CChar>?>?, UnsafePointer<Int32>?, UnsafePointer<Int32>?
    ) -> Output
  ) -> Output {
    // All bytes lie behind each other, so that one pointer serves for all.
    var bytes: [UInt8] = []
    var places: [Int?] = []
    for value in values {
      places.append(value.bytes == nil ? nil : bytes.count)
      if let content = value.bytes { bytes += content }
    }
    // A value without bytes needs an address, too: nil is null.
    bytes.append(0)
    let lengths = values.map { Int32(clamping: $0.bytes?.count ?? 0) }
    let formats = [Int32](repeating: 1, count: values.count)
    return unsafe bytes.withUnsafeBytes { region in
      let base = unsafe region.baseAddress?.assumingMemoryBound(to: CChar.self)
      let pointers = unsafe places.map { place -> UnsafePointer<CChar>? in
        guard let place, let base = unsafe base else { return nil }
        return unsafe base + place
      }
      return unsafe body(pointers, lengths, formats)
    }
  }
}
