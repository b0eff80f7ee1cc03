// SPDX-License-Identifier: MIT
public import FoundationEssentials
public import SporadesModel

// One value over many objects, computed by the store. The compiler prefers the functions with a typed condition: of
// two equal ones it would explain neither where a call has a mistake.
extension ActiveRecord {
  /// The least value of an attribute; nil if no object has a value.
  public static func min<V: AttributeValue, Context: FinderContext>(
    _ keyPath: KeyPath<Self, V>, where predicate: TypedPredicate<Self>? = nil, in context: Context
  ) throws(Context.Failure) -> V.Unwrapped? {
    try TypedRequest<Self>(where: predicate?.predicate).min(keyPath, in: context)
  }

  /// The greatest value of an attribute; nil if no object has a value.
  public static func max<V: AttributeValue, Context: FinderContext>(
    _ keyPath: KeyPath<Self, V>, where predicate: TypedPredicate<Self>? = nil, in context: Context
  ) throws(Context.Failure) -> V.Unwrapped? {
    try TypedRequest<Self>(where: predicate?.predicate).max(keyPath, in: context)
  }

  /// The sum of an attribute; zero if no object has a value.
  public static func sum<V: AttributeValue, Context: FinderContext>(
    _ keyPath: KeyPath<Self, V>, where predicate: TypedPredicate<Self>? = nil, in context: Context
  ) throws(Context.Failure) -> V.Unwrapped where V.Unwrapped: Numeric {
    try TypedRequest<Self>(where: predicate?.predicate).sum(keyPath, in: context)
  }

  /// The mean value of an attribute; nil if no object has a value.
  public static func average<V: AttributeValue, Context: FinderContext>(
    _ keyPath: KeyPath<Self, V>, where predicate: TypedPredicate<Self>? = nil, in context: Context
  ) throws(Context.Failure) -> Double? where V.Unwrapped: Numeric {
    try TypedRequest<Self>(where: predicate?.predicate).average(keyPath, in: context)
  }

  /// The mean of dates; nil if no object has a date.
  @_disfavoredOverload
  public static func average<V: AttributeValue, Context: FinderContext>(
    _ keyPath: KeyPath<Self, V>, where predicate: TypedPredicate<Self>? = nil, in context: Context
  ) throws(Context.Failure) -> Date? where V.Unwrapped == Date {
    try TypedRequest<Self>(where: predicate?.predicate).average(keyPath, in: context)
  }
}

// Over the objects that satisfy a predicate.
extension ActiveRecord {
  /// The least value of an attribute of the objects that satisfy a predicate; nil if no object has a value.
  @_disfavoredOverload
  public static func min<V: AttributeValue, Context: FinderContext>(
    _ keyPath: KeyPath<Self, V>, where predicate: FetchPredicate, in context: Context
  ) throws(Context.Failure) -> V.Unwrapped? {
    try request.where(predicate).min(keyPath, in: context)
  }

  /// The greatest value of an attribute of the objects that satisfy a predicate; nil if no object has a value.
  @_disfavoredOverload
  public static func max<V: AttributeValue, Context: FinderContext>(
    _ keyPath: KeyPath<Self, V>, where predicate: FetchPredicate, in context: Context
  ) throws(Context.Failure) -> V.Unwrapped? {
    try request.where(predicate).max(keyPath, in: context)
  }

  /// The sum of an attribute of the objects that satisfy a predicate; zero if no object has a value.
  @_disfavoredOverload
  public static func sum<V: AttributeValue, Context: FinderContext>(
    _ keyPath: KeyPath<Self, V>, where predicate: FetchPredicate, in context: Context
  ) throws(Context.Failure) -> V.Unwrapped where V.Unwrapped: Numeric {
    try request.where(predicate).sum(keyPath, in: context)
  }

  /// The mean value of an attribute of the objects that satisfy a predicate; nil if no object has a value.
  @_disfavoredOverload
  public static func average<V: AttributeValue, Context: FinderContext>(
    _ keyPath: KeyPath<Self, V>, where predicate: FetchPredicate, in context: Context
  ) throws(Context.Failure) -> Double? where V.Unwrapped: Numeric {
    try request.where(predicate).average(keyPath, in: context)
  }

  /// The mean of dates of the objects that satisfy a predicate; nil if no object has a date.
  @_disfavoredOverload
  public static func average<V: AttributeValue, Context: FinderContext>(
    _ keyPath: KeyPath<Self, V>, where predicate: FetchPredicate, in context: Context
  ) throws(Context.Failure) -> Date? where V.Unwrapped == Date {
    try request.where(predicate).average(keyPath, in: context)
  }
}

// Over the objects whose truth value is true.
extension ActiveRecord {
  /// The least value of an attribute of the objects whose truth value is true; nil if no object has a value.
  @_disfavoredOverload
  public static func min<V: AttributeValue, Context: FinderContext>(
    _ keyPath: KeyPath<Self, V>, where condition: KeyPath<Self, Bool>, in context: Context
  ) throws(Context.Failure) -> V.Unwrapped? {
    try request.where(condition).min(keyPath, in: context)
  }

  /// The greatest value of an attribute of the objects whose truth value is true; nil if no object has a value.
  @_disfavoredOverload
  public static func max<V: AttributeValue, Context: FinderContext>(
    _ keyPath: KeyPath<Self, V>, where condition: KeyPath<Self, Bool>, in context: Context
  ) throws(Context.Failure) -> V.Unwrapped? {
    try request.where(condition).max(keyPath, in: context)
  }

  /// The sum of an attribute of the objects whose truth value is true; zero if no object has a value.
  @_disfavoredOverload
  public static func sum<V: AttributeValue, Context: FinderContext>(
    _ keyPath: KeyPath<Self, V>, where condition: KeyPath<Self, Bool>, in context: Context
  ) throws(Context.Failure) -> V.Unwrapped where V.Unwrapped: Numeric {
    try request.where(condition).sum(keyPath, in: context)
  }

  /// The mean value of an attribute of the objects whose truth value is true; nil if no object has a value.
  @_disfavoredOverload
  public static func average<V: AttributeValue, Context: FinderContext>(
    _ keyPath: KeyPath<Self, V>, where condition: KeyPath<Self, Bool>, in context: Context
  ) throws(Context.Failure) -> Double? where V.Unwrapped: Numeric {
    try request.where(condition).average(keyPath, in: context)
  }

  /// The mean of dates of the objects whose truth value is true; nil if no object has a date.
  @_disfavoredOverload
  public static func average<V: AttributeValue, Context: FinderContext>(
    _ keyPath: KeyPath<Self, V>, where condition: KeyPath<Self, Bool>, in context: Context
  ) throws(Context.Failure) -> Date? where V.Unwrapped == Date {
    try request.where(condition).average(keyPath, in: context)
  }
}
