// SPDX-License-Identifier: MIT
public import Dispatch
public import SporadesModel

/// A service that holds accepted writes which are not durable yet, and can make them so.
///
/// The contract:
///
/// 1. ``flush(deadline:)`` blocks, and returns no later than the deadline; what is not durable by
///    then is in the report.
/// 2. It may be called from any thread, by several threads at once, and again after it returned.
/// 3. It must not wait for the main thread, which may be the one that is ending the process.
public protocol Flushable: AnyObject, Sendable {
  /// Names the service in reports.
  var flushName: String { get }

  /// Makes everything the service has accepted durable, as far as that is possible in time.
  func flush(deadline: ContinuousClock.Instant) -> FlushReport

  /// Refuses writes from now on, since the process is ending: none may be acknowledged and then
  /// lost. Comes before the last flush.
  ///
  /// Who asks for a write should hear of it only when nobody is in `flushes` any more: an error that
  /// ends the program would end the flushes of all services with it.
  func stopTakingWrites(until flushes: DispatchGroup)
  /// Takes writes again, where the process goes on after all.
  func takeWritesAgain()
}

extension Flushable {
  public func stopTakingWrites(until flushes: DispatchGroup) {}
  public func takeWritesAgain() {}
}

/// What a flush made durable, and what did not make it.
public struct FlushReport: Hashable, Sendable {
  /// The number of changes this flush made durable.
  public var flushedCount: Int
  /// The number of accepted changes that are not durable. It can exceed the number of ids: a write
  /// whose block has not run has touched no object yet.
  public var lostCount: Int
  /// The objects whose accepted changes are not durable, as far as they are known.
  public var lostObjects: [ManagedObjectID]
  /// Why changes were lost, in sentences that are safe to log.
  public var errors: [String]
  /// The services that had not answered when the time was up. What they lost is not known.
  public var unansweredServices: [String]

  /// A report of what one or several services made durable.
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

  /// Adds what another service reports.
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
      let rest = lostObjects.count - shown.count
      text += " (\(shown.joined(separator: ", "))\(rest > 0 ? " and \(rest) more" : ""))"
    }
    if !unansweredServices.isEmpty {
      text += "; no answer in time from \(unansweredServices.joined(separator: ", "))"
    }
    for error in errors { text += "; \(error)" }
    return text
  }

  private static let shownObjects = 20
}
