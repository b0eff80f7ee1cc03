// SPDX-License-Identifier: MIT
public import SporadesModel

/// A range with one end: `18...`, `...65` or `..<18`.
public protocol OpenRange<Bound>: RangeExpression where Bound: ValueConvertible {
  /// The end of the range, and how a value in the range compares with it.
  var queriedEnd: (comparator: FetchPredicate.Comparator, value: Value) { get }
}

extension PartialRangeFrom: OpenRange where Bound: ValueConvertible {
  public var queriedEnd: (comparator: FetchPredicate.Comparator, value: Value) {
    (.greaterOrEqual, lowerBound.value)
  }
}

extension PartialRangeThrough: OpenRange where Bound: ValueConvertible {
  public var queriedEnd: (comparator: FetchPredicate.Comparator, value: Value) {
    (.lessOrEqual, upperBound.value)
  }
}

extension PartialRangeUpTo: OpenRange where Bound: ValueConvertible {
  public var queriedEnd: (comparator: FetchPredicate.Comparator, value: Value) {
    (.less, upperBound.value)
  }
}

/// The condition that the property lies in the range: `\.age ~= 18...`.
@_disfavoredOverload
public func ~= <Object: ManagedObject, Range: OpenRange>(
  keyPath: KeyPath<Object, Range.Bound>, range: Range
) -> TypedPredicate<Object> {
  TypedPredicate(keyPath, range.queriedEnd.comparator, range.queriedEnd.value)
}

/// The condition that the optional property lies in the range. Nil lies in no range.
@_disfavoredOverload
public func ~= <Object: ManagedObject, Range: OpenRange>(
  keyPath: KeyPath<Object, Range.Bound?>, range: Range
) -> TypedPredicate<Object> {
  TypedPredicate(keyPath, range.queriedEnd.comparator, range.queriedEnd.value)
}

/// The condition that the expression lies in the range: `\.price * 2 ~= 10...`.
@_disfavoredOverload
public func ~= <Object: ManagedObject, Range: OpenRange>(
  left: TypedExpression<Object, Range.Bound>, range: Range
) -> TypedPredicate<Object> {
  left.compare(range.queriedEnd.comparator, .constant(range.queriedEnd.value))
}
