// SPDX-License-Identifier: MIT
import SporadesModel
public import SporadesPlans
import SporadesSQL
public import SporadesSQLite
public import SporadesStore

// The plans of stores of any kind.

// The conformance stands here, so that a program without this module does not link what it needs.
extension SQLiteStore: ExplainingStore {
  public func explain(
    _ question: ExplainedQuestion, in view: StoreView
  ) throws(StoreError) -> FetchPlan {
    let (statement, computes) = try statement(for: question)
    let reader = PlanReader(statement, model, layout)
    let plan = reader.plan(try rows(of: reader.question, in: view))
    return computes ? plan.adding(FetchPlan.Step(.combine, FetchPlan.computing)) : plan
  }
}

extension PersistentStore {
  /// The way in which a store of any kind answers a question: several behind one, one after the other.
  func plan(
    of question: ExplainedQuestion, in view: StoreView
  ) throws(StoreError) -> FetchPlan {
    if let coordinator { return try coordinator.planOfMembers(question, view) }
    guard let store = self as? any ExplainingStore else { return FetchPlan(inMemory: question) }
    return try store.explain(question, in: view)
  }
}

extension CoordinatingStore {
  fileprivate func planOfMembers(
    _ question: ExplainedQuestion, _ view: StoreView
  ) throws(StoreError) -> FetchPlan {
    var plans: [FetchPlan] = []
    try askHolders(question, in: view) { store, question, view throws(StoreError) in
      plans.append(try store.plan(of: question, in: view))
    }
    guard plans.count > 1 else { return plans.first ?? FetchPlan(statement: nil, steps: []) }
    return FetchPlan(
      statement: plans.compactMap(\.statement).joined(separator: ";\n"),
      steps: plans.flatMap(\.steps) + [
        FetchPlan.Step(.combine, "Merges the rows of \(plans.count) stores in memory.")
      ])
  }
}
