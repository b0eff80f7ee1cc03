// SPDX-License-Identifier: MIT

/// An object that predicates and orders read: a row of a store, or a managed object.
///
/// The evaluator resolves all names before it reads a subject, so that a subject looks no names up.
public protocol PredicateSubject {
  /// The error of a subject that must read values or related subjects from elsewhere.
  associatedtype Failure: Error

  /// The id of the object.
  var subjectID: ManagedObjectID { get }

  /// Reads the value of an own or inherited attribute.
  func value(of attribute: AttributeShape) throws(Failure) -> Value

  /// The value of an attribute is null. A subject often knows this without reading the value.
  func isNull(_ attribute: AttributeShape) throws(Failure) -> Bool

  /// Reads the subjects that a relationship leads to. A to-one relationship leads to one or none.
  func related(by relationship: RelationshipShape) throws(Failure) -> [Self]

  /// Reads the ids of the subjects that a relationship leads to. A subject often knows the ids without
  /// reading the subjects.
  func relatedIDs(by relationship: RelationshipShape) throws(Failure) -> [ManagedObjectID]

  /// The object that closures of the program ask; nil for a row of a store.
  var objectInMemory: Any? { get }
}

extension PredicateSubject {
  /// No object.
  public var objectInMemory: Any? { nil }

  /// Reads the value to find out whether it is null.
  public func isNull(_ attribute: AttributeShape) throws(Failure) -> Bool {
    try value(of: attribute).isNull
  }

  /// Reads the related subjects to find their ids.
  public func relatedIDs(by relationship: RelationshipShape) throws(Failure) -> [ManagedObjectID] {
    try related(by: relationship).map(\.subjectID)
  }
}
