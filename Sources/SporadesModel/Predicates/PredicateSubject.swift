// SPDX-License-Identifier: MIT

/// What predicates and orders are asked about: a row of a store, or a managed object.
///
/// Names are resolved before a subject is asked, so no subject looks any up. A subject whose
/// related objects must be read from elsewhere says how that fails.
public protocol PredicateSubject {
  associatedtype Failure: Error

  var subjectID: ManagedObjectID { get }

  /// The value of an attribute of the subject's entity, or of one above it.
  func value(of attribute: AttributeShape) throws(Failure) -> Value

  /// Whether the value of an attribute is null, which often is known sooner than the value.
  func isNull(_ attribute: AttributeShape) throws(Failure) -> Bool

  /// The subjects a relationship leads to: one or none where it is to-one.
  func related(by relationship: RelationshipShape) throws(Failure) -> [Self]

  /// The ids of the subjects a relationship leads to, which often are known sooner.
  func relatedIDs(by relationship: RelationshipShape) throws(Failure) -> [ManagedObjectID]
}

extension PredicateSubject {
  public func isNull(_ attribute: AttributeShape) throws(Failure) -> Bool {
    try value(of: attribute).isNull
  }

  public func relatedIDs(by relationship: RelationshipShape) throws(Failure) -> [ManagedObjectID] {
    try related(by: relationship).map(\.subjectID)
  }
}
