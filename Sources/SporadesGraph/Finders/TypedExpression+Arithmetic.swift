// SPDX-License-Identifier: MIT
public import SporadesModel

// Arithmetic with key paths to numbers: `\.price * 2 + \.tax > 10`.
//
// All functions are disfavoured: the compiler tries the arithmetic of plain numbers first, so that sums that have
// nothing to do with objects take no longer.

/// The sum of a property and a number.
@_disfavoredOverload
public func + <Object: ManagedObject, N: ValueConvertible & Numeric>(
  left: KeyPath<Object, N>, right: N
) -> TypedExpression<Object, N> {
  .arithmetic(.add, FetchExpression(of: left), .constant(right.value))
}

/// The sum of a number and a property.
@_disfavoredOverload
public func + <Object: ManagedObject, N: ValueConvertible & Numeric>(
  left: N, right: KeyPath<Object, N>
) -> TypedExpression<Object, N> {
  .arithmetic(.add, .constant(left.value), FetchExpression(of: right))
}

/// The sum of two properties.
@_disfavoredOverload
public func + <Object: ManagedObject, N: ValueConvertible & Numeric>(
  left: KeyPath<Object, N>, right: KeyPath<Object, N>
) -> TypedExpression<Object, N> {
  .arithmetic(.add, FetchExpression(of: left), FetchExpression(of: right))
}

/// The sum of an expression and a number.
@_disfavoredOverload
public func + <Object: ManagedObject, N: ValueConvertible & Numeric>(
  left: TypedExpression<Object, N>, right: N
) -> TypedExpression<Object, N> { .arithmetic(.add, left.expression, .constant(right.value)) }

/// The sum of a number and an expression.
@_disfavoredOverload
public func + <Object: ManagedObject, N: ValueConvertible & Numeric>(
  left: N, right: TypedExpression<Object, N>
) -> TypedExpression<Object, N> { .arithmetic(.add, .constant(left.value), right.expression) }

/// The sum of an expression and a property.
@_disfavoredOverload
public func + <Object: ManagedObject, N: ValueConvertible & Numeric>(
  left: TypedExpression<Object, N>, right: KeyPath<Object, N>
) -> TypedExpression<Object, N> { .arithmetic(.add, left.expression, FetchExpression(of: right)) }

/// The sum of a property and an expression.
@_disfavoredOverload
public func + <Object: ManagedObject, N: ValueConvertible & Numeric>(
  left: KeyPath<Object, N>, right: TypedExpression<Object, N>
) -> TypedExpression<Object, N> { .arithmetic(.add, FetchExpression(of: left), right.expression) }

/// The sum of two expressions.
@_disfavoredOverload
public func + <Object: ManagedObject, N: ValueConvertible & Numeric>(
  left: TypedExpression<Object, N>, right: TypedExpression<Object, N>
) -> TypedExpression<Object, N> { .arithmetic(.add, left.expression, right.expression) }

/// The difference of a property and a number.
@_disfavoredOverload
public func - <Object: ManagedObject, N: ValueConvertible & Numeric>(
  left: KeyPath<Object, N>, right: N
) -> TypedExpression<Object, N> {
  .arithmetic(.subtract, FetchExpression(of: left), .constant(right.value))
}

/// The difference of a number and a property.
@_disfavoredOverload
public func - <Object: ManagedObject, N: ValueConvertible & Numeric>(
  left: N, right: KeyPath<Object, N>
) -> TypedExpression<Object, N> {
  .arithmetic(.subtract, .constant(left.value), FetchExpression(of: right))
}

/// The difference of two properties.
@_disfavoredOverload
public func - <Object: ManagedObject, N: ValueConvertible & Numeric>(
  left: KeyPath<Object, N>, right: KeyPath<Object, N>
) -> TypedExpression<Object, N> {
  .arithmetic(.subtract, FetchExpression(of: left), FetchExpression(of: right))
}

/// The difference of an expression and a number.
@_disfavoredOverload
public func - <Object: ManagedObject, N: ValueConvertible & Numeric>(
  left: TypedExpression<Object, N>, right: N
) -> TypedExpression<Object, N> { .arithmetic(.subtract, left.expression, .constant(right.value)) }

/// The difference of a number and an expression.
@_disfavoredOverload
public func - <Object: ManagedObject, N: ValueConvertible & Numeric>(
  left: N, right: TypedExpression<Object, N>
) -> TypedExpression<Object, N> { .arithmetic(.subtract, .constant(left.value), right.expression) }

/// The difference of an expression and a property.
@_disfavoredOverload
public func - <Object: ManagedObject, N: ValueConvertible & Numeric>(
  left: TypedExpression<Object, N>, right: KeyPath<Object, N>
) -> TypedExpression<Object, N> {
  .arithmetic(.subtract, left.expression, FetchExpression(of: right))
}

/// The difference of a property and an expression.
@_disfavoredOverload
public func - <Object: ManagedObject, N: ValueConvertible & Numeric>(
  left: KeyPath<Object, N>, right: TypedExpression<Object, N>
) -> TypedExpression<Object, N> {
  .arithmetic(.subtract, FetchExpression(of: left), right.expression)
}

/// The difference of two expressions.
@_disfavoredOverload
public func - <Object: ManagedObject, N: ValueConvertible & Numeric>(
  left: TypedExpression<Object, N>, right: TypedExpression<Object, N>
) -> TypedExpression<Object, N> { .arithmetic(.subtract, left.expression, right.expression) }

/// The product of a property and a number.
@_disfavoredOverload
public func * <Object: ManagedObject, N: ValueConvertible & Numeric>(
  left: KeyPath<Object, N>, right: N
) -> TypedExpression<Object, N> {
  .arithmetic(.multiply, FetchExpression(of: left), .constant(right.value))
}

/// The product of a number and a property.
@_disfavoredOverload
public func * <Object: ManagedObject, N: ValueConvertible & Numeric>(
  left: N, right: KeyPath<Object, N>
) -> TypedExpression<Object, N> {
  .arithmetic(.multiply, .constant(left.value), FetchExpression(of: right))
}

/// The product of two properties.
@_disfavoredOverload
public func * <Object: ManagedObject, N: ValueConvertible & Numeric>(
  left: KeyPath<Object, N>, right: KeyPath<Object, N>
) -> TypedExpression<Object, N> {
  .arithmetic(.multiply, FetchExpression(of: left), FetchExpression(of: right))
}

/// The product of an expression and a number.
@_disfavoredOverload
public func * <Object: ManagedObject, N: ValueConvertible & Numeric>(
  left: TypedExpression<Object, N>, right: N
) -> TypedExpression<Object, N> { .arithmetic(.multiply, left.expression, .constant(right.value)) }

/// The product of a number and an expression.
@_disfavoredOverload
public func * <Object: ManagedObject, N: ValueConvertible & Numeric>(
  left: N, right: TypedExpression<Object, N>
) -> TypedExpression<Object, N> { .arithmetic(.multiply, .constant(left.value), right.expression) }

/// The product of an expression and a property.
@_disfavoredOverload
public func * <Object: ManagedObject, N: ValueConvertible & Numeric>(
  left: TypedExpression<Object, N>, right: KeyPath<Object, N>
) -> TypedExpression<Object, N> {
  .arithmetic(.multiply, left.expression, FetchExpression(of: right))
}

/// The product of a property and an expression.
@_disfavoredOverload
public func * <Object: ManagedObject, N: ValueConvertible & Numeric>(
  left: KeyPath<Object, N>, right: TypedExpression<Object, N>
) -> TypedExpression<Object, N> {
  .arithmetic(.multiply, FetchExpression(of: left), right.expression)
}

/// The product of two expressions.
@_disfavoredOverload
public func * <Object: ManagedObject, N: ValueConvertible & Numeric>(
  left: TypedExpression<Object, N>, right: TypedExpression<Object, N>
) -> TypedExpression<Object, N> { .arithmetic(.multiply, left.expression, right.expression) }

/// The quotient of a property and a number.
@_disfavoredOverload
public func / <Object: ManagedObject, N: ValueConvertible & Numeric>(
  left: KeyPath<Object, N>, right: N
) -> TypedExpression<Object, N> {
  .arithmetic(.divide, FetchExpression(of: left), .constant(right.value))
}

/// The quotient of a number and a property.
@_disfavoredOverload
public func / <Object: ManagedObject, N: ValueConvertible & Numeric>(
  left: N, right: KeyPath<Object, N>
) -> TypedExpression<Object, N> {
  .arithmetic(.divide, .constant(left.value), FetchExpression(of: right))
}

/// The quotient of two properties.
@_disfavoredOverload
public func / <Object: ManagedObject, N: ValueConvertible & Numeric>(
  left: KeyPath<Object, N>, right: KeyPath<Object, N>
) -> TypedExpression<Object, N> {
  .arithmetic(.divide, FetchExpression(of: left), FetchExpression(of: right))
}

/// The quotient of an expression and a number.
@_disfavoredOverload
public func / <Object: ManagedObject, N: ValueConvertible & Numeric>(
  left: TypedExpression<Object, N>, right: N
) -> TypedExpression<Object, N> { .arithmetic(.divide, left.expression, .constant(right.value)) }

/// The quotient of a number and an expression.
@_disfavoredOverload
public func / <Object: ManagedObject, N: ValueConvertible & Numeric>(
  left: N, right: TypedExpression<Object, N>
) -> TypedExpression<Object, N> { .arithmetic(.divide, .constant(left.value), right.expression) }

/// The quotient of an expression and a property.
@_disfavoredOverload
public func / <Object: ManagedObject, N: ValueConvertible & Numeric>(
  left: TypedExpression<Object, N>, right: KeyPath<Object, N>
) -> TypedExpression<Object, N> {
  .arithmetic(.divide, left.expression, FetchExpression(of: right))
}

/// The quotient of a property and an expression.
@_disfavoredOverload
public func / <Object: ManagedObject, N: ValueConvertible & Numeric>(
  left: KeyPath<Object, N>, right: TypedExpression<Object, N>
) -> TypedExpression<Object, N> {
  .arithmetic(.divide, FetchExpression(of: left), right.expression)
}

/// The quotient of two expressions.
@_disfavoredOverload
public func / <Object: ManagedObject, N: ValueConvertible & Numeric>(
  left: TypedExpression<Object, N>, right: TypedExpression<Object, N>
) -> TypedExpression<Object, N> { .arithmetic(.divide, left.expression, right.expression) }

/// The rest of the division of a property by a whole number. It has the sign of the property.
@_disfavoredOverload
public func % <Object: ManagedObject, N: ValueConvertible & BinaryInteger>(
  left: KeyPath<Object, N>, right: N
) -> TypedExpression<Object, N> {
  .arithmetic(.modulus, FetchExpression(of: left), .constant(right.value))
}

/// The rest of the division of an expression by a whole number. It has the sign of the expression.
@_disfavoredOverload
public func % <Object: ManagedObject, N: ValueConvertible & BinaryInteger>(
  left: TypedExpression<Object, N>, right: N
) -> TypedExpression<Object, N> { .arithmetic(.modulus, left.expression, .constant(right.value)) }
