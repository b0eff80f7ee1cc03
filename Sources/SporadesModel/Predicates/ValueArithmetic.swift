// SPDX-License-Identifier: MIT
import FoundationEssentials

extension ArithmeticOperator {
  /// Applies the operation to two numbers. The result is null if a value is not a number or the divisor
  /// is zero.
  ///
  /// Two integers give an integer, and division drops the fraction. A result that fits no integer is a
  /// double. A double on either side gives a double. Otherwise a decimal on either side gives a decimal.
  public func apply(_ left: Value, _ right: Value) -> Value {
    guard let left = ValueOrder.Number(left), let right = ValueOrder.Number(right) else {
      return .null
    }
    if case (.integer(let left), .integer(let right)) = (left, right) { return apply(left, right) }
    if let left = left.exactDecimal, let right = right.exactDecimal { return apply(left, right) }
    return apply(left.nearestDouble, right.nearestDouble)
  }

  private func apply(_ left: Int64, _ right: Int64) -> Value {
    if self == .divide, right == 0 { return .null }
    let (result, overflow) =
      switch self {
      case .add: left.addingReportingOverflow(right)
      case .subtract: left.subtractingReportingOverflow(right)
      case .multiply: left.multipliedReportingOverflow(by: right)
      case .divide: left.dividedReportingOverflow(by: right)
      }
    return overflow ? apply(Double(left), Double(right)) : .integer(result)
  }

  private func apply(_ left: Decimal, _ right: Decimal) -> Value {
    guard let result = compute(left, right), !result.isNaN else { return .null }
    return .decimal(result)
  }

  private func apply(_ left: Double, _ right: Double) -> Value {
    guard let result = compute(left, right), !result.isNaN else { return .null }
    return .double(result)
  }

  /// Computes the operation; nil if the divisor is zero.
  private func compute<Number: Divisible>(_ left: Number, _ right: Number) -> Number? {
    switch self {
    case .add: left + right
    case .subtract: left - right
    case .multiply: left * right
    case .divide: right == 0 ? nil : left / right
    }
  }
}

/// A number type with a division that keeps the fraction.
private protocol Divisible: Numeric {
  static func / (left: Self, right: Self) -> Self
}

extension Decimal: Divisible {}
extension Double: Divisible {}

extension AggregateFunction {
  /// Aggregates the values that are not nil. The result is null if there are none.
  public func value(of values: some Sequence<Value>) -> Value {
    let present = values.filter { !ValueOrder.isNil($0) }
    guard let first = present.first else { return .null }
    let others = present.dropFirst()
    return switch self {
    case .min: others.reduce(first) { ValueOrder.sortOrder($1, $0) < 0 ? $1 : $0 }
    case .max: others.reduce(first) { ValueOrder.sortOrder($1, $0) > 0 ? $1 : $0 }
    case .sum: Self.sum(present)
    case .average: Self.average(present)
    }
  }

  /// Adds whole numbers without rounding. A total beyond 64 bits is a double.
  private static func sum(_ values: [Value]) -> Value {
    guard let total = wholeTotal(values) else {
      return values.reduce(.integer(0)) { ArithmeticOperator.add.apply($0, $1) }
    }
    return Int64(exactly: total).map { .integer($0) } ?? .double(Double(total))
  }

  private static func average(_ values: [Value]) -> Value {
    if let total = wholeTotal(values) { return .double(Double(total) / Double(values.count)) }
    let dates = values.compactMap { if case .date(let date) = $0 { date } else { nil } }
    guard dates.isEmpty else {
      let total = dates.reduce(0) { $0 + $1.timeIntervalSinceReferenceDate }
      return .date(Date(timeIntervalSinceReferenceDate: total / Double(dates.count)))
    }
    return average(of: sum(values), count: values.count)
  }

  /// Adds whole numbers and truth values. The result is nil if there are other values.
  private static func wholeTotal(_ values: [Value]) -> Int128? {
    var total: Int128 = 0
    for value in values {
      guard case .integer(let number)? = ValueOrder.Number(value) else { return nil }
      total += Int128(number)
    }
    return total
  }

  /// Divides the sum of the values that are not nil by their number.
  package static func average(of total: Value, count: Int) -> Value {
    switch total {
    case .decimal(let total): .decimal(total / Decimal(count))
    default: ArithmeticOperator.divide.apply(total, .double(Double(count)))
    }
  }
}
