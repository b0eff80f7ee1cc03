// SPDX-License-Identifier: MIT

/// An expression that gives one value for each object, checked against the model.
public struct ExpressionShape {
  /// The expression as the question has it.
  public let expression: FetchExpression
  /// The key path that the expression consists of; nil for a computed value.
  public let path: KeyPathShape?
  /// The type of the values; nil where it depends on the single value, as that of a number may.
  public let type: AttributeType?
  /// The values are decimals, or computed from decimals.
  package let readsDecimals: Bool
  /// The values have an order.
  package let hasOrder: Bool
  /// The values are numbers.
  package let isNumber: Bool
  /// The number of the entity whose objects' ids are the values; nil for other values.
  package let destination: Int?
  /// The expression in the form for compilers.
  package let prepared: PreparedExpression
  var kinds: Set<PreparedPredicate.Term.Kind> { prepared.kinds }

  /// Finds the names of the expression in the model. It refuses lists, and key paths to many objects.
  public init(
    _ expression: FetchExpression, in entity: EntityShape, _ model: ManagedObjectModel
  ) throws(FetchPredicateError) {
    self.expression = expression
    prepared = try PreparedExpression(expression, in: entity, model)
    let (term, kinds) = (prepared.term, prepared.kinds)
    hasOrder = prepared.hasOrder
    isNumber = kinds.isSubset(of: [.number, .null])
    if case .path(let path) = term { self.path = path.shape } else { path = nil }
    type = Self.type(term, path, kinds)
    destination = Self.destination(term, path, entity)
    readsDecimals = expression.readsDecimals(in: entity, model)
  }

  private static func type(
    _ term: PreparedPredicate.Term, _ path: KeyPathShape?,
    _ kinds: Set<PreparedPredicate.Term.Kind>
  ) -> AttributeType? {
    if let path { return path.attribute?.type ?? .objectID }
    if case .subject = term { return .objectID }
    switch kinds.subtracting([.null]) {
    case [.text]: return .string
    case [.date]: return .date
    case [.uuid]: return .uuid
    case [.data]: return .binary
    default: return nil
    }
  }

  private static func destination(
    _ term: PreparedPredicate.Term, _ path: KeyPathShape?, _ entity: EntityShape
  ) -> Int? {
    if case .subject = term { return entity.number }
    guard let path, path.attribute == nil else { return nil }
    return path.relationships.last?.destination
  }

  /// Reads the value of an object.
  public func value<Subject: PredicateSubject>(
    of subject: Subject
  ) throws(Subject.Failure) -> Value where Subject.Failure: PredicateRefusal {
    guard let path else { return try prepared.value(of: subject) }
    return try PredicateEvaluator.value(path, of: subject)
  }
}

extension FetchExpression {
  /// Whether a part of the expression is a decimal, which a database computes with as a double.
  fileprivate func readsDecimals(in entity: EntityShape, _ model: ManagedObjectModel) -> Bool {
    var found = false
    forEachKeyPath { names in
      // `try?`, because the preparation has refused what the model lacks, with its sentence.
      let path = try? KeyPathShape(names, in: entity, model)
      if path?.attribute?.type == .decimal { found = true }
    }
    _ = mappingOperands { operand in
      if case .constant(.decimal) = operand { found = true }
      return operand
    }
    return found
  }
}
