// SPDX-License-Identifier: MIT
import FoundationEssentials

/// The type of a number as far as the model and the predicate tell it. It decides how arithmetic goes on with the
/// number, in memory and in SQL.
package enum NumberType: Hashable, Sendable {
  /// An integer. A result that fits none, and a number that was read from a text, may be a double.
  case whole
  /// A double.
  case real
  /// A decimal. A database stores whole decimals as integers, and most others as doubles.
  case decimal

  package init(_ type: AttributeType?) {
    self =
      switch type {
      case .decimal: .decimal
      case .double, .float: .real
      default: .whole
      }
  }

  /// The type that arithmetic gives: a double on either side gives a double, otherwise a decimal gives a decimal.
  package static func widest(_ left: Self, _ right: Self) -> Self {
    if left == .real || right == .real { return .real }
    return left == .decimal || right == .decimal ? .decimal : .whole
  }

  /// A number as an operand of this type. Nil becomes an expression of the type whose value is nil.
  package func operand(of value: Value) -> FetchExpression {
    switch (self, value) {
    case (.decimal, .null): .cast(.constant(.null), to: .decimal)
    case (.real, .null): .arithmetic(.multiply, .constant(.null), .constant(.double(1)))
    case (.decimal, .integer(let number)): .constant(.decimal(Decimal(number)))
    case (.real, .integer(let number)): .constant(.double(Double(number)))
    default: .constant(value)
    }
  }
}

extension ArithmeticOperator {
  /// The type of the result for numbers of two types.
  package func result(of left: NumberType, _ right: NumberType) -> NumberType {
    if isBitwise { return .whole }
    let widest = NumberType.widest(left, right)
    return widest == .decimal && !keepsDecimals ? .real : widest
  }

  /// Two decimals give a decimal. Rests and powers of decimals are doubles.
  package var keepsDecimals: Bool {
    switch self {
    case .add, .subtract, .multiply, .divide: true
    case .modulus, .power, .bitwiseAnd, .bitwiseOr, .bitwiseXor, .shiftLeft, .shiftRight: false
    }
  }
}

extension FetchFunction {
  /// The type of the result of a function of one value, for a number of a type.
  package func result(ofOne type: NumberType) -> NumberType {
    switch self {
    case .withoutIndex: type
    case .squareRoot, .logarithm, .naturalLogarithm, .exponential: .real
    case .absolute, .floor, .ceiling, .truncation: type == .whole ? .whole : .real
    default: .whole
    }
  }

  /// The type of the result of a function of many values, for numbers of a type.
  package func result(ofMany type: NumberType) -> NumberType {
    switch self {
    case .count: .whole
    case .standardDeviation: .real
    case .average, .median: type == .decimal ? .decimal : .real
    default: type
    }
  }
}

extension PreparedPredicate.Term {
  /// The type of the term's numbers; ``NumberType/whole`` for other values.
  package var number: NumberType {
    switch self {
    case .constant(.decimal), .cast(_, from: _, to: .decimal): .decimal
    case .constant(.double), .real, .arithmetic(_, _, _, onDates: true): .real
    case .constant(.list(let values)): Self.widest(values.map { .constant($0) })
    case .list(let items): Self.widest(items)
    case .constant, .subject, .count, .combined: .whole
    case .path(let path): NumberType(path.shape.attribute?.type)
    case .aggregate(let function, let path):
      FetchFunction(function).result(ofMany: NumberType(path.shape.attribute?.type))
    case .arithmetic(let operation, let left, let right, onDates: false):
      operation.result(of: left.number, right.number)
    case .function(let function, let arguments):
      function.takesMany
        ? function.result(ofMany: Self.widest(arguments))
        : function.result(ofOne: Self.widest(arguments))
    case .conditional(_, let first, let second, isText: _): Self.widest([first, second])
    case .cast(let inner, from: .number, to: .number): inner.number
    case .cast(_, from: .date, to: .number), .cast(_, from: _, to: .date): .real
    case .cast: .whole
    case .element(let element): NumberType(element.values?.attribute?.type)
    case .collection(let collection): collection.number
    }
  }

  private static func widest(_ terms: [Self]) -> NumberType {
    terms.map(\.number).reduce(.whole, NumberType.widest)
  }
}

extension PreparedPredicate.Collection {
  fileprivate var number: NumberType {
    let type = computed?.number ?? NumberType(values?.attribute?.type)
    return switch question {
    case .members: type
    case .count: .whole
    case .aggregate(let function): FetchFunction(function).result(ofMany: type)
    }
  }
}
