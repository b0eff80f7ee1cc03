// SPDX-License-Identifier: MIT

extension PredicateParser {
  /// The operators between two values. An operator with a higher rank binds tighter.
  private enum Operation {
    case arithmetic(ArithmeticOperator)
    case set(SetOperator)

    static let signs: [String: (rank: Int, operation: Operation)] = [
      "UNION": (0, .set(.union)), "INTERSECT": (0, .set(.intersect)), "MINUS": (0, .set(.minus)),
      "|": (1, .arithmetic(.bitwiseOr)), "^": (2, .arithmetic(.bitwiseXor)),
      "&": (3, .arithmetic(.bitwiseAnd)), "<<": (4, .arithmetic(.shiftLeft)),
      ">>": (4, .arithmetic(.shiftRight)), "+": (5, .arithmetic(.add)),
      "-": (5, .arithmetic(.subtract)), "*": (6, .arithmetic(.multiply)),
      "/": (6, .arithmetic(.divide)), "%%": (6, .arithmetic(.modulus)),
      "**": (7, .arithmetic(.power)),
    ]

    func join(_ left: FetchExpression, _ right: FetchExpression) -> FetchExpression {
      switch self {
      case .arithmetic(let operation): .arithmetic(operation, left, right)
      case .set(let operation): .combined(operation, left, right)
      }
    }
  }

  /// Parses operations of a rank and of higher ranks, grouped from the left.
  ///
  /// Each operation makes the tree one level deeper, so the parser bounds their number as it bounds
  /// nesting.
  mutating func parseOperations(from rank: Int = 0) throws(FetchPredicateError) -> Phrase {
    let start = token
    var left = try parseSigned()
    var count = 0
    if case .expression(let expression) = left { offer(.operations(of: expression)) }
    while let next = nextOperation, next.rank >= rank {
      count += 1
      guard count < Self.largestDepth else {
        throw failure(
          "More than \(Self.largestDepth) operations follow each other; use fewer.", .tooDeep)
      }
      try refuseBitsOfConditions(left)
      let leftSide = try requireExpression(left, start)
      advance()
      let rightStart = token
      left = .expression(
        next.operation.join(
          leftSide, try requireExpression(parseOperations(from: next.rank + 1), rightStart)))
    }
    return left
  }

  private var nextOperation: (rank: Int, operation: Operation)? {
    switch token.form {
    case .sign(let sign): Operation.signs[sign]
    default: token.word.flatMap { Operation.signs[$0] }
    }
  }

  /// Parses a number with its sign, a minus before another value, which means zero minus the value, or a tilde.
  private mutating func parseSigned() throws(FetchPredicateError) -> Phrase {
    if token.isSign("~") { return try parseComplement() }
    guard take(sign: "-") else { return try parsePrimary() }
    if case .number(let digits) = token.form {
      let value = try PredicateLiteral.number(digits, isNegative: true, at: token.position)
      advance()
      return .expression(.constant(value))
    }
    let start = token
    let inner = try parseNested { parser throws(FetchPredicateError) in try parser.parseSigned() }
    return .expression(
      .arithmetic(.subtract, .constant(.integer(0)), try requireExpression(inner, start)))
  }

  private mutating func parseComplement() throws(FetchPredicateError) -> Phrase {
    advance()
    let start = token
    let inner = try parseNested { parser throws(FetchPredicateError) in try parser.parseSigned() }
    return .expression(.function(.onesComplement, [try requireExpression(inner, start)]))
  }
}
