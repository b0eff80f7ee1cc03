// SPDX-License-Identifier: MIT
public import Dispatch
public import SporadesModel

/// A service that can make its accepted writes durable.
///
/// The contract:
///
/// 1. ``flush(deadline:)`` blocks and returns no later than the deadline. The report counts the changes that are
///    not durable by then.
/// 2. Any thread may call it, several threads at once, and again after it returned.
/// 3. It does not wait for the main thread, which may be ending the process.
public protocol Flushable: AnyObject, Sendable {
  /// The name of the service in reports.
  var flushName: String { get }

  /// Makes all accepted writes durable, as far as that is possible before the deadline.
  func flush(deadline: ContinuousClock.Instant) -> FlushReport

  /// Refuses all later writes. The reactor calls it before the last flush, so that no write is acknowledged and
  /// then lost.
  ///
  /// A refused caller should get the error only when every member has left `flushes`. An error that ends the
  /// program would otherwise end the flushes of all services.
  func stopTakingWrites(until flushes: DispatchGroup)
  /// Accepts writes again, because the process goes on after the flush.
  func takeWritesAgain()
}

extension Flushable {
  /// Does nothing, because a service without pending writes has no write to refuse.
  public func stopTakingWrites(until flushes: DispatchGroup) {}
  /// Does nothing, because a service without pending writes refuses none.
  public func takeWritesAgain() {}
}

/// The result of a flush: counts of the changes that are durable and of those that are not.
public struct FlushReport: Hashable, Sendable {
  /// The number of changes that the flush made durable.
  public var flushedCount: Int
  /// The number of accepted changes that are not durable. It can exceed the number of ids, because a queued write
  /// counts before its block has touched an object.
  public var lostCount: Int
  /// The known objects whose accepted changes are not durable.
  public var lostObjects: [ManagedObjectID]
  /// The reasons of the losses, in sentences that are safe to log.
  public var errors: [String]
  /// The names of the services that had not answered when the time was up. Their losses are unknown.
  public var unansweredServices: [String]

  /// Makes a report.
  public init(
    flushedCount: Int = 0, lostCount: Int = 0, lostObjects: [ManagedObjectID] = [],
    errors: [String] = [], unansweredServices: [String] = []
  ) {
    self.flushedCount = flushedCount
    self.lostCount = lostCount
    self.lostObjects = lostObjects
    self.errors = errors
    self.unansweredServices = unansweredServices
  }

  /// Every accepted change is durable.
  public var isComplete: Bool {
    lostCount == 0 && lostObjects.isEmpty && errors.isEmpty && unansweredServices.isEmpty
  }

  /// Adds the report of another service.
  public mutating func merge(_ other: FlushReport) {
    flushedCount += other.flushedCount
    lostCount += other.lostCount
    lostObjects += other.lostObjects
    errors += other.errors
    unansweredServices += other.unansweredServices
  }
}

extension FlushReport: CustomStringConvertible {
  /// One line for people: `12 flushed, 3 lost (Entry/p7, Entry/p8); the disk is full`.
  public var description: String {
    var text = "\(flushedCount) flushed"
    if lostCount > 0 || !lostObjects.isEmpty {
      text += ", \(max(lostCount, lostObjects.count)) lost"
    }
    if !lostObjects.isEmpty {
      let shown = lostObjects.prefix(Self.shownObjects).map(\.description)
      let others = lostObjects.count - shown.count
      text += " (\(shown.joined(separator: ", "))\(others > 0 ? " and \(others) more" : ""))"
    }
    if !unansweredServices.isEmpty {
      text += "; no answer in time from \(unansweredServices.joined(separator: ", "))"
    }
    for error in errors { text += "; \(error)" }
    return text
  }

  private static let shownObjects = 20
}
