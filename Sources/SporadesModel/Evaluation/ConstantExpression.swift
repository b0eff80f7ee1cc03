// SPDX-License-Identifier: MIT

/// Computes expressions without key paths.
package enum ConstantExpression {
  /// The value of an expression that reads no object.
  package static func value(_ expression: FetchExpression) throws(FetchPredicateError) -> Value {
    try PreparedExpression(expression, in: model.shapes[0], model).value(of: NoSubject())
  }

  /// Whether a condition that reads no object is true.
  package static func holds(_ predicate: FetchPredicate) throws(FetchPredicateError) -> Bool {
    try PredicateEvaluator(predicate, in: model.shapes[0], model).matches(NoSubject())
  }

  /// A model of one entity without properties, in which no key path leads anywhere.
  private static let model: ManagedObjectModel = {
    // `try!`, because a model of one entity without properties has no mistake.
    try! ManagedObjectModel(entities: [EntityDescription("Nothing")])
  }()
}

/// A subject for expressions that read none.
private struct NoSubject: PredicateSubject {
  typealias Failure = FetchPredicateError

  var subjectID: ManagedObjectID {
    ManagedObjectID(
      key: RowKey(entity: 1, primaryKey: 0), scope: StoreScope(identifier: "", entityNames: []))
  }
  func value(of attribute: AttributeShape) -> Value { .null }
  func related(by relationship: RelationshipShape) -> [NoSubject] { [] }
}
