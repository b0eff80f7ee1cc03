// SPDX-License-Identifier: MIT
import SporadesChain
public import SporadesModel
public import SporadesStore
import Synchronization

/// A fetch that took longer than the program finds usual.
public struct SlowFetch: Sendable {
  /// The request.
  public let request: FetchRequest
  /// The time from the request to its objects.
  public let duration: Duration
  /// The number of results.
  public let rows: Int
  /// The way in which the store found them; nil if the store could not tell.
  public let plan: FetchPlan?
}

extension SlowFetch: CustomStringConvertible {
  public var description: String {
    let condition = request.predicate.map { " where \($0)" } ?? ""
    let head = "A fetch of \(request.entityName)\(condition) took \(duration) for \(rows) results."
    guard let plan else { return head }
    return "\(head)\n\(plan)"
  }
}

/// Reports the slow fetches of all contexts in the process.
///
/// ```swift
/// SlowFetches.report(over: .milliseconds(100))
/// ```
public enum SlowFetches {
  private static let reporter = Guarded<Reporter?>(nil)
  /// The threshold in nanoseconds; a negative number reports nothing. Every fetch reads it, without a lock.
  private static let nanoseconds = Atomic<Int64>(-1)

  private struct Reporter {
    let report: @Sendable (SlowFetch) -> Void
  }

  /// Calls `report` after each fetch, count or aggregate that takes longer than the threshold, on the thread of the
  /// fetch. A threshold of nil reports none. Without `report`, each is a paragraph on standard error.
  public static func report(
    over threshold: Duration?, to report: (@Sendable (SlowFetch) -> Void)? = nil
  ) {
    reporter.withLock { $0 = Reporter(report: report ?? write) }
    nanoseconds.store(threshold.map { $0.nanoseconds } ?? -1, ordering: .releasing)
  }

  /// The time over which a fetch is slow; nil if nobody wants to know.
  static var threshold: Duration? {
    let value = nanoseconds.load(ordering: .acquiring)
    return value < 0 ? nil : .nanoseconds(value)
  }

  static func report(_ fetch: SlowFetch) { reporter.withLock { $0 }?.report(fetch) }

  private static let write: @Sendable (SlowFetch) -> Void = {
    writeToStandardError("Sporades: \($0)\n")
  }
}

extension Duration {
  /// The whole nanoseconds, at least 0 and at most some 292 years.
  fileprivate var nanoseconds: Int64 {
    let (seconds, attoseconds) = components
    let (product, isOver) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
    guard !isOver else { return seconds < 0 ? 0 : .max }
    return max(0, product.addingReportingOverflow(attoseconds / 1_000_000_000).partialValue)
  }
}
