// SPDX-License-Identifier: MIT
import SporadesChain
public import SporadesModel
public import SporadesStore

extension ManagedObjectContext {
  /// Runs a fetch or question within its time, and reports it if it was slow.
  func timed<Output>(
    _ request: FetchRequest, _ question: @autoclosure () -> ExplainedQuestion,
    rows: (Output) -> Int, _ body: () throws -> Output
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
    reportIfSlow(request, question(), took: ContinuousClock.now - start, rows: rows(output))
    return output
  }

  /// Reports a fetch or question that took longer than the threshold.
  func reportIfSlow(
    _ request: FetchRequest, _ question: @autoclosure () -> ExplainedQuestion,
    took duration: Duration, rows: @autoclosure () -> Int
  ) {
    guard let slowness = SlowFetches.threshold, duration > slowness else { return }
    SlowFetches.report(
      SlowFetch(request: request, duration: duration, rows: rows(), plan: slowPlan(of: question())))
  }

  /// The plan of a question that was just answered.
  private func slowPlan(of question: ExplainedQuestion) -> FetchPlan? {
    // `try?`, because a report without a plan is better than a fetch that fails because it was slow.
    try? Cancellation.shielding { () throws(StoreError) in try source.explain(question) }
  }

  /// The way in which the store answers a request, in sentences. The store reads no rows for it.
  ///
  /// The statement is the one that the request runs: for objects, ids, a count or dictionaries, as its `resultType` says.
  /// Changes that the context has not saved are considered in memory, after the store's answer.
  public func explain(_ request: FetchRequest) throws -> FetchPlan {
    beginWork()
    defer { endWork() }
    return switch request.resultType {
    case .managedObject where request.readsIDsAlone:
      try explain(.keys(storeFetch(request)), request)
    case .managedObject: try explain(.rows(storeFetch(request)), request)
    case .managedObjectID: try explain(.keys(storeFetch(request, for: .ids)), request)
    case .count: try explain(.table(.count(of: storeFetch(request, for: .counts))), request)
    case .dictionary: try explain(.table(question(ofDictionaries: request)), request)
    }
  }

  /// The way in which the store answers a question about values.
  func explain(_ question: TableQuestion, _ request: FetchRequest) throws -> FetchPlan {
    beginWork()
    defer { endWork() }
    var question = question
    try question.check(model)
    return try explain(.table(question), request)
  }

  private func explain(_ question: ExplainedQuestion, _ request: FetchRequest) throws -> FetchPlan {
    let plan = try source.explain(question)
    guard request.includesPendingChanges, isCorrected(question) else { return plan }
    return plan.adding(
      FetchPlan.Step(
        .combine, "Corrects the answer in memory by the unsaved changes of the context."))
  }

  private func isCorrected(_ question: ExplainedQuestion) -> Bool {
    switch question {
    case .rows(let fetch), .keys(let fetch): PendingChanges(self, concerning: fetch) != nil
    case .table(let table): PendingChanges(self, concerning: table) != nil
    }
  }
}
