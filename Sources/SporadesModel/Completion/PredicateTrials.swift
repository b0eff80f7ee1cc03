// SPDX-License-Identifier: MIT

/// Finds the operators that an expression takes, by a trial with each of them.
///
/// Each `try?` is such a trial: an error is the answer that the operator does not fit.
struct PredicateTrials {
  private let preparation: PredicatePreparation

  init(_ entity: EntityShape, _ model: ManagedObjectModel, _ variables: [PredicateParser.Variable])
  {
    var preparation = PredicatePreparation(entity, model)
    preparation.members = variables.compactMap { variable in
      guard let path = try? KeyPathShape(variable.path, in: entity, model),
        let last = path.relationships.last
      else { return nil }  // because a path that the model lacks has no members
      return (variable.name, model.shape(numbered: last.destination))
    }
    self.preparation = preparation
  }

  /// Nothing is known of the expression: a placeholder may stand for any key path.
  private func isUnknown(_ expression: FetchExpression) -> Bool {
    if case .constant(.null) = expression { return true }
    return (try? preparation.term(expression)) == nil
  }

  // MARK: - Comparators

  private static let spellings: [(text: String, comparator: FetchPredicate.Comparator)] = [
    ("==", .equal), ("=", .equal), ("!=", .notEqual), ("<>", .notEqual), ("IN", .isIn),
    ("<", .less), ("<=", .lessOrEqual), ("=<", .lessOrEqual), (">", .greater),
    (">=", .greaterOrEqual), ("=>", .greaterOrEqual), ("BETWEEN", .between),
    ("CONTAINS", .contains), ("BEGINSWITH", .beginsWith), ("ENDSWITH", .endsWith),
    ("LIKE", .like), ("MATCHES", .matches),
  ]
  /// Right sides that fit values of every kind, and a text.
  private static let rightSides: [FetchExpression] = [
    .constant(.null), .constant(.list([.null, .null])), .constant(""),
  ]

  func comparators(
    of left: FetchExpression, _ quantifier: FetchPredicate.Quantifier
  ) -> [PredicateCompletion] {
    let isUnknown = isUnknown(left)
    return Self.spellings.filter { spelling in
      isUnknown
        || Self.rightSides.contains { right in
          let trial = FetchPredicate.Comparison(
            left, spelling.comparator, right, quantifier: quantifier)
          return (try? preparation.prepare(.comparison(trial))) != nil
        }
    }.map { make($0.text) }
  }

  // MARK: - Operations and casts

  private static let operations: [(text: String, operation: ArithmeticOperator)] = [
    ("+", .add), ("-", .subtract), ("*", .multiply), ("/", .divide), ("%%", .modulus),
    ("**", .power), ("&", .bitwiseAnd), ("|", .bitwiseOr), ("^", .bitwiseXor),
    ("<<", .shiftLeft), (">>", .shiftRight),
  ]

  func operations(of left: FetchExpression) -> [PredicateCompletion] {
    let isUnknown = isUnknown(left)
    let fitting = Self.operations.filter { text, operation in
      isUnknown
        || (try? preparation.term(.arithmetic(operation, left, .constant(.integer(1))))) != nil
    }
    let isMany = (try? preparation.term(left))?.term.isMany == true
    let sets = isUnknown || isMany ? SetOperator.allCases.map(\.rawValue) : []
    return (fitting.map(\.text) + sets).map(make)
  }

  /// The types to which the expression can be cast. A literal in quotes can be read as some more.
  func castTypes(of inner: FetchExpression, isLiteral: Bool) -> [PredicateCompletion] {
    let isUnknown = isUnknown(inner)
    let types = CastType.allCases.filter {
      isUnknown || (try? preparation.term(.cast(inner, to: $0))) != nil
    }.map(\.rawValue)
    var read: [String] = []
    if isLiteral, case .constant(.string) = inner { read = PredicateLiteral.types }
    return (types + read).map { PredicateCompletion(text: "'\($0)'", kind: .value) }
  }

  private func make(_ text: String) -> PredicateCompletion {
    PredicateCompletion(text: text, kind: text.first?.isLetter == true ? .word : .sign)
  }
}
