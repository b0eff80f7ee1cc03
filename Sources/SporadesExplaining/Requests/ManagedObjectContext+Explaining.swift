// SPDX-License-Identifier: MIT
import SporadesChain
public import SporadesGraph
public import SporadesModel
public import SporadesPlans
import SporadesStore

extension ManagedObjectContext {
  /// The way in which the store answers a request, in sentences. The store reads no rows for it.
  ///
  /// The statement is the one that the request runs: for objects, ids, a count or dictionaries, as its `resultType` says.
  /// Changes that the context has not saved are considered in memory, after the store's answer.
  public func explain(_ request: FetchRequest) throws -> FetchPlan {
    try plan(of: question(of: request), request)
  }

  /// The way in which the store answers a question about values.
  func explain(_ question: TableQuestion, _ request: FetchRequest) throws -> FetchPlan {
    try plan(of: checked(question), request)
  }

  private func plan(of question: ExplainedQuestion, _ request: FetchRequest) throws -> FetchPlan {
    let plan = try storePlan(of: question)
    guard request.includesPendingChanges, isCorrected(question) else { return plan }
    return plan.adding(
      FetchPlan.Step(
        .combine, "Corrects the answer in memory by the unsaved changes of the context."))
  }

  /// The plan of the store below the context and its parents.
  func storePlan(of question: ExplainedQuestion) throws -> FetchPlan {
    try readStore(within: nil, noting: false) { source, _ in
      try source.store.plan(of: question, in: source.view)
    }
  }
}

extension ReportingContext {
  /// See ``SporadesGraph/ManagedObjectContext/explain(_:)``.
  public func explain(_ request: FetchRequest) throws -> FetchPlan {
    try managedObjectContext.explain(request)
  }
}
