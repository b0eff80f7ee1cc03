// SPDX-License-Identifier: MIT
import SporadesModel
import SporadesStore

/// An object as predicates see it, with a trial value for one of its attributes.
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

  func isNull(_ attribute: AttributeShape) throws(StoreError) -> Bool {
    if candidate?.attribute.name == attribute.name, candidate?.attribute.slot == attribute.slot {
      return try value(of: attribute).isNull
    }
    return try ObjectSubject(object: object).isNull(attribute)
  }

  func related(by relationship: RelationshipShape) throws(StoreError) -> [CandidateSubject] {
    try ObjectSubject(object: object).related(by: relationship).map {
      CandidateSubject(object: $0.object)
    }
  }
}

extension FetchPredicate {
  /// The predicate with the attribute in place of `SELF`.
  func asking(_ path: [String]) -> FetchPredicate {
    mappingOperands { if case .subject = $0 { .keyPath(path) } else { $0 } }
  }
}
