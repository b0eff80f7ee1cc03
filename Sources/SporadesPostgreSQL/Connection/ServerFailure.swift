// SPDX-License-Identifier: MIT
import CPostgreSQL
import SporadesStore

/// The state and message of an error of a server, or of the way to it.
package struct ServerFailure: Error, Sendable, CustomStringConvertible {
  /// The five signs of SQL's table of states; nil if the server said nothing, because the connection ended.
  package let state: String?
  let message: String
  let constraint: String?
  package let table: String?
  package let column: String?

  package var description: String { "PostgreSQL \(state ?? "connection"): \(message)" }

  @unsafe
  init(_ result: OpaquePointer?, or connection: OpaquePointer) {
    func field(_ sign: Character) -> String? {
      let code = Int32(sign.asciiValue ?? 0)
      return unsafe PQresultErrorField(result, code).map { unsafe String(cString: $0) }
    }
    // The signs of PG_DIAG_SQLSTATE, PG_DIAG_MESSAGE_PRIMARY, and PG_DIAG_CONSTRAINT_NAME, TABLE_NAME and COLUMN_NAME.
    state = field("C")
    let last = unsafe PQerrorMessage(connection).map { unsafe String(cString: $0) }
    message = Self.sentence(field("M") ?? last ?? "")
    (constraint, table, column) = (field("n"), field("t"), field("c"))
  }

  /// The failure of an attempt to connect. libpq keeps no state of it, and writes it into the message where it is asked for
  /// verbose ones: `FATAL:  28P01: password authentication failed for user "app"`.
  @unsafe
  init(connecting connection: OpaquePointer) {
    let text = unsafe PQerrorMessage(connection).map { unsafe String(cString: $0) } ?? ""
    let said = text.split(separator: "\n").lazy.compactMap(Self.stateAndMessage).first
    state = said?.state
    message = Self.sentence(said?.message ?? text)
    (constraint, table, column) = (nil, nil, nil)
  }

  private static func stateAndMessage(_ line: Substring) -> (state: String, message: String)? {
    let parts = line.split(separator: ":  ", maxSplits: 1)
    guard parts.count == 2 else { return nil }
    let (state, rest) = (parts[1].prefix(5), parts[1].dropFirst(5))
    guard state.utf8.allSatisfy({ 48...57 ~= $0 || 65...90 ~= $0 }), rest.hasPrefix(": ") else {
      return nil
    }
    return (String(state), String(rest.dropFirst(2)))
  }

  /// The words of a message, behind which a full stop can stand. libpq indents its further lines.
  private static func sentence(_ text: String) -> String {
    let words = text.split { $0.isWhitespace }.joined(separator: " ")
    let sentence = words.hasSuffix(".") ? String(words.dropLast()) : words
    return sentence.isEmpty ? "the server gave no reason" : sentence
  }
}

extension StoreError {
  /// The store error for a failure of a server. It names the server, the cause, the remedy and the attempt.
  static func server(_ failure: ServerFailure, at place: String, _ attempt: String) -> StoreError {
    if failure.state == "57014", let error = Cancellation.current?.error { return error }
    let (code, remedy) = meaning(of: failure.state)
    return StoreError(
      code, "\(place): \(failure.message). \(remedy) \(attempt)", underlying: failure)
  }

  /// The store error for an attempt to connect that failed.
  static func unreached(_ failure: ServerFailure, at place: String) -> StoreError {
    guard failure.state == nil else { return .server(failure, at: place, attemptToConnect) }
    // libpq has no codes for what it refuses itself. These words stand in no failure that may pass.
    if ["certificate", "private key", "does not support SSL"].contains(
      where: failure.message.contains)
    {
      return StoreError(
        .cannotOpen,
        "\(place): \(failure.message). The connection is not encrypted as the address asks. Correct sslmode, sslrootcert or "
          + "sslcert there, or the server's certificate.", underlying: failure)
    }
    return StoreError(
      .io,
      "\(place): \(failure.message). The server was not reached. Check its address, and whether it runs. \(attemptToConnect)",
      underlying: failure)
  }

  private static let attemptToConnect = "It was an attempt to connect."

  package var serverFailure: ServerFailure? { underlying as? ServerFailure }

  private static func meaning(of state: String?) -> (Code, String) {
    guard let state else { return (.io, "The connection ended. The store connects again.") }
    return exactMeaning(of: state) ?? generalMeaning(of: state)
  }

  private static func exactMeaning(of state: String) -> (Code, String)? {
    switch state {
    case "40001", "40P01": (.busy, "Another transaction came first. Try again.")
    case "55P03": (.busy, "Another transaction holds a lock. Try again.")
    case "57014": (.interrupted, "The server cancelled the statement.")
    case "53100", "53200", "53400": (.full, "The server has no room left.")
    case "26000", "42P05":
      (.unsupported, "A pooler changes the server's sessions. \(ServerPooler.remedy)")
    case "53300":
      (.busy, "The server has no connection left. Open fewer, or raise max_connections.")
    case "25006":
      (.readOnly, "The server is a standby, or its transactions are for reading only.")
    case "42P01", "42703", "3F000", "0A000":
      (.modelChanged, "The tables are others than when the store was opened. Open it again.")
    case "28000", "28P01", "3D000", "42501":
      (.cannotOpen, "The server does not let this user in. Check the address and its rights.")
    default: nil
    }
  }

  /// The first two signs of a state are its class.
  private static func generalMeaning(of state: String) -> (Code, String) {
    switch state.prefix(2) {
    case "08", "57": (.io, "The connection ended. The store connects again.")
    case "58", "XX": (.io, "The server failed. Its log says why.")
    case "53": (.busy, "The server lacks resources. Try again.")
    case "23":
      (.constraint(entity: "", properties: []), "A constraint of the table refuses the row.")
    case "54":
      (.tooLarge(entity: "", property: nil), "Something is larger than the server takes.")
    default: (.unsupported, "The server refuses the statement.")
    }
  }
}
