// SPDX-License-Identifier: MIT
import FoundationEssentials

// Numbers of different types beside each other. Memory could tell them apart by their values, but a column of a
// database forgets whether a number was a decimal. Types that are known before the first object is read decide in both.
extension PreparedPredicate.Term {
  /// The operands of an operation on numbers. Beside a decimal, a constant double becomes the decimal that its
  /// shortest text says, and any other double makes the decimal a double.
  static func operands(
    of operation: ArithmeticOperator, _ left: Self, _ right: Self
  ) -> (left: Self, right: Self) {
    guard operation.keepsDecimals else { return (left, right) }
    switch (left.number, right.number) {
    case (.decimal, .real):
      guard let exact = right.withDecimalConstants else { return (left.widened(to: .real), right) }
      return (left, exact)
    case (.real, .decimal):
      guard let exact = left.withDecimalConstants else { return (left, right.widened(to: .real)) }
      return (exact, right)
    case (.decimal, .whole): return (left, right.isInteger ? right : right.widened(to: .decimal))
    case (.whole, .decimal): return (left.isInteger ? left : left.widened(to: .decimal), right)
    case (.whole, _), (_, .whole), (.real, .real), (.decimal, .decimal): return (left, right)
    }
  }

  /// The list with numbers of one type; the term itself if it is no list.
  var ofOneType: Self {
    switch self {
    case .list(let items): .list(Self.ofOneType(items))
    case .constant(.list(let values)):
      .constant(
        .list(
          Self.ofOneType(values.map { .constant($0) }).compactMap {
            if case .constant(let value) = $0 { value } else { nil }
          }))
    default: self
    }
  }

  /// The numbers of a list, or the values between which a condition chooses, with the widest of their types.
  static func ofOneType(_ terms: [Self]) -> [Self] {
    var terms = terms
    if terms.contains(where: { $0.number == .decimal }) {
      let exact = terms.map(\.withDecimalConstants)
      if !exact.contains(where: { $0 == nil }) { terms = exact.compactMap(\.self) }
    }
    let type = terms.map(\.number).reduce(.whole, NumberType.widest)
    return terms.map { $0.widened(to: type) }
  }

  /// The term with decimals in place of its constant doubles; nil if it has another double.
  private var withDecimalConstants: Self? {
    switch self {
    case .constant(.double(let number)):
      guard number.isFinite, let exact = Decimal(string: number.description), !exact.isNaN else {
        return nil
      }
      return .constant(.decimal(exact))
    case .arithmetic(let operation, let left, let right, onDates: false)
    where number == .real && operation.keepsDecimals:
      guard let left = left.withDecimalConstants, let right = right.withDecimalConstants else {
        return nil
      }
      let (first, second) = Self.operands(of: operation, left, right)
      return .arithmetic(operation, first, second, onDates: false)
    default: return number == .real ? nil : self
    }
  }

  /// The number in a type that is at least as wide.
  private func widened(to type: NumberType) -> Self {
    switch (self, number, type) {
    case (.constant(.null), _, _), (_, .whole, .whole), (_, .real, .real), (_, .decimal, .decimal):
      self
    case (.constant(let value), _, .decimal): .constant(CastType.decimal.apply(value))
    case (.constant(let value), _, .real): .constant(value.real)
    case (_, .whole, .decimal): .cast(self, from: .number, to: .decimal)
    case (_, _, .real): .real(self)
    // The widest type of the numbers is never one of these.
    case (_, .real, .decimal), (_, _, .whole): self
    }
  }

  /// Each number of the term is an integer, also where a result could be too large for one.
  private var isInteger: Bool {
    switch self {
    case .constant(.integer), .constant(.boolean), .constant(.null), .count: true
    case .path(let path): path.shape.attribute != nil && number == .whole
    case .element(let element): element.values != nil && number == .whole
    case .function(let function, _): !function.takesMany && function.isWhole
    default: false
    }
  }
}

extension Value {
  /// The number as a double; null for other values.
  var real: Value { ValueOrder.Number(self).map { .double($0.nearestDouble) } ?? .null }
}

extension FetchFunction {
  /// All results are whole numbers.
  var isWhole: Bool {
    switch self {
    case .length, .count, .onesComplement, .year, .month, .day, .hour, .minute, .second, .weekday:
      true
    default: false
    }
  }
}
