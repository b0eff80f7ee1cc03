// SPDX-License-Identifier: MIT

/// A value that is computed over the objects of a group, checked against the model.
///
/// `min` and `max` take values with an order: numbers, texts, dates, UUIDs, data. `average` takes numbers and dates.
/// `count` takes everything, and the other functions take numbers. All contexts and stores use this check, so all of
/// them refuse the same aggregates.
public struct AggregateShape {
  /// The function that makes one value of many.
  public let function: FetchFunction
  /// The value that the function takes of each object; nil where it counts the objects themselves.
  public let argument: ExpressionShape?
  /// The function leaves out repeated values.
  public let isDistinct: Bool

  /// Refuses values that do not fit the function.
  public init(
    _ function: FetchFunction, of argument: ExpressionShape?, isDistinct: Bool,
    in entity: EntityShape
  ) throws(FetchPredicateError) {
    self.function = function
    self.argument = argument
    self.isDistinct = isDistinct
    if let argument { try function.check(argument, entity) }
  }

  /// The type of the result; nil where it depends on the single value.
  public var resultType: AttributeType? {
    let type = argument?.type
    switch function {
    case .count: return .integer64
    case .min, .max: return type
    case _ where argument?.readsDecimals == true: return nil
    case .average: return type == .date ? .date : .double
    case .sum where type == .double || type == .float: return type
    case .sum where type?.isWhole == true: return .integer64
    default: return nil
    }
  }

  /// The function adds doubles, so that sums of parts would be rounded before they are added.
  package var addsDoubles: Bool {
    guard function == .sum || function == .average else { return false }
    return switch argument?.type {
    case .double, .float, .date: true
    default: false
    }
  }

  /// The result over the values of a group.
  package func value(of values: [Value]) throws(FetchPredicateError) -> Value {
    let values = isDistinct ? Self.distinct(values) : values
    switch function {
    case .count: return .integer(Int64(values.count { !ValueOrder.isNil($0) }))
    case .sum: return AggregateFunction.sum.value(of: values)
    case .min: return AggregateFunction.min.value(of: values)
    case .max: return AggregateFunction.max.value(of: values)
    case .average: return AggregateFunction.average.value(of: values)
    default:
      return try ConstantExpression.value(.function(function, [.constant(.list(values))]))
    }
  }

  private static func distinct(_ values: [Value]) -> [Value] {
    var known: Set<ValueKey> = []
    return values.filter { !ValueOrder.isNil($0) && known.insert(ValueKey([$0])).inserted }
  }
}

extension AttributeType {
  /// The values are whole numbers or truth values.
  package var isWhole: Bool {
    switch self {
    case .integer16, .integer32, .integer64, .boolean: true
    default: false
    }
  }
}

extension FetchFunction {
  fileprivate func check(
    _ argument: ExpressionShape, _ entity: EntityShape
  ) throws(FetchPredicateError) {
    let name =
      argument.path.map { "\(entity.name).\($0.names.joined(separator: "."))" }
      ?? "\(argument.expression)"
    if self != .count, argument.destination != nil {
      throw FetchPredicateError(
        .notAnAttribute, "\(name) is a relationship; aggregate an attribute that it leads to.")
    }
    for kind in argument.kinds where !accepts(kind) {
      throw FetchPredicateError(
        .wrongOperands,
        "There is no \(rawValue) of \(name), which is \(kind.phrase). \(AggregateFunction.meaning)"
      )
    }
    if argument.path?.isLarge == true {
      throw FetchPredicateError(
        .wrongOperands,
        "There is no \(rawValue) of \(name), because its values may lie in files outside the store."
      )
    }
  }

  private func accepts(_ kind: PreparedPredicate.Term.Kind) -> Bool {
    switch self {
    case .count: true
    case .min, .max: kind.hasOrder
    case .average: kind == .number || kind == .date || kind == .null
    default: kind == .number || kind == .null
    }
  }
}
