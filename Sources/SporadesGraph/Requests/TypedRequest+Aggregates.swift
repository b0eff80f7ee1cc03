// SPDX-License-Identifier: MIT
public import FoundationEssentials
package import SporadesModel
package import SporadesStore

// One value over many objects, computed by the store.
extension TypedRequest {
  /// The least value of an attribute; nil if no object has a value.
  public func min<V: AttributeValue, Context: FinderContext>(
    _ keyPath: KeyPath<Object, V>, in context: Context
  ) throws(Context.Failure) -> V.Unwrapped? {
    try aggregate(.min, FetchExpression(of: keyPath), in: context)
  }

  /// The greatest value of an attribute; nil if no object has a value.
  public func max<V: AttributeValue, Context: FinderContext>(
    _ keyPath: KeyPath<Object, V>, in context: Context
  ) throws(Context.Failure) -> V.Unwrapped? {
    try aggregate(.max, FetchExpression(of: keyPath), in: context)
  }

  /// The sum of an attribute; zero if no object has a value.
  public func sum<V: AttributeValue, Context: FinderContext>(
    _ keyPath: KeyPath<Object, V>, in context: Context
  ) throws(Context.Failure) -> V.Unwrapped where V.Unwrapped: Numeric {
    try aggregate(.sum, FetchExpression(of: keyPath), in: context) ?? .zero
  }

  /// The mean value of an attribute; nil if no object has a value.
  public func average<V: AttributeValue, Context: FinderContext>(
    _ keyPath: KeyPath<Object, V>, in context: Context
  ) throws(Context.Failure) -> Double? where V.Unwrapped: Numeric {
    try aggregate(.average, FetchExpression(of: keyPath), in: context)
  }

  /// The mean of dates; nil if no object has a date.
  @_disfavoredOverload
  public func average<V: AttributeValue, Context: FinderContext>(
    _ keyPath: KeyPath<Object, V>, in context: Context
  ) throws(Context.Failure) -> Date? where V.Unwrapped == Date {
    try aggregate(.average, FetchExpression(of: keyPath), in: context)
  }

  /// The result of a function over a value of each object; nil if no object has one.
  func aggregate<Result: AttributeConvertible, Context: FinderContext>(
    _ function: AggregateFunction, _ expression: FetchExpression, in context: Context
  ) throws(Context.Failure) -> Result? {
    try context.find(orElse: nil) { context in
      let value = try context.value(
        of: question(function, over: expression, in: context), untyped)
      guard !value.isNull else { return nil }
      guard let converted: Result = value.converted() else {
        throw ContextError.aggregateDoesNotFit(
          function, property: "\(Object.self).\(expression)", type: "\(Result.self)")
      }
      return converted
    }
  }

  package func question(
    _ function: AggregateFunction, over expression: FetchExpression,
    in context: ManagedObjectContext
  ) throws -> TableQuestion {
    guard !isDistinct else {
      throw FetchPredicateError(
        .unsupported,
        "A request for \(Object.self) asks for the \(function.rawValue) of distinct results. Leave distinct() out, or "
          + "compute over distinct().pluck(…).")
    }
    var column = FetchExpression.function(FetchFunction(function), [expression])
    if case .keyPath(let names) = expression { column = .overObjects(function, names) }
    return try TableQuestion(fetch(in: context, isBounded: true), [column])
  }
}
