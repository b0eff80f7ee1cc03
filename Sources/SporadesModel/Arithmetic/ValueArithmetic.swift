// SPDX-License-Identifier: MIT
import FoundationEssentials

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

extension ArithmeticOperator {
  /// Applies the operation to two numbers, or to dates and seconds. The result is null if a value is of another kind
  /// or the divisor is zero.
  ///
  /// Two integers give an integer, and division drops the fraction. A result that fits no integer is a
  /// double. A double on either side gives a double. Otherwise a decimal on either side gives a decimal, and a double
  /// for rests and powers. Operations on bits take whole numbers of 64 bits.
  public func apply(_ left: Value, _ right: Value) -> Value {
    if let result = applyToDates(left, right) { return result }
    guard let left = ValueOrder.Number(left), let right = ValueOrder.Number(right) else {
      return .null
    }
    if isBitwise {
      guard let left = left.whole, let right = right.whole else { return .null }
      return applyToBits(left, right)
    }
    if case (.integer(let left), .integer(let right)) = (left, right) { return apply(left, right) }
    if self != .modulus, self != .power, let left = left.exactDecimal,
      let right = right.exactDecimal
    {
      return apply(left, right)
    }
    return apply(left.nearestDouble, right.nearestDouble)
  }

  /// The operation takes the bits of whole numbers.
  package var isBitwise: Bool {
    switch self {
    case .bitwiseAnd, .bitwiseOr, .bitwiseXor, .shiftLeft, .shiftRight: true
    case .add, .subtract, .multiply, .divide, .modulus, .power: false
    }
  }

  /// Moves a date by seconds, or counts the seconds between two dates; nil if neither value is a date.
  private func applyToDates(_ left: Value, _ right: Value) -> Value? {
    switch (left, right) {
    case (.date(let left), .date(let right)):
      guard self == .subtract else { return .null }
      return Self.number(
        left.timeIntervalSinceReferenceDate - right.timeIntervalSinceReferenceDate)
    case (.date(let date), _):
      guard let seconds = ValueOrder.Number(right)?.nearestDouble else { return .null }
      let start = date.timeIntervalSinceReferenceDate
      switch self {
      case .add: return Self.date(start + seconds)
      case .subtract: return Self.date(start - seconds)
      default: return .null
      }
    case (_, .date(let date)):
      guard self == .add, let seconds = ValueOrder.Number(left)?.nearestDouble else {
        return .null
      }
      return Self.date(seconds + date.timeIntervalSinceReferenceDate)
    default: return nil
    }
  }

  private static func date(_ seconds: Double) -> Value {
    seconds.isNaN ? .null : .date(Date(timeIntervalSinceReferenceDate: seconds))
  }

  private static func number(_ number: Double) -> Value { number.isNaN ? .null : .double(number) }

  private func applyToBits(_ left: Int64, _ right: Int64) -> Value {
    switch self {
    case .bitwiseAnd: .integer(left & right)
    case .bitwiseOr: .integer(left | right)
    case .bitwiseXor: .integer(left ^ right)
    case .shiftLeft: .integer(left << right)
    case .shiftRight: .integer(left >> right)
    case .add, .subtract, .multiply, .divide, .modulus, .power: .null
    }
  }

  private func apply(_ left: Int64, _ right: Int64) -> Value {
    if self == .divide || self == .modulus, right == 0 { return .null }
    let (result, overflow): (Int64, Bool)
    switch self {
    case .add: (result, overflow) = left.addingReportingOverflow(right)
    case .subtract: (result, overflow) = left.subtractingReportingOverflow(right)
    case .multiply: (result, overflow) = left.multipliedReportingOverflow(by: right)
    case .divide: (result, overflow) = left.dividedReportingOverflow(by: right)
    case .modulus: return .integer(right == -1 ? 0 : left % right)
    case .power:
      return Self.power(left, right).map { .integer($0) } ?? apply(Double(left), Double(right))
    case .bitwiseAnd, .bitwiseOr, .bitwiseXor, .shiftLeft, .shiftRight:
      return applyToBits(left, right)
    }
    return overflow ? apply(Double(left), Double(right)) : .integer(result)
  }

  /// Nil if the power is no integer of 64 bits.
  private static func power(_ base: Int64, _ exponent: Int64) -> Int64? {
    guard exponent >= 0 else { return nil }
    switch base {
    case 0, 1: return exponent == 0 ? 1 : base
    case -1: return exponent.isMultiple(of: 2) ? 1 : -1
    default: break
    }
    guard exponent < 64 else { return nil }
    var result: Int64 = 1
    for _ in 0..<exponent {
      let (next, overflow) = result.multipliedReportingOverflow(by: base)
      if overflow { return nil }
      result = next
    }
    return result
  }

  private func apply(_ left: Decimal, _ right: Decimal) -> Value {
    guard let result = compute(left, right), !result.isNaN else { return .null }
    return .decimal(result)
  }

  private func apply(_ left: Double, _ right: Double) -> Value {
    switch self {
    case .modulus: right == 0 ? .null : Self.number(left.truncatingRemainder(dividingBy: right))
    case .power: Self.number(pow(left, right))
    default: compute(left, right).map(Self.number) ?? .null
    }
  }

  /// Computes an operation that keeps the type of its numbers; nil for others, and if the divisor is zero.
  private func compute<Number: Divisible>(_ left: Number, _ right: Number) -> Number? {
    switch self {
    case .add: left + right
    case .subtract: left - right
    case .multiply: left * right
    case .divide: right == 0 ? nil : left / right
    case .modulus, .power, .bitwiseAnd, .bitwiseOr, .bitwiseXor, .shiftLeft, .shiftRight: nil
    }
  }
}

/// A number type with a division that keeps the fraction.
private protocol Divisible: Numeric {
  static func / (left: Self, right: Self) -> Self
}

extension Decimal: Divisible {}
extension Double: Divisible {}

extension ValueOrder.Number {
  /// The number as an integer of 64 bits; nil if it has a fraction or fits none.
  var whole: Int64? {
    switch self {
    case .integer(let number): number
    case .double(let number): Int64(exactly: number)
    case .decimal(let number): Self(amountOf: number).whole
    }
  }
}
