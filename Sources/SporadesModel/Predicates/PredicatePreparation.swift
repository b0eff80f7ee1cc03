// SPDX-License-Identifier: MIT

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
struct PredicatePreparation {
  typealias Term = PreparedPredicate.Term
  /// The largest number of nested levels of conditions. The format language has a smaller limit.
  static let largestDepth = 200

  let entity: EntityShape
  let model: ManagedObjectModel

  init(_ entity: EntityShape, _ model: ManagedObjectModel) {
    self.entity = entity
    self.model = model
  }

  func prepare(
    _ predicate: FetchPredicate, depth: Int = 0
  ) throws(FetchPredicateError) -> PreparedPredicate {
    try check(depth)
    switch predicate {
    case .constant(let answer): return .constant(answer)
    case .comparison(let comparison): return .comparison(try prepare(comparison))
    case .not(let inner): return .not(try prepare(inner, depth: depth + 1))
    case .and(let parts): return .and(try prepare(parts, depth: depth + 1))
    case .or(let parts): return .or(try prepare(parts, depth: depth + 1))
    case .block: throw Self.unsupported("A closure of the program")
    }
  }

  static func unsupported(_ construct: String) -> FetchPredicateError {
    FetchPredicateError(.unsupported, "\(construct) is not supported.")
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
    _ comparison: FetchPredicate.Comparison
  ) throws(FetchPredicateError) -> PreparedPredicate.Comparison {
    var left = try term(comparison.left)
    var right = try rightTerm(comparison.right)
    var comparator = comparison.comparator
    if comparator == .contains, comparison.quantifier == .direct, isCollection(left.term) {
      // "The collection contains the value" means the same as "the value is in the collection".
      (left, right, comparator) = (right, left, .isIn)
    }
    try checkNumbers(left.term, right.term, comparator, comparison.quantifier)
    let operands = Operands(left: left, right: right, comparator: comparator)
    try operands.check()
    let hasPattern = comparator == .like || comparator == .matches
    let folding = hasPattern ? [] : comparison.options
    return PreparedPredicate.Comparison(
      left: left.term.folded(folding), comparator: comparator,
      right: right.term.folded(folding), quantifier: comparison.quantifier,
      options: comparison.options, folding: folding,
      pattern: try pattern(comparator, right.term, comparison.options))
  }

  /// The right side. A text that somebody wrote without quotes looks like a key path there.
  private func rightTerm(_ expression: FetchExpression) throws(FetchPredicateError) -> TypedTerm {
    do {
      return try term(expression)
    } catch {
      guard error.code == .unknownKeyPath, case .keyPath(let names) = expression, names.count == 1
      else { throw error }
      throw FetchPredicateError(
        .unknownKeyPath,
        "\(error.detail) If \(names[0]) is a text, write it in quotes or pass it as the argument of %@."
      )
    }
  }

  private func isCollection(_ term: Term) -> Bool {
    switch term {
    case .constant(.list), .list: true
    case .path(let path): path.isToMany
    default: false
    }
  }

  private func checkNumbers(
    _ left: Term, _ right: Term, _ comparator: FetchPredicate.Comparator,
    _ quantifier: FetchPredicate.Quantifier
  ) throws(FetchPredicateError) {
    if quantifier == .direct, case .path(let path) = left, path.isToMany {
      let name = path.names.joined(separator: ".")
      let remedy =
        if path.attribute == nil, case .constant(.null) = right {
          "write \(name).@count == 0 for no objects."
        } else { "write ANY, ALL or NONE before the comparison." }
      throw FetchPredicateError(.needsQuantifier, "\(name) leads to many objects; \(remedy)")
    }
    if quantifier != .direct {
      guard case .path(let path) = left, path.isToMany else {
        let name = left.name.map { "; \($0) leads to one value, so leave the word out" } ?? ""
        throw FetchPredicateError(
          .notToMany, "ANY, ALL and NONE need a key path to many objects on the left side\(name).")
      }
    }
    if case .path(let path) = right, path.isToMany, comparator != .isIn || quantifier != .direct {
      throw FetchPredicateError(
        .needsQuantifier,
        "\(path.names.joined(separator: ".")) leads to many objects; on the right side only IN "
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
