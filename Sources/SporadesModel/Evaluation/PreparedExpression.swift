// SPDX-License-Identifier: MIT
package import FoundationEssentials

/// An expression with one value per object, checked against the model: a column of an answer, a term of an order.
package struct PreparedExpression {
  package let term: PreparedPredicate.Term
  let kinds: Set<PreparedPredicate.Term.Kind>

  /// Refuses an expression that does not fit the entity, or that leads to many values.
  package init(
    _ expression: FetchExpression, in entity: EntityShape, _ model: ManagedObjectModel,
    at moment: Date = Date()
  ) throws(FetchPredicateError) {
    let preparation = PredicatePreparation(entity, model, at: moment)
    (term, kinds) = try preparation.term(expression)
    try preparation.requireOne(term, "and one value is needed here.\(term.oneOfMany)")
    guard !term.isList else {
      throw FetchPredicateError(.wrongOperands, "A list stands where one value is needed.")
    }
  }

  /// The type of the values. The decimals of a store's arithmetic are its doubles.
  package var resultType: AttributeType {
    if let attribute = term.attribute { return attribute.type }
    if kinds.contains(.text) { return .string }
    if kinds.contains(.date) { return .date }
    if kinds.contains(.uuid) { return .uuid }
    if kinds.contains(.data) { return .binary }
    if kinds.contains(where: { if case .object = $0 { true } else { false } }) { return .objectID }
    return kinds.contains(.number) ? term.numberType : .undefined
  }

  /// Values can be ordered.
  package var hasOrder: Bool { kinds.allSatisfy(\.hasOrder) }

  /// Reads the value of a subject.
  package func value<Subject: PredicateSubject>(
    of subject: Subject
  ) throws(Subject.Failure) -> Value where Subject.Failure: PredicateRefusal {
    try SubjectScope(subject, PatternBudget()).value(term)
  }
}

extension PreparedPredicate.Term {
  /// The sentence that names one value of the many that a key path leads to.
  fileprivate var oneOfMany: String {
    guard case .path(let path) = self else { return "" }
    var names = path.shape.names
    guard path.shape.attribute != nil, let last = names.popLast() else {
      return " Write \(names.joined(separator: ".")).@count for the number of objects."
    }
    let before = names.joined(separator: ".")
    let bounds = " Write \(before).@min.\(last) for the first of them, or @max for the last"
    return isNumber && !isTruth ? "\(bounds), or @sum or @avg." : "\(bounds)."
  }

  private var isNumber: Bool { attribute.map { Kind($0.type) == .number } ?? false }

  /// The type of a number: an integer or a double, whichever holds all results.
  fileprivate var numberType: AttributeType {
    switch self {
    case .count: .integer64
    case .collection(let collection) where collection.question == .count: .integer64
    case .constant(.integer), .constant(.boolean): .integer64
    case .constant(.decimal), .cast(_, from: _, to: .decimal): .decimal
    case .function(let function, _) where function.isWhole: .integer64
    default: .double
    }
  }
}
