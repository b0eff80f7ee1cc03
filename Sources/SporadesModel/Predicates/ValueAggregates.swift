// SPDX-License-Identifier: MIT
import FoundationEssentials

extension AggregateFunction {
  /// Aggregates the values that are not nil. The result is null if there are none.
  public func value(of values: some Sequence<Value>) -> Value {
    let present = values.filter { !ValueOrder.isNil($0) }
    guard let first = present.first else { return .null }
    let others = present.dropFirst()
    return switch self {
    case .min: others.reduce(first) { ValueOrder.exactOrder($1, $0) < 0 ? $1 : $0 }
    case .max: others.reduce(first) { ValueOrder.exactOrder($1, $0) > 0 ? $1 : $0 }
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
