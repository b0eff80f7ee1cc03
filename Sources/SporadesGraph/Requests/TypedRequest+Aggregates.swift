// SPDX-License-Identifier: MIT
public import FoundationEssentials
import SporadesModel

// One value over many objects, computed by the store.
extension TypedRequest {
  /// The least value of an attribute; nil if no object has a value.
  public func min<V: AttributeValue, Context: FinderContext>(
    _ keyPath: KeyPath<Object, V>, in context: Context
  ) throws(Context.Failure) -> V.Unwrapped? { try aggregate(.min, keyPath, in: context) }

  /// The greatest value of an attribute; nil if no object has a value.
  public func max<V: AttributeValue, Context: FinderContext>(
    _ keyPath: KeyPath<Object, V>, in context: Context
  ) throws(Context.Failure) -> V.Unwrapped? { try aggregate(.max, keyPath, in: context) }

  /// The sum of an attribute; zero if no object has a value.
  public func sum<V: AttributeValue, Context: FinderContext>(
    _ keyPath: KeyPath<Object, V>, in context: Context
  ) throws(Context.Failure) -> V.Unwrapped where V.Unwrapped: Numeric {
    try aggregate(.sum, keyPath, in: context) ?? .zero
  }

  /// The mean value of an attribute; nil if no object has a value.
  public func average<V: AttributeValue, Context: FinderContext>(
    _ keyPath: KeyPath<Object, V>, in context: Context
  ) throws(Context.Failure) -> Double? where V.Unwrapped: Numeric {
    try aggregate(.average, keyPath, in: context)
  }

  /// The mean of dates; nil if no object has a date.
  @_disfavoredOverload
  public func average<V: AttributeValue, Context: FinderContext>(
    _ keyPath: KeyPath<Object, V>, in context: Context
  ) throws(Context.Failure) -> Date? where V.Unwrapped == Date {
    try aggregate(.average, keyPath, in: context)
  }

  private func aggregate<V: AttributeConvertible, Context: FinderContext>(
    _ function: AggregateFunction, _ keyPath: PartialKeyPath<Object>, in context: Context
  ) throws(Context.Failure) -> V? {
    try context.find(orElse: nil) { context in
      let names = try KeyPathNames.names(of: keyPath)
      let request = try fetchRequest(in: context)
      guard !isDistinct else { throw distinctAggregateError(function) }
      let value = try context.aggregate(function, of: names, request)
      guard !value.isNull else { return nil }
      guard let converted: V = value.converted() else {
        throw ContextError.aggregateDoesNotFit(
          function, property: "\(Object.self).\(names.joined(separator: "."))", type: "\(V.self)")
      }
      return converted
    }
  }
  func distinctAggregateError(_ function: AggregateFunction) -> FetchPredicateError {
    FetchPredicateError(
      .unsupported,
      "A request for \(Object.self) asks for the \(function.rawValue) of distinct results. Leave distinct() out, or "
        + "compute over distinct().pluck(…).")
  }
}
