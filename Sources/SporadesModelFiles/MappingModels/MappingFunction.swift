// SPDX-License-Identifier: MIT
package import FoundationEssentials
package import SporadesModel

/// A function of the predicate language that an expression of a mapping can call.
package enum MappingFunction {
  package static let names: Set<String> = [
    "now", "sum", "count", "min", "max", "average", "uppercase", "lowercase", "length", "abs",
    "ceiling", "floor", "trunc", "sqrt", "raise:toPower", "add:to", "from:subtract",
    "multiply:by", "divide:by", "modulus:by", "castObject:toType",
  ]

  /// The result of a function; nil if the function does not take such arguments.
  package static func apply(_ name: String, _ arguments: [Value], now: Date) -> Value? {
    switch (name.functionName, arguments.count) {
    case ("now", 0): .date(now)
    case ("sum", _): AggregateFunction.sum.value(of: items(arguments))
    case ("min", _): AggregateFunction.min.value(of: items(arguments))
    case ("max", _): AggregateFunction.max.value(of: items(arguments))
    case ("average", _): AggregateFunction.average.value(of: items(arguments))
    case ("count", _): .integer(Int64(items(arguments).count))
    case (let name, 1): apply(name, arguments[0])
    case (let name, 2): apply(name, arguments[0], arguments[1])
    default: nil
    }
  }

  private static func items(_ arguments: [Value]) -> [Value] {
    if arguments.count == 1, case .list(let items) = arguments[0] { return items }
    return arguments
  }

  private static func apply(_ name: String, _ value: Value) -> Value? {
    if value.isNull { return .null }
    if case .string(let text) = value {
      switch name {
      case "uppercase": return .string(text.uppercased())
      case "lowercase": return .string(text.lowercased())
      case "length": return .integer(Int64(text.utf16.count))
      default: return nil
      }
    }
    guard let number = ValueOrder.Number(value) else { return nil }
    if case .integer(let whole) = number {
      switch name {
      case "abs": return whole == .min ? .double(-Double(whole)) : .integer(Swift.abs(whole))
      case "ceiling", "floor", "trunc": return .integer(whole)
      default: break
      }
    }
    let real = number.nearestDouble
    switch name {
    case "abs": return .double(Swift.abs(real))
    case "ceiling": return .double(real.rounded(.up))
    case "floor": return .double(real.rounded(.down))
    case "trunc": return .double(real.rounded(.towardZero))
    case "sqrt": return real < 0 ? .null : .double(real.squareRoot())
    default: return nil
    }
  }

  private static func apply(_ name: String, _ left: Value, _ right: Value) -> Value? {
    switch name {
    case "add:to": return ArithmeticOperator.add.apply(left, right)
    case "from:subtract": return ArithmeticOperator.subtract.apply(left, right)
    case "multiply:by": return ArithmeticOperator.multiply.apply(left, right)
    case "divide:by": return ArithmeticOperator.divide.apply(left, right)
    case "modulus:by":
      guard case .integer(let left)? = ValueOrder.Number(left),
        case .integer(let right)? = ValueOrder.Number(right)
      else { return nil }
      return right == 0
        ? .null : .integer(left.remainderReportingOverflow(dividingBy: right).partialValue)
    case "raise:toPower":
      guard let base = ValueOrder.Number(left)?.nearestDouble,
        case .integer(let exponent)? = ValueOrder.Number(right), (0...1_000).contains(exponent)
      else { return nil }
      return .double((0..<exponent).reduce(1.0) { power, _ in power * base })
    case "castObject:toType":
      guard case .string(let type) = right else { return nil }
      return cast(left, to: type)
    default: return nil
    }
  }

  private static func cast(_ value: Value, to type: String) -> Value? {
    if value.isNull { return .null }
    switch (type, value) {
    case ("NSString", _): return value.converted(to: .string)
    case ("NSNumber", .string(let text)):
      return Int64(text).map { .integer($0) } ?? Double(text).map { .double($0) }
    case ("NSNumber", .date(let date)): return .double(date.timeIntervalSinceReferenceDate)
    case ("NSNumber", _): return ValueOrder.Number(value).map { _ in value }
    case ("NSDecimalNumber", _): return value.converted(to: .decimal)
    case ("NSDate", _): return value.converted(to: .date)
    case ("NSUUID", _): return value.converted(to: .uuid)
    case ("NSURL", _): return value.converted(to: .uri)
    default: return nil
    }
  }
}

extension String {
  /// The name of a function without the colon at its end.
  package var functionName: String { hasSuffix(":") ? String(dropLast()) : self }
}
