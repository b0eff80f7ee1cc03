// SPDX-License-Identifier: MIT
package import FoundationEssentials

extension FetchPredicate {
  /// Refuses a predicate that does not fit the entity.
  ///
  /// All contexts and stores call this function first, so all of them refuse the same predicates:
  /// predicates with unknown key paths, with operands that cannot be compared, with variables that have
  /// no value, and with to-many key paths although one value is needed.
  public func validate(
    in entity: EntityShape, _ model: ManagedObjectModel
  ) throws(FetchPredicateError) {
    _ = try PredicatePreparation(entity, model).prepare(self)
  }
}

/// Finds the names of a predicate in the model and checks that operands fit each other.
package struct PredicatePreparation {
  typealias Term = PreparedPredicate.Term
  /// The largest number of nested levels of conditions. The format language has a smaller limit.
  static let largestDepth = 200

  let entity: EntityShape
  let model: ManagedObjectModel
  /// The moment that `now()` stands for.
  let moment: Date
  /// Only objects in memory are asked, so conditions on the object itself have an answer.
  let asksObjects: Bool
  /// The variables of the subqueries around a part, and the entities of their members, the outermost first.
  var members: [(variable: String, entity: EntityShape)] = []
  /// The condition is a part of an expression, whose depth goes on in it.
  var isInExpression = false

  package init(
    _ entity: EntityShape, _ model: ManagedObjectModel, asksObjects: Bool = false,
    at moment: Date = Date()
  ) {
    self.entity = entity
    self.model = model
    self.asksObjects = asksObjects
    self.moment = moment
  }

  package func prepare(
    _ predicate: FetchPredicate, depth: Int = 0
  ) throws(FetchPredicateError) -> PreparedPredicate {
    try check(depth)
    guard depth == 0, !isInExpression, members.isEmpty else {
      return try prepareParts(of: predicate, depth)
    }
    try NamesInQuotes(entity).check(predicate)
    let prepared = try prepareParts(of: predicate, depth)
    try prepared.checkSize()
    return prepared
  }

  private func prepareParts(
    of predicate: FetchPredicate, _ depth: Int
  ) throws(FetchPredicateError) -> PreparedPredicate {
    switch predicate {
    case .constant(let answer): return .constant(answer)
    case .comparison(let comparison):
      return .comparison(try prepare(comparison, depth: isInExpression ? depth : 0))
    case .not(let inner): return .not(try prepare(inner, depth: depth + 1))
    case .and(let parts):
      return .and(PreparedPredicate.joinedConditions(try prepare(parts, depth: depth + 1)))
    case .or(let parts):
      return .or(PreparedPredicate.joinedAlternatives(try prepare(parts, depth: depth + 1)))
    case .open(let condition):
      return .open(try prepare(condition, depth: isInExpression ? depth : 0))
    }
  }

  private func prepare(
    _ condition: OpenCondition, depth: Int
  ) throws(FetchPredicateError) -> PreparedPredicate.Open {
    let condition = try completed(condition)
    let name = condition.meaning.name
    guard !condition.meaning.needsObject || asksObjects && members.isEmpty else {
      throw FetchPredicateError(
        .unsupported,
        "\(name) asks an object in memory, and no store can. Fetch with the other conditions, and filter the objects with "
          + "evaluate(with:).")
    }
    var operands: [Term] = []
    for operand in condition.operands {
      let term = try term(operand, depth: depth).term
      guard !term.isMany else {
        throw FetchPredicateError(
          .needsQuantifier,
          "\(term.name ?? "An operand") leads to many values, and \(name) asks one. Ask each in a SUBQUERY."
        )
      }
      guard !term.isList else {
        throw FetchPredicateError(
          .wrongOperands, "A list is an operand of \(name), which asks single values.")
      }
      operands.append(term)
    }
    return PreparedPredicate.Open(meaning: condition.meaning, operands: operands)
  }

  private func prepare(
    _ parts: [FetchPredicate], depth: Int
  ) throws(FetchPredicateError) -> [PreparedPredicate] {
    var prepared: [PreparedPredicate] = []
    for part in parts { prepared.append(try prepare(part, depth: depth)) }
    return prepared
  }

  private func check(_ depth: Int) throws(FetchPredicateError) {
    guard depth > Self.largestDepth else { return }
    throw FetchPredicateError(
      .tooDeep, "The predicate is nested more than \(Self.largestDepth) levels deep.")
  }

  // MARK: - Comparisons

  private func prepare(
    _ comparison: FetchPredicate.Comparison, depth: Int
  ) throws(FetchPredicateError) -> PreparedPredicate.Comparison {
    var left = try term(comparison.left, depth: depth)
    var right = try rightTerm(comparison.right, depth: depth)
    var comparator = comparison.comparator
    if comparator == .contains, comparison.quantifier == .direct,
      left.term.isList || left.term.isMany
    {
      // "The collection contains the value" means the same as "the value is in the collection".
      (left, right, comparator) = (right, left, .isIn)
    }
    try checkNumbers(left.term, right.term, comparator, comparison.quantifier)
    let operands = Operands(left: left, right: right, comparator: comparator, model: model)
    try operands.check()
    if case .constant = left.term, !right.term.isConstant, !right.term.isMany,
      let turned = comparator.turned
    {
      // A constant stands on the right side, where compilers look for it.
      (left, right, comparator) = (right, left, turned)
    }
    let hasPattern = comparator == .like || comparator == .matches
    let folding = hasPattern ? [] : comparison.options
    return PreparedPredicate.Comparison(
      left: left.term.folded(folding), comparator: comparator,
      right: right.term.folded(folding), quantifier: comparison.quantifier,
      options: comparison.options, folding: folding,
      pattern: try pattern(comparator, right.term, comparison.options))
  }

  /// The right side. A text that somebody wrote without quotes looks like a key path there.
  private func rightTerm(
    _ expression: FetchExpression, depth: Int
  ) throws(FetchPredicateError) -> TypedTerm {
    do {
      return try term(expression, depth: depth)
    } catch {
      guard error.code == .unknownKeyPath, case .keyPath(let names) = expression, names.count == 1
      else { throw error }
      throw FetchPredicateError(
        .unknownKeyPath,
        "\(error.detail) If \(names[0]) is a text, write it in quotes or pass it as the argument of %@."
      )
    }
  }

  private func checkNumbers(
    _ left: Term, _ right: Term, _ comparator: FetchPredicate.Comparator,
    _ quantifier: FetchPredicate.Quantifier
  ) throws(FetchPredicateError) {
    if quantifier == .direct, left.isMany {
      let name = left.name ?? "A collection"
      let remedy =
        if case .path(let path) = left, path.shape.attribute == nil,
          case .constant(.null) = right
        {
          "write \(name).@count == 0 for no objects."
        } else if case .collection(let members) = left, members.condition != nil {
          "write .@count behind the SUBQUERY."
        } else { "write ANY, ALL or NONE before the comparison." }
      throw FetchPredicateError(.needsQuantifier, "\(name) leads to many objects; \(remedy)")
    }
    if quantifier != .direct {
      guard left.isMany, !left.isCombined else {
        if let name = left.name, let reason = left.reasonAgainstSearch {
          throw FetchPredicateError(.notToMany, "\(name) leads to one value. \(reason)")
        }
        let name = left.name.map { "; \($0) leads to one value, so leave the word out" } ?? ""
        throw FetchPredicateError(
          .notToMany, "ANY, ALL and NONE need a key path to many objects on the left side\(name).")
      }
    }
    if right.isMany, comparator != .isIn || quantifier != .direct {
      throw FetchPredicateError(
        .needsQuantifier,
        "\(right.name ?? "A collection") leads to many objects; on the right side only IN "
          + "without ANY or ALL takes it.")
    }
  }

  private func pattern(
    _ comparator: FetchPredicate.Comparator, _ right: Term, _ options: FetchPredicate.TextOptions
  ) throws(FetchPredicateError) -> TextPattern? {
    guard case .constant(let value) = right, let text = ValueOrder.text(value) else { return nil }
    return switch comparator {
    case .like: TextPattern(like: text, options: options)
    case .matches: try TextPattern(matching: text, options: options)
    default: nil
    }
  }
}

extension PreparedPredicate.Term {
  fileprivate var isConstant: Bool { if case .constant = self { true } else { false } }
  /// The term is two collections put together, which only `IN` takes.
  fileprivate var isCombined: Bool { if case .combined = self { true } else { false } }
}
