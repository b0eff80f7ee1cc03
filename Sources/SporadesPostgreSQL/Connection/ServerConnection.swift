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
package final class ServerConnection: @unchecked Sendable {
  // @unchecked: it moves between threads with its owner, and two threads never use it at once.
  let handle: OpaquePointer
  package let place: String
  /// The names of prepared statements.
  var prepared: [ServerStatement: String] = [:]
  /// Statements stay prepared. Those of an opening come once.
  package var keepsStatements = true
  /// The number in the name of the next one.
  var nextName = 0
  /// The preparations and statements of the open pipeline, in order. Their answers have not come yet.
  var sent: [ServerStatement.Sent] = []
  /// About the number of bytes that libpq may still hold back.
  var unflushed = 0
  /// When the server is asked again to stop the running request; nil before it was asked first.
  private var nextAttempt: ContinuousClock.Instant?
  /// A request did not come to its end, so that nobody knows which answers are still on their way.
  private var isGivenUp = false
  private var isConnected = false
  /// The beginning of the running request.
  private var beginning = ContinuousClock.now
  /// The server's process behind the connection; nil before it was asked.
  var process: ServerProcess?
  /// When the server started or recovered from a crash, which tells its runs apart; nil before it was asked.
  package internal(set) var serverStart: String?
  /// The store that the session is set to; nil before the first one.
  var served: ServedStore?
  /// Whoever uses the connection does so within a transaction of its owner; nil where the owner has none.
  var inner: InnerTransaction?
  /// The number of the process that libpq was told when it connected. A pooler makes one up.
  private var announcedProcess: Int64 = 0
  /// The longest time that the server spends on a statement; nil if there is none.
  var statementTimeout: Duration?
  /// A cancellation reaches the server. libpq sends it without encryption, so that it ends an encrypted connection instead.
  var takesCancellations = true

  /// Connects. Waits no longer than until the deadline.
  init(_ address: ServerAddress, until deadline: ContinuousClock.Instant) throws(StoreError) {
    place = address.place
    unsafe handle = try Self.start(address)
    listen()
    unsafe PQsetErrorVerbosity(handle, PQERRORS_VERBOSE)
    var wanted = PGRES_POLLING_WRITING
    while wanted != PGRES_POLLING_OK {
      if unsafe PQstatus(handle) == CONNECTION_BAD || wanted == PGRES_POLLING_FAILED {
        throw unsafe .unreached(ServerFailure(connecting: handle), at: place)
      }
      let events = wanted == PGRES_POLLING_READING ? POLLIN : POLLOUT
      guard try wait(for: events, until: deadline) else {
        throw StoreError(
          .timedOut,
          "\(place): The server did not answer in time. Check its address, or allow more time.")
      }
      wanted = unsafe PQconnectPoll(handle)
    }
    unsafe PQsetErrorVerbosity(handle, PQERRORS_DEFAULT)
    guard unsafe PQsetnonblocking(handle, 1) == 0 else {
      throw unsafe .unreached(ServerFailure(connecting: handle), at: place)
    }
    guard unsafe PQserverVersion(handle) >= Self.oldestVersion else {
      throw StoreError(
        .unsupported,
        "\(place): The server is older than PostgreSQL 14, which the store needs. Use a newer one.")
    }
    takesCancellations = unsafe PQsslInUse(handle) == 0
    announcedProcess = unsafe Int64(PQbackendPID(handle))
    isConnected = true
  }

  private static let oldestVersion: Int32 = 140_000

  /// A server that is gone without a word, as behind a loss of power, is noticed within half a minute. The system's own values
  /// are hours. Of two values for one word libpq takes the last.
  private static let attentive = [
    ("keepalives_idle", "10"), ("keepalives_interval", "5"), ("keepalives_count", "3"),
    ("tcp_user_timeout", "25000"),
  ]

  private static func start(_ address: ServerAddress) throws(StoreError) -> OpaquePointer {
    let options =
      Self.attentive + address.options
      + [("client_encoding", "UTF8"), ("fallback_application_name", "Sporades")]
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
    return unsafe started
  }

  deinit { unsafe PQfinish(handle) }

  /// The connection has ended, and every request on it fails.
  var isBroken: Bool { unsafe isGivenUp || PQstatus(handle) != CONNECTION_OK }

  /// A pooler stands before the server, and may give the server's process to another client.
  var isPooled: Bool { process?.number != announcedProcess }

  /// The server is in a transaction, which may have failed.
  package var isInTransaction: Bool {
    if let inner { return inner.isOpen || isInFailedTransaction }
    return switch unsafe PQtransactionStatus(handle) {
    case PQTRANS_INTRANS, PQTRANS_INERROR, PQTRANS_ACTIVE: true
    default: false
    }
  }

  /// The server is in a transaction that can only be rolled back.
  var isInFailedTransaction: Bool { unsafe PQtransactionStatus(handle) == PQTRANS_INERROR }

  /// Looks whether the server has ended the connection since the last request. Asks nothing of the server.
  func notice() {
    while !isBroken {
      var socket = pollfd(fd: unsafe PQsocket(handle), events: Int16(POLLIN), revents: 0)
      guard unsafe poll(&socket, 1, 0) > 0, unsafe PQconsumeInput(handle) == 1 else { return }
      // Has libpq read what came.
      _ = unsafe PQisBusy(handle)
    }
  }

  /// Hears what the server says without being asked: its last word before it ends the connection, and hints for people, which
  /// libpq would write to the program's standard error.
  private func listen() {
    let hear: PQnoticeReceiver = { owner, message in
      let severity = unsafe PQresultErrorField(message, Int32(UInt8(ascii: "V")))
      guard let owner = unsafe owner, let severity = unsafe severity,
        unsafe ["FATAL", "PANIC"].contains(String(cString: severity))
      else { return }
      unsafe Unmanaged<ServerConnection>.fromOpaque(owner).takeUnretainedValue().isGivenUp = true
    }
    // The connection outlives its handle's use of it.
    unsafe PQsetNoticeReceiver(handle, hear, Unmanaged.passUnretained(self).toOpaque())
  }

  /// Runs a request. One that throws before all its answers have come ends the connection. Errors of the server are results.
  func request<Output>(
    _ body: () throws(StoreError) -> Result<Output, StoreError>
  ) throws(StoreError) -> Output {
    // libpq would wait for ever on a connection that has ended.
    guard !isBroken else { throw unsafe failure(nil, "It was the next request.") }
    nextAttempt = nil
    beginning = .now
    let result: Result<Output, StoreError>
    do throws(StoreError) { result = try body() } catch {
      isGivenUp = true
      throw error
    }
    return try result.get()
  }

  @unsafe
  func failure(_ result: OpaquePointer?, _ attempt: String) -> StoreError {
    let failure = unsafe ServerFailure(result, or: handle)
    // The server's words for both are one state, in the administrator's language.
    if failure.state == "57014", nextAttempt == nil, let limit = statementTimeout,
      ContinuousClock.now - beginning >= limit
    {
      return StoreError(
        .timedOut,
        "\(place): The statement took longer than \(limit), which is the statement timeout, and the server stopped it. Ask for "
          + "less, or allow more time with statementTimeout. \(attempt)", underlying: failure)
    }
    return .server(failure, at: place, attempt)
  }

  // MARK: - Waiting

  /// The longest time in which a cancellation goes unnoticed.
  private static let attention: Duration = .milliseconds(5)

  /// Waits until the socket is ready. False at the deadline. A cancellation in force is carried to the server.
  func wait(
    for events: Int32, until deadline: ContinuousClock.Instant? = nil
  ) throws(StoreError) -> Bool {
    while true {
      let number = unsafe PQsocket(handle)
      // The system waits for ever for a socket that is none.
      guard number >= 0 else { throw unsafe failure(nil, "It was waiting for an answer.") }
      var socket = pollfd(fd: number, events: Int16(events), revents: 0)
      let now = ContinuousClock.now
      if let deadline, now >= deadline { return false }
      let look = Cancellation.current.map { _ in nextAttempt ?? now + Self.attention }
      let next = [deadline, look].compactMap(\.self).min()
      let ready = unsafe poll(
        &socket, 1, next.map { Self.milliseconds(now.duration(to: $0)) } ?? -1)
      if ready > 0 { return true }
      let code = errno
      if ready < 0, code != EINTR {
        throw StoreError(.io, "\(place): The system does not watch the connection (\(code)).")
      }
      if ContinuousClock.now >= nextAttempt ?? now, let error = Cancellation.current?.error {
        try stop(error)
      }
    }
  }

  private static func milliseconds(_ time: Duration) -> Int32 {
    Int32(max(0, min(time, .seconds(60)) / .milliseconds(1)).rounded(.up))
  }

  /// Has the server stop the running request. Where it cannot, the request and its connection end with the error.
  ///
  /// A server that has not begun with a statement yet does not hear it, so that it is told again, less and less often.
  private func stop(_ error: StoreError) throws(StoreError) {
    guard isConnected, takesCancellations, cancelAtServer() else { throw error }
    let spent = ContinuousClock.now - beginning
    nextAttempt = .now + max(.milliseconds(20), min(spent / 2, .seconds(1)))
  }

  /// Asks the server to stop what it does for this connection. The statement then fails, unless it ended before. False if the
  /// server was not reached.
  private func cancelAtServer() -> Bool {
    guard let cancel = unsafe PQgetCancel(handle) else { return false }
    defer { unsafe PQfreeCancel(cancel) }
    var message = [CChar](repeating: 0, count: 256)
    return unsafe PQcancel(cancel, &message, Int32(message.count)) == 1
  }
}
