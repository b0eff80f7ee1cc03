// SPDX-License-Identifier: MIT
public import SporadesModel

// Comparisons of a computed value: `(\User.name).length > 3`, `\.price * 2 > \.limit`.

/// The condition that the expression equals the value.
@_disfavoredOverload
public func == <Object: ManagedObject, V: ValueConvertible>(
  left: TypedExpression<Object, V>, right: V
) -> TypedPredicate<Object> { left.compare(.equal, .constant(right.value)) }

/// The condition that the expression equals another expression.
@_disfavoredOverload
public func == <Object: ManagedObject, V: ValueConvertible>(
  left: TypedExpression<Object, V>, right: TypedExpression<Object, V>
) -> TypedPredicate<Object> { left.compare(.equal, right.expression) }

/// The condition that the expression equals a property.
@_disfavoredOverload
public func == <Object: ManagedObject, V: ValueConvertible>(
  left: TypedExpression<Object, V>, right: KeyPath<Object, V>
) -> TypedPredicate<Object> { left.compare(.equal, FetchExpression(of: right)) }

/// The condition that the expression differs from the value.
@_disfavoredOverload
public func != <Object: ManagedObject, V: ValueConvertible>(
  left: TypedExpression<Object, V>, right: V
) -> TypedPredicate<Object> { left.compare(.notEqual, .constant(right.value)) }

/// The condition that the expression differs from another expression.
@_disfavoredOverload
public func != <Object: ManagedObject, V: ValueConvertible>(
  left: TypedExpression<Object, V>, right: TypedExpression<Object, V>
) -> TypedPredicate<Object> { left.compare(.notEqual, right.expression) }

/// The condition that the expression differs from a property.
@_disfavoredOverload
public func != <Object: ManagedObject, V: ValueConvertible>(
  left: TypedExpression<Object, V>, right: KeyPath<Object, V>
) -> TypedPredicate<Object> { left.compare(.notEqual, FetchExpression(of: right)) }

/// The condition that the expression is less than the value.
@_disfavoredOverload
public func < <Object: ManagedObject, V: ValueConvertible & Comparable>(
  left: TypedExpression<Object, V>, right: V
) -> TypedPredicate<Object> { left.compare(.less, .constant(right.value)) }

/// The condition that the expression is less than another expression.
@_disfavoredOverload
public func < <Object: ManagedObject, V: ValueConvertible & Comparable>(
  left: TypedExpression<Object, V>, right: TypedExpression<Object, V>
) -> TypedPredicate<Object> { left.compare(.less, right.expression) }

/// The condition that the expression is less than a property.
@_disfavoredOverload
public func < <Object: ManagedObject, V: ValueConvertible & Comparable>(
  left: TypedExpression<Object, V>, right: KeyPath<Object, V>
) -> TypedPredicate<Object> { left.compare(.less, FetchExpression(of: right)) }

/// The condition that the expression is at most the value.
@_disfavoredOverload
public func <= <Object: ManagedObject, V: ValueConvertible & Comparable>(
  left: TypedExpression<Object, V>, right: V
) -> TypedPredicate<Object> { left.compare(.lessOrEqual, .constant(right.value)) }

/// The condition that the expression is at most another expression.
@_disfavoredOverload
public func <= <Object: ManagedObject, V: ValueConvertible & Comparable>(
  left: TypedExpression<Object, V>, right: TypedExpression<Object, V>
) -> TypedPredicate<Object> { left.compare(.lessOrEqual, right.expression) }

/// The condition that the expression is at most a property.
@_disfavoredOverload
public func <= <Object: ManagedObject, V: ValueConvertible & Comparable>(
  left: TypedExpression<Object, V>, right: KeyPath<Object, V>
) -> TypedPredicate<Object> { left.compare(.lessOrEqual, FetchExpression(of: right)) }

/// The condition that the expression is greater than the value.
@_disfavoredOverload
public func > <Object: ManagedObject, V: ValueConvertible & Comparable>(
  left: TypedExpression<Object, V>, right: V
) -> TypedPredicate<Object> { left.compare(.greater, .constant(right.value)) }

/// The condition that the expression is greater than another expression.
@_disfavoredOverload
public func > <Object: ManagedObject, V: ValueConvertible & Comparable>(
  left: TypedExpression<Object, V>, right: TypedExpression<Object, V>
) -> TypedPredicate<Object> { left.compare(.greater, right.expression) }

/// The condition that the expression is greater than a property.
@_disfavoredOverload
public func > <Object: ManagedObject, V: ValueConvertible & Comparable>(
  left: TypedExpression<Object, V>, right: KeyPath<Object, V>
) -> TypedPredicate<Object> { left.compare(.greater, FetchExpression(of: right)) }

/// The condition that the expression is at least the value.
@_disfavoredOverload
public func >= <Object: ManagedObject, V: ValueConvertible & Comparable>(
  left: TypedExpression<Object, V>, right: V
) -> TypedPredicate<Object> { left.compare(.greaterOrEqual, .constant(right.value)) }

/// The condition that the expression is at least another expression.
@_disfavoredOverload
public func >= <Object: ManagedObject, V: ValueConvertible & Comparable>(
  left: TypedExpression<Object, V>, right: TypedExpression<Object, V>
) -> TypedPredicate<Object> { left.compare(.greaterOrEqual, right.expression) }

/// The condition that the expression is at least a property.
@_disfavoredOverload
public func >= <Object: ManagedObject, V: ValueConvertible & Comparable>(
  left: TypedExpression<Object, V>, right: KeyPath<Object, V>
) -> TypedPredicate<Object> { left.compare(.greaterOrEqual, FetchExpression(of: right)) }

/// The condition that the expression has one of the values: `(\User.name).length ~= [3, 4]`.
@_disfavoredOverload
public func ~= <Object: ManagedObject, V: ValueConvertible>(
  left: TypedExpression<Object, V>, values: [V]
) -> TypedPredicate<Object> { left.compare(.isIn, .constant(values.value)) }

/// The condition that the expression lies in the range: `\.price * 2 ~= 10...20`.
@_disfavoredOverload
public func ~= <Object: ManagedObject, V: ValueConvertible & Comparable>(
  left: TypedExpression<Object, V>, range: ClosedRange<V>
) -> TypedPredicate<Object> {
  left.compare(.between, .constant(.list([range.lowerBound.value, range.upperBound.value])))
}

/// The condition that the expression lies in the range, whose end is left out.
@_disfavoredOverload
public func ~= <Object: ManagedObject, V: ValueConvertible & Comparable>(
  left: TypedExpression<Object, V>, range: Range<V>
) -> TypedPredicate<Object> { left >= range.lowerBound && left < range.upperBound }
