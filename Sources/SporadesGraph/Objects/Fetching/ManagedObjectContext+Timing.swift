// SPDX-License-Identifier: MIT
import SporadesChain
public import SporadesModel
public import SporadesStore

extension ManagedObjectContext {
  /// Runs a fetch within its time, and reports it if it was slow.
  func timed<Output>(
    _ request: FetchRequest, _ fetch: StoreFetch, rows: (Output) -> Int,
    _ body: () throws -> Output
  ) throws -> Output {
    try Cancellation.check()
    let timeout = request.timeout ?? fetchTimeout
    let slowness = SlowFetches.threshold
    guard timeout != nil || slowness != nil else { return try body() }
    let start = ContinuousClock.now
    let output =
      if let timeout { try Cancellation(after: timeout).run(body) } else { try body() }
    let duration = ContinuousClock.now - start
    if let slowness, duration > slowness {
      SlowFetches.report(
        SlowFetch(
          request: request, duration: duration, rows: rows(output), plan: slowPlan(of: fetch)))
    }
    return output
  }

  /// The plan of a fetch that has just succeeded.
  private func slowPlan(of fetch: StoreFetch) -> FetchPlan? {
    // `try?`, because a report without a plan is better than a fetch that fails because it was slow.
    try? Cancellation.shielding { () throws(StoreError) in try source.explain(fetch) }
  }

  /// The way in which the store finds the rows of a request, in sentences. The store reads none of them.
  ///
  /// Changes that the context has not saved are considered in memory, after the store's answer.
  public func explain(_ request: FetchRequest) throws -> FetchPlan {
    beginWork()
    defer { endWork() }
    let fetch = try storeFetch(request, for: .counts)
    let plan = try source.explain(fetch)
    guard request.includesPendingChanges, PendingChanges(self, concerning: fetch) != nil else {
      return plan
    }
    let step = FetchPlan.Step(
      .combine, "Corrects the answer in memory by the unsaved changes of the context.")
    return FetchPlan(statement: plan.statement, steps: plan.steps + [step])
  }
}
