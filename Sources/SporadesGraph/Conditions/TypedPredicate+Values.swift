// SPDX-License-Identifier: MIT
public import SporadesModel

// Comparisons of a key path with a value. An object stands for its id.
//
// The compiler prefers the functions for properties that are not optional. Of two equal ones it would choose
// neither in a condition with a mistake, `\.owner.age > 3`, and would name no mistake either.

/// The condition that the property has the value. Objects are compared by their ids.
public func == <Object: ManagedObject, V: ValueConvertible>(
  keyPath: KeyPath<Object, V>, value: V
) -> TypedPredicate<Object> { TypedPredicate(keyPath, .equal, value.value) }

/// The condition that the property has another value than the given one, or none.
public func != <Object: ManagedObject, V: ValueConvertible>(
  keyPath: KeyPath<Object, V>, value: V
) -> TypedPredicate<Object> { TypedPredicate(keyPath, .notEqual, value.value) }

/// The condition that the property is less than the value.
public func < <Object: ManagedObject, V: ValueConvertible & Comparable>(
  keyPath: KeyPath<Object, V>, value: V
) -> TypedPredicate<Object> { TypedPredicate(keyPath, .less, value.value) }

/// The condition that an optional property is less than the value. Nil satisfies no bound.
@_disfavoredOverload
public func < <Object: ManagedObject, V: ValueConvertible & Comparable>(
  keyPath: KeyPath<Object, V?>, value: V
) -> TypedPredicate<Object> { TypedPredicate(keyPath, .less, value.value) }

/// The condition that the property is at most the value.
public func <= <Object: ManagedObject, V: ValueConvertible & Comparable>(
  keyPath: KeyPath<Object, V>, value: V
) -> TypedPredicate<Object> { TypedPredicate(keyPath, .lessOrEqual, value.value) }

/// The condition that an optional property is at most the value. Nil satisfies no bound.
@_disfavoredOverload
public func <= <Object: ManagedObject, V: ValueConvertible & Comparable>(
  keyPath: KeyPath<Object, V?>, value: V
) -> TypedPredicate<Object> { TypedPredicate(keyPath, .lessOrEqual, value.value) }

/// The condition that the property is greater than the value.
public func > <Object: ManagedObject, V: ValueConvertible & Comparable>(
  keyPath: KeyPath<Object, V>, value: V
) -> TypedPredicate<Object> { TypedPredicate(keyPath, .greater, value.value) }

/// The condition that an optional property is greater than the value. Nil satisfies no bound.
@_disfavoredOverload
public func > <Object: ManagedObject, V: ValueConvertible & Comparable>(
  keyPath: KeyPath<Object, V?>, value: V
) -> TypedPredicate<Object> { TypedPredicate(keyPath, .greater, value.value) }

/// The condition that the property is at least the value.
public func >= <Object: ManagedObject, V: ValueConvertible & Comparable>(
  keyPath: KeyPath<Object, V>, value: V
) -> TypedPredicate<Object> { TypedPredicate(keyPath, .greaterOrEqual, value.value) }

/// The condition that an optional property is at least the value. Nil satisfies no bound.
@_disfavoredOverload
public func >= <Object: ManagedObject, V: ValueConvertible & Comparable>(
  keyPath: KeyPath<Object, V?>, value: V
) -> TypedPredicate<Object> { TypedPredicate(keyPath, .greaterOrEqual, value.value) }

/// The condition that the property has one of the values: `\.name ~= ["Rex", "Bella"]`.
public func ~= <Object: ManagedObject, V: ValueConvertible>(
  keyPath: KeyPath<Object, V>, values: [V]
) -> TypedPredicate<Object> { TypedPredicate(keyPath, .isIn, values.value) }

/// The condition that the property has one of the values of a set.
public func ~= <Object: ManagedObject, V: ValueConvertible>(
  keyPath: KeyPath<Object, V>, values: Set<V>
) -> TypedPredicate<Object> { TypedPredicate(keyPath, .isIn, values.value) }

/// The condition that the property lies in the range: `\.age ~= 18...65`.
public func ~= <Object: ManagedObject, V: ValueConvertible & Comparable>(
  keyPath: KeyPath<Object, V>, range: ClosedRange<V>
) -> TypedPredicate<Object> { TypedPredicate(keyPath, .between, range.bounds) }

/// The condition that the optional property lies in the range. Nil lies in no range.
@_disfavoredOverload
public func ~= <Object: ManagedObject, V: ValueConvertible & Comparable>(
  keyPath: KeyPath<Object, V?>, range: ClosedRange<V>
) -> TypedPredicate<Object> { TypedPredicate(keyPath, .between, range.bounds) }

/// The condition that the property lies in the range, whose end is left out: `\.date ~= from..<to`.
public func ~= <Object: ManagedObject, V: ValueConvertible & Comparable>(
  keyPath: KeyPath<Object, V>, range: Range<V>
) -> TypedPredicate<Object> { keyPath >= range.lowerBound && keyPath < range.upperBound }

/// The condition that the optional property lies in the range, whose end is left out. Nil lies in no
/// range.
@_disfavoredOverload
public func ~= <Object: ManagedObject, V: ValueConvertible & Comparable>(
  keyPath: KeyPath<Object, V?>, range: Range<V>
) -> TypedPredicate<Object> { keyPath >= range.lowerBound && keyPath < range.upperBound }

extension ClosedRange where Bound: ValueConvertible {
  fileprivate var bounds: Value { .list([lowerBound.value, upperBound.value]) }
}
