// SPDX-License-Identifier: MIT
import Synchronization

/// Stops the requests of a piece of code: when the program cancels them, or when they have taken too long.
///
/// ```swift
/// let cancellation = Cancellation(after: .seconds(2))
/// try cancellation.run { try context.fetch(request) }
/// ```
///
/// A store looks at the cancellation every few milliseconds while it reads, interrupts the running statement, and throws
/// an error with the code ``StoreError/Code-swift.enum/cancelled`` or ``StoreError/Code-swift.enum/timedOut``. A
/// cancellation interrupts no save: the store executes and commits it as a whole.
public final class Cancellation: Sendable {
  /// The innermost cancellation that the calling code runs under.
  @TaskLocal package static var current: Cancellation?

  private let isCancelledByProgram = Atomic(false)
  private let rows = Atomic(0)
  private let timeout: Timeout?
  private let outer: Cancellation?
  private let whenRead: (@Sendable (Int) -> Void)?

  private struct Timeout {
    let duration: Duration
    let end: ContinuousClock.Instant
  }

  /// Makes a cancellation that comes by itself after a time. Without a time, only ``cancel()`` causes it.
  ///
  /// Code that runs under another cancellation runs under both.
  public init(after timeout: Duration? = nil) {
    self.timeout = timeout.map { Timeout(duration: $0, end: ContinuousClock.now + $0) }
    outer = Self.current
    whenRead = nil
  }

  /// Makes a cancellation that tells how many rows its code has read so far, on the reading thread.
  package init(whenRead: @escaping @Sendable (Int) -> Void) {
    timeout = nil
    outer = Self.current
    self.whenRead = whenRead
  }

  /// Stops the requests of the code that runs under the cancellation, also those that it makes later.
  public func cancel() { isCancelledByProgram.store(true, ordering: .releasing) }

  /// The program has cancelled the requests.
  public var isCancelled: Bool {
    isCancelledByProgram.load(ordering: .acquiring) || outer?.isCancelled == true
  }

  /// The number of rows that stores have read so far for the code that runs under the cancellation.
  public var rowsRead: Int { rows.load(ordering: .relaxed) }

  /// Runs code whose requests the cancellation stops.
  public func run<Output, Failure: Error>(
    _ body: () throws(Failure) -> Output
  ) throws(Failure) -> Output {
    try Self.$current.withValue(self) { Result { () throws(Failure) in try body() } }.get()
  }

  // MARK: - For stores

  /// Counts rows that a store has read.
  package func note(rows count: Int) {
    let sum = rows.wrappingAdd(count, ordering: .relaxed).newValue
    whenRead?(sum)
    outer?.note(rows: count)
  }

  /// Whether a request that runs under the cancellation has to stop.
  package var isDue: Bool {
    if isCancelled { return true }
    if let timeout, ContinuousClock.now >= timeout.end { return true }
    return outer?.isDue == true
  }

  /// The error of a request that the cancellation stopped; nil if the request may go on.
  package var error: StoreError? {
    if isCancelled {
      return StoreError(
        .cancelled, "The program cancelled the request while the store was reading.")
    }
    if let timeout, ContinuousClock.now >= timeout.end {
      return StoreError(
        .timedOut,
        "The request took longer than \(timeout.duration), its timeout, and was stopped. Ask for less, look with "
          + "explain(_:) whether an index serves it, or allow more time.")
    }
    return outer?.error
  }

  /// Throws if the calling code runs under a cancellation that is due.
  package static func check() throws(StoreError) {
    if let error = current?.error { throw error }
  }

  /// Runs code that no cancellation interrupts.
  package static func shielding<Output, Failure: Error>(
    _ body: () throws(Failure) -> Output
  ) throws(Failure) -> Output {
    guard current != nil else { return try body() }
    return try $current.withValue(nil) { Result { () throws(Failure) in try body() } }.get()
  }
}
