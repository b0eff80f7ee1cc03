// SPDX-License-Identifier: MIT
public import FoundationEssentials
import SporadesModel

// One value over many objects, computed by the store. The compiler prefers the functions for properties that are not
// optional: of two equal ones it would explain neither where a call has a mistake.
extension ActiveRecord {
  /// The least value of an attribute; nil if no object has a value.
  public static func min<V: AttributeConvertible, Context: FinderContext>(
    _ keyPath: KeyPath<Self, V>, where predicate: TypedPredicate<Self>? = nil,
    in context: Context
  ) throws(Context.Failure) -> V? { try aggregate(.min, keyPath, predicate, in: context) }

  /// The least value of an attribute; nil if no object has a value.
  @_disfavoredOverload
  public static func min<V: AttributeConvertible, Context: FinderContext>(
    _ keyPath: KeyPath<Self, V?>, where predicate: TypedPredicate<Self>? = nil,
    in context: Context
  ) throws(Context.Failure) -> V? { try aggregate(.min, keyPath, predicate, in: context) }

  /// The greatest value of an attribute; nil if no object has a value.
  public static func max<V: AttributeConvertible, Context: FinderContext>(
    _ keyPath: KeyPath<Self, V>, where predicate: TypedPredicate<Self>? = nil,
    in context: Context
  ) throws(Context.Failure) -> V? { try aggregate(.max, keyPath, predicate, in: context) }

  /// The greatest value of an attribute; nil if no object has a value.
  @_disfavoredOverload
  public static func max<V: AttributeConvertible, Context: FinderContext>(
    _ keyPath: KeyPath<Self, V?>, where predicate: TypedPredicate<Self>? = nil,
    in context: Context
  ) throws(Context.Failure) -> V? { try aggregate(.max, keyPath, predicate, in: context) }

  /// The sum of an attribute; zero if no object has a value.
  public static func sum<V: AttributeConvertible & Numeric, Context: FinderContext>(
    _ keyPath: KeyPath<Self, V>, where predicate: TypedPredicate<Self>? = nil,
    in context: Context
  ) throws(Context.Failure) -> V { try aggregate(.sum, keyPath, predicate, in: context) ?? .zero }

  /// The sum of an attribute; zero if no object has a value.
  @_disfavoredOverload
  public static func sum<V: AttributeConvertible & Numeric, Context: FinderContext>(
    _ keyPath: KeyPath<Self, V?>, where predicate: TypedPredicate<Self>? = nil,
    in context: Context
  ) throws(Context.Failure) -> V { try aggregate(.sum, keyPath, predicate, in: context) ?? .zero }

  /// The mean value of an attribute; nil if no object has a value.
  public static func average<V: AttributeConvertible & Numeric, Context: FinderContext>(
    _ keyPath: KeyPath<Self, V>, where predicate: TypedPredicate<Self>? = nil,
    in context: Context
  ) throws(Context.Failure) -> Double? { try aggregate(.average, keyPath, predicate, in: context) }

  /// The mean value of an attribute; nil if no object has a value.
  @_disfavoredOverload
  public static func average<V: AttributeConvertible & Numeric, Context: FinderContext>(
    _ keyPath: KeyPath<Self, V?>, where predicate: TypedPredicate<Self>? = nil,
    in context: Context
  ) throws(Context.Failure) -> Double? { try aggregate(.average, keyPath, predicate, in: context) }

  /// The mean of dates; nil if no object has a date.
  public static func average<Context: FinderContext>(
    _ keyPath: KeyPath<Self, Date>, where predicate: TypedPredicate<Self>? = nil,
    in context: Context
  ) throws(Context.Failure) -> Date? { try aggregate(.average, keyPath, predicate, in: context) }

  /// The mean of dates; nil if no object has a date.
  @_disfavoredOverload
  public static func average<Context: FinderContext>(
    _ keyPath: KeyPath<Self, Date?>, where predicate: TypedPredicate<Self>? = nil,
    in context: Context
  ) throws(Context.Failure) -> Date? { try aggregate(.average, keyPath, predicate, in: context) }

  private static func aggregate<V: AttributeConvertible, Context: FinderContext>(
    _ function: AggregateFunction, _ keyPath: PartialKeyPath<Self>,
    _ predicate: TypedPredicate<Self>?, in context: Context
  ) throws(Context.Failure) -> V? {
    try context.find(orElse: nil) { context in
      let names = try KeyPathNames.names(of: keyPath)
      let value = try context.aggregate(
        function, of: names, finderRequest(predicate?.predicate, in: context))
      guard !value.isNull else { return nil }
      guard let converted: V = value.converted() else {
        throw ContextError.aggregateDoesNotFit(
          function, property: "\(Self.self).\(names.joined(separator: "."))", type: "\(V.self)")
      }
      return converted
    }
  }
}
