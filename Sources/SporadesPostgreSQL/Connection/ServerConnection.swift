// SPDX-License-Identifier: MIT
import CPostgreSQL
import SporadesModel
import SporadesStore

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// One connection to a server. One thread at a time uses it.
///
/// It never blocks inside libpq: it waits for the socket itself, so that a cancellation is noticed while the server works.
@safe
final class ServerConnection: @unchecked Sendable {
  // @unchecked: it moves between threads with its owner, and two threads never use it at once.
  let handle: OpaquePointer
  let place: String
  /// The names of prepared statements.
  var prepared: [ServerStatement: String] = [:]
  /// Statements stay prepared. Those of an opening come once.
  var keepsStatements = true
  /// The number in the name of the next one.
  var nextName = 0
  /// The preparations and statements of the open pipeline, in order. Their answers have not come yet.
  var sent: [ServerStatement.Sent] = []
  private var isCancelled = false

  /// Connects. Waits no longer than until the deadline.
  init(_ address: ServerAddress, until deadline: ContinuousClock.Instant) throws(StoreError) {
    place = address.place
    let options =
      address.options + [("client_encoding", "UTF8"), ("fallback_application_name", "Sporades")]
    let texts = unsafe options.map { unsafe (strdup($0.0), strdup($0.1)) }
    defer {
      for unsafe(keyword, value) in unsafe texts {
        unsafe free(keyword)
        unsafe free(value)
      }
    }
    let keywords = unsafe texts.map { unsafe UnsafePointer($0.0) } + [nil]
    let values = unsafe texts.map { unsafe UnsafePointer($0.1) } + [nil]
    guard let started = unsafe PQconnectStartParams(keywords, values, 0) else {
      throw StoreError(.io, "\(address.place): No memory is left for a connection.")
    }
    unsafe handle = started
    var wanted = PGRES_POLLING_WRITING
    while wanted != PGRES_POLLING_OK {
      if unsafe PQstatus(handle) == CONNECTION_BAD || wanted == PGRES_POLLING_FAILED {
        throw unsafe failure(nil, Self.attempt)
      }
      let events = wanted == PGRES_POLLING_READING ? POLLIN : POLLOUT
      guard try wait(for: events, until: deadline) else {
        throw StoreError(
          .timedOut,
          "\(place): The server did not answer in time. Check its address, or allow more time.")
      }
      wanted = unsafe PQconnectPoll(handle)
    }
    guard unsafe PQsetnonblocking(handle, 1) == 0 else { throw unsafe failure(nil, Self.attempt) }
    guard unsafe PQserverVersion(handle) >= Self.oldestVersion else {
      throw StoreError(
        .unsupported,
        "\(place): The server is older than PostgreSQL 14, which the store needs. Use a newer one.")
    }
  }

  private static let attempt = "It was an attempt to connect."
  private static let oldestVersion: Int32 = 140_000

  deinit { unsafe PQfinish(handle) }

  /// The connection has ended, and every request on it fails.
  var isBroken: Bool { unsafe PQstatus(handle) != CONNECTION_OK }

  /// The server is in a transaction, which may have failed.
  var isInTransaction: Bool {
    switch unsafe PQtransactionStatus(handle) {
    case PQTRANS_INTRANS, PQTRANS_INERROR, PQTRANS_ACTIVE: true
    default: false
    }
  }

  @unsafe
  func failure(_ result: OpaquePointer?, _ attempt: String) -> StoreError {
    unsafe .server(ServerFailure(result, or: handle), at: place, attempt)
  }

  // MARK: - Waiting

  /// The longest time in milliseconds in which a cancellation goes unnoticed.
  private static let attention: Int32 = 5

  /// Waits until the socket is ready. False at the deadline. A cancellation in force is carried to the server once.
  func wait(
    for events: Int32, until deadline: ContinuousClock.Instant? = nil
  ) throws(StoreError) -> Bool {
    while true {
      var socket = pollfd(fd: unsafe PQsocket(handle), events: Int16(events), revents: 0)
      let mayCancel = Cancellation.current != nil && !isCancelled
      var limit: Int32 = mayCancel ? Self.attention : -1
      if let deadline {
        let left = ContinuousClock.now.duration(to: deadline)
        guard left > .zero else { return false }
        let milliseconds = left > .seconds(60) ? 60_000 : Int32(left / .milliseconds(1)) + 1
        limit = limit < 0 ? milliseconds : min(limit, milliseconds)
      }
      let ready = unsafe poll(&socket, 1, limit)
      if ready > 0 { return true }
      let code = errno
      if ready < 0, code != EINTR {
        throw StoreError(.io, "\(place): The system does not watch the connection (\(code)).")
      }
      if mayCancel, Cancellation.current?.isDue == true {
        isCancelled = true
        try cancelAtServer()
      }
    }
  }

  /// Lets the next request be cancelled.
  func beginRequest() { isCancelled = false }

  /// Asks the server to stop what it does for this connection. The statement then fails, unless it ended before.
  private func cancelAtServer() throws(StoreError) {
    guard let cancel = unsafe PQgetCancel(handle) else {
      throw unsafe failure(nil, "It was a cancellation.")
    }
    defer { unsafe PQfreeCancel(cancel) }
    var message = [CChar](repeating: 0, count: 256)
    guard unsafe PQcancel(cancel, &message, Int32(message.count)) == 1 else {
      let reason = String(decoding: message.prefix { $0 != 0 }.map(UInt8.init), as: UTF8.self)
      throw StoreError(.io, "\(place): The server did not take a cancellation: \(reason)")
    }
  }
}
