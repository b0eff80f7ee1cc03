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

  /// Adds numbers without rounding, so that their order changes nothing. Decimals are added as decimals.
  private static func sum(_ values: [Value]) -> Value {
    total(values)?.value ?? values.reduce(.integer(0)) { ArithmeticOperator.add.apply($0, $1) }
  }

  private static func average(_ values: [Value]) -> Value {
    let dates = values.compactMap { if case .date(let date) = $0 { date } else { nil } }
    guard dates.isEmpty else {
      var total = ExactTotal()
      for date in dates { total.add(date.timeIntervalSinceReferenceDate) }
      guard case .double(let mean) = total.average else { return .null }
      return .date(Date(timeIntervalSinceReferenceDate: mean))
    }
    return total(values)?.average ?? average(of: sum(values), count: values.count)
  }

  /// The total of whole numbers, truth values and doubles; nil if there are other values.
  private static func total(_ values: [Value]) -> ExactTotal? {
    var total = ExactTotal()
    for value in values {
      switch ValueOrder.Number(value) {
      case .integer(let number): total.add(number)
      case .double(let number): total.add(number)
      case .decimal, nil: return nil
      }
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
