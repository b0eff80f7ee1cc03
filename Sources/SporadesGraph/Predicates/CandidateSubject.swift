// SPDX-License-Identifier: MIT
import SporadesModel
import SporadesStore

/// An object as predicates see it while one of its attributes is given a value on trial.
struct CandidateSubject: PredicateSubject {
  let object: ManagedObject
  var candidate: (attribute: AttributeShape, value: Value)?

  var subjectID: ManagedObjectID { object.objectID }

  func value(of attribute: AttributeShape) throws(StoreError) -> Value {
    if let candidate, candidate.attribute.name == attribute.name,
      candidate.attribute.slot == attribute.slot
    {
      return candidate.value
    }
    return try ObjectSubject(object: object).value(of: attribute)
  }

  func related(by relationship: RelationshipShape) throws(StoreError) -> [CandidateSubject] {
    try ObjectSubject(object: object).related(by: relationship).map {
      CandidateSubject(object: $0.object)
    }
  }
}

extension FetchPredicate {
  /// The predicate with an attribute in place of `SELF`.
  func asking(_ name: String) -> FetchPredicate {
    switch self {
    case .constant: return self
    case .comparison(var comparison):
      comparison.left = comparison.left.asking(name)
      comparison.right = comparison.right.asking(name)
      return .comparison(comparison)
    case .not(let inner): return .not(inner.asking(name))
    case .and(let parts): return .and(parts.map { $0.asking(name) })
    case .or(let parts): return .or(parts.map { $0.asking(name) })
    }
  }
}

extension FetchExpression {
  fileprivate func asking(_ name: String) -> FetchExpression {
    switch self {
    case .subject: .keyPath([name])
    case .constant, .keyPath, .variable, .count, .aggregate: self
    case .list(let items): .list(items.map { $0.asking(name) })
    case .arithmetic(let operation, let left, let right):
      .arithmetic(operation, left.asking(name), right.asking(name))
    }
  }
}
