// SPDX-License-Identifier: MIT
package import SporadesModel
package import SporadesStore
import Synchronization

/// A fetch, count or aggregate that took longer than the threshold of the watch.
package struct WatchedFetch {
  package let request: FetchRequest
  package let question: ExplainedQuestion
  package let duration: Duration
  /// The number of results. A count or a total is one.
  package let rows: Int
}

/// Tells of the long fetches of all contexts in the process.
package enum FetchWatch {
  package typealias Listener = @Sendable (WatchedFetch, ManagedObjectContext) -> Void

  private static let listener = Guarded<Listener?>(nil)
  /// The threshold in nanoseconds; a negative number is none. Every fetch reads it, without a lock.
  private static let nanoseconds = Atomic<Int64>(-1)

  /// Calls the listener after each fetch that takes longer than the threshold, on the thread of the fetch.
  package static func watch(over threshold: Duration?, _ listener: @escaping Listener) {
    self.listener.withLock { $0 = listener }
    nanoseconds.store(threshold.map { $0.nanoseconds } ?? -1, ordering: .releasing)
  }

  /// The time over which a fetch is long; nil if nobody wants to know.
  static var threshold: Duration? {
    let value = nanoseconds.load(ordering: .acquiring)
    return value < 0 ? nil : .nanoseconds(value)
  }

  static func tell(_ fetch: WatchedFetch, in context: ManagedObjectContext) {
    listener.withLock { $0 }?(fetch, context)
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
