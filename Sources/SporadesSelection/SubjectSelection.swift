// SPDX-License-Identifier: MIT
package import SporadesModel
package import SporadesStore

/// Chooses in memory what a fetch asks for: the subjects that satisfy its predicate, in its order, within its bounds.
package struct SubjectSelection {
  private let fetch: StoreFetch
  private let evaluator: PredicateEvaluator?
  private let order: SubjectOrder

  /// Prepares for the subjects of the fetch's entity. Refuses a fetch that does not fit the model.
  package init(_ fetch: StoreFetch, _ model: ManagedObjectModel) throws(StoreError) {
    var checked = fetch
    do throws(FetchPredicateError) {
      try checked.check(model)
      evaluator = try checked.predicate.map { predicate throws(FetchPredicateError) in
        try PredicateEvaluator(predicate, in: fetch.entity, model)
      }
      order = try SubjectOrder(checked.sortTerms, in: fetch.entity, model)
    } catch {
      throw StoreError(refusing: error)
    }
    self.fetch = checked
  }

  /// Chooses subjects. Those that are equal by the sort terms have the order of their keys.
  package func chosen<Subject: PredicateSubject>(
    among subjects: some Sequence<Subject>
  ) throws(StoreError) -> [Subject] where Subject.Failure: PredicateRefusal {
    var found: [(subject: Subject, keys: [Value])] = []
    for subject in subjects {
      try Cancellation.check()
      let keys = try asStoreError { () throws(Subject.Failure) -> [Value]? in
        guard try evaluator?.matches(subject) ?? true else { return nil }
        return try order.keys(of: subject)
      }
      if let keys { found.append((subject, keys)) }
    }
    found.sort { left, right in
      let result = order.compare(left.keys, right.keys)
      return result == 0 ? left.subject.subjectID.key < right.subject.subjectID.key : result < 0
    }
    return Array(fetch.shown.elements(of: found.map(\.subject)))
  }
}
