// SPDX-License-Identifier: MIT
import FoundationEssentials
import SporadesModel

/// Translates the tree that `#Predicate` makes into a predicate.
///
/// The tree is made of generic types of Foundation. Each type that has a meaning here is a
/// ``TranslatedExpression``. Any other is refused by the name that it has in Swift.
struct PredicateTranslation {
  /// The translation of a part of the tree.
  enum Part {
    case condition(FetchPredicate)
    case expression(FetchExpression)
    /// A condition on a value that may be missing. It has no answer where `presence` is false.
    case optional(FetchPredicate, presence: FetchPredicate)
    /// The members of a relationship that satisfy a condition on a variable.
    case members([String], FetchCollection.Filter)
    /// The two ends of a range.
    case range(lower: FetchExpression, upper: FetchExpression, includesUpper: Bool)
    /// A text as UTF-16 units, which can be counted.
    case units(FetchExpression)
  }

  private var values: [PredicateExpressions.VariableID: FetchExpression] = [:]
  private var variableCount = 0

  init(subject: PredicateExpressions.VariableID) { values[subject] = .subject }

  static func unsupported(_ construct: String, _ remedy: String = "") -> FetchPredicateError {
    FetchPredicateError(
      .unsupported, "A store can not compute \(construct) of a #Predicate.\(remedy)")
  }

  // MARK: - Variables

  mutating func bind(_ id: PredicateExpressions.VariableID, to value: FetchExpression) {
    values[id] = value
  }

  func value(of id: PredicateExpressions.VariableID) throws(FetchPredicateError) -> FetchExpression
  {
    guard let value = values[id] else { throw Self.unsupported("a variable of another predicate") }
    return value
  }

  /// Makes a variable of a subquery, and lets the variable of the tree stand for it.
  mutating func declare(_ id: PredicateExpressions.VariableID) -> String {
    variableCount += 1
    values[id] = .variable("x\(variableCount)")
    return "x\(variableCount)"
  }

  // MARK: - Parts

  mutating func part(
    _ expression: any PredicateExpression
  ) throws(FetchPredicateError) -> Part {
    guard let known = expression as? any TranslatedExpression else {
      throw Self.unsupported(Self.describe(expression))
    }
    return try known.translate(&self)
  }

  mutating func condition(
    _ expression: any PredicateExpression
  ) throws(FetchPredicateError) -> FetchPredicate {
    switch try part(expression) {
    case .condition(let condition): return condition
    case .expression(.constant(.boolean(let truth))): return .constant(truth)
    case .expression(let value):
      return .comparison(FetchPredicate.Comparison(value, .equal, .constant(true)))
    case .optional(let condition, let presence): return presence && condition
    case .members, .range, .units: throw Self.unsupported(Self.describe(expression))
    }
  }

  mutating func expression(
    _ expression: any PredicateExpression
  ) throws(FetchPredicateError) -> FetchExpression {
    switch try part(expression) {
    case .expression(let value): return value
    case .condition(let condition):
      return .conditional(condition, .constant(true), .constant(false))
    case .optional, .members, .range, .units:
      throw Self.unsupported(Self.describe(expression))
    }
  }

  /// The key path of a relationship or attribute.
  mutating func path(
    _ expression: any PredicateExpression
  ) throws(FetchPredicateError) -> [String] {
    switch try self.expression(expression) {
    case .keyPath(let names): return names
    case .variable(let name): return ["$\(name)"]
    default: throw Self.unsupported(Self.describe(expression))
    }
  }

  /// The words of Swift for parts of the tree that have no translation.
  private static func describe(_ expression: any PredicateExpression) -> String {
    let type = "\(type(of: expression))"
    let name = String(type.prefix { $0 != "<" })
    let words = [
      "SequenceMaximum": "max()", "SequenceMinimum": "min()", "ConditionalCast": "as?",
      "ForceCast": "as!", "TypeCheck": "is", "DictionaryKeySubscript": "a dictionary's subscript",
      "DictionaryKeyDefaultValueSubscript": "a dictionary's subscript",
      "CollectionRangeSubscript": "a subscript with a range", "Filter": "filter { } itself",
      "OptionalFlatMap": "a condition on an optional", "Range": "a range itself",
      "ClosedRange": "a range itself", "PredicateEvaluate": "evaluate() of another predicate",
    ]
    return words[name] ?? name
  }
}

/// A part of Foundation's predicates that a store can compute.
protocol TranslatedExpression: PredicateExpression {
  /// Translates the part and the parts in it.
  func translate(
    _ translation: inout PredicateTranslation
  ) throws(FetchPredicateError) -> PredicateTranslation.Part
}
