// SPDX-License-Identifier: MIT
import SporadesChain
public import SporadesModel
public import SporadesStore

extension ManagedObjectContext {
  /// Runs a fetch or question within its time, and reports it if it was slow.
  func timed<Output>(
    _ request: FetchRequest, _ fetch: StoreFetch, rows: (Output) -> Int,
    _ body: () throws -> Output
  ) throws -> Output {
    try Cancellation.check()
    let timeout = request.timeout ?? fetchTimeout
    guard timeout != nil || SlowFetches.threshold != nil else { return try body() }
    let start = ContinuousClock.now
    let output =
      if let timeout {
        try Cancellation(after: timeout).run {
          // A small answer is there before the store looks for the first time.
          try Cancellation.check()
          return try body()
        }
      } else {
        try body()
      }
    reportIfSlow(request, fetch, took: ContinuousClock.now - start, rows: rows(output))
    return output
  }

  /// Reports a fetch or question that took longer than the threshold.
  func reportIfSlow(
    _ request: FetchRequest, _ fetch: StoreFetch, took duration: Duration,
    rows: @autoclosure () -> Int
  ) {
    guard let slowness = SlowFetches.threshold, duration > slowness else { return }
    SlowFetches.report(
      SlowFetch(request: request, duration: duration, rows: rows(), plan: slowPlan(of: fetch)))
  }

  /// The plan of a fetch that has just succeeded.
  private func slowPlan(of fetch: StoreFetch) -> FetchPlan? {
    // `try?`, because a report without a plan is better than a fetch that fails because it was slow.
    try? Cancellation.shielding { () throws(StoreError) in try source.explain(fetch) }
  }

  /// The way in which the store finds the rows of a request, in sentences. The store reads none of them.
  ///
  /// Counts, dictionaries and groups are computed of these rows; the plan is that of the rows.
  /// Changes that the context has not saved are considered in memory, after the store's answer.
  public func explain(_ request: FetchRequest) throws -> FetchPlan {
    beginWork()
    defer { endWork() }
    let fetch =
      try request.resultType == .dictionary
      ? objectFetch(ofDictionaries: request) : storeFetch(request, for: .counts)
    let plan = try source.explain(fetch)
    guard request.includesPendingChanges, PendingChanges(self, concerning: fetch) != nil else {
      return plan
    }
    let step = FetchPlan.Step(
      .combine, "Corrects the answer in memory by the unsaved changes of the context.")
    return FetchPlan(statement: plan.statement, steps: plan.steps + [step])
  }
}
