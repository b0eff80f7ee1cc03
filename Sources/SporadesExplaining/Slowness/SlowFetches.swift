// SPDX-License-Identifier: MIT
import SporadesGraph
public import SporadesModel
public import SporadesPlans
import SporadesStore

/// A fetch that took longer than the program finds usual.
public struct SlowFetch: Sendable {
  /// The request.
  public let request: FetchRequest
  /// The time from the request to its objects.
  public let duration: Duration
  /// The number of results. A count or a total is one.
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
  /// Calls `report` after each fetch, count or aggregate that takes longer than the threshold, on the thread of the
  /// fetch. A threshold of nil reports none. Without `report`, each is a paragraph on standard error.
  public static func report(
    over threshold: Duration?, to report: (@Sendable (SlowFetch) -> Void)? = nil
  ) {
    let report = report ?? { writeToStandardError("Sporades: \($0)\n") }
    FetchWatch.watch(over: threshold) { fetch, context in
      report(
        SlowFetch(
          request: fetch.request, duration: fetch.duration, rows: fetch.rows,
          plan: plan(of: fetch.question, context)))
    }
  }

  /// The plan of a question that was just answered.
  private static func plan(
    of question: ExplainedQuestion, _ context: ManagedObjectContext
  ) -> FetchPlan? {
    // `try?`, because a report without a plan is better than a fetch that fails because it was slow.
    try? Cancellation.shielding { try context.storePlan(of: question) }
  }
}
