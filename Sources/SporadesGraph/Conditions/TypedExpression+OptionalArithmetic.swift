// SPDX-License-Identifier: MIT
public import SporadesModel

// Arithmetic with key paths to optional numbers: `\.age - 2 == 8`. Without a value there is no result, and no order
// comparison holds for it. For other forms, unwrap the end of the key path: `3 - \.age!`.

/// The sum of an optional property and a number; nil where the property is.
@_disfavoredOverload
public func + <Object: ManagedObject, N: ValueConvertible & Numeric>(
  left: KeyPath<Object, N?>, right: N
) -> TypedExpression<Object, N> {
  .arithmetic(.add, FetchExpression(of: left), .constant(right.value))
}

/// The difference of an optional property and a number; nil where the property is.
@_disfavoredOverload
public func - <Object: ManagedObject, N: ValueConvertible & Numeric>(
  left: KeyPath<Object, N?>, right: N
) -> TypedExpression<Object, N> {
  .arithmetic(.subtract, FetchExpression(of: left), .constant(right.value))
}

/// The product of an optional property and a number; nil where the property is.
@_disfavoredOverload
public func * <Object: ManagedObject, N: ValueConvertible & Numeric>(
  left: KeyPath<Object, N?>, right: N
) -> TypedExpression<Object, N> {
  .arithmetic(.multiply, FetchExpression(of: left), .constant(right.value))
}

/// The quotient of an optional property and a number; nil where the property is.
@_disfavoredOverload
public func / <Object: ManagedObject, N: ValueConvertible & Numeric>(
  left: KeyPath<Object, N?>, right: N
) -> TypedExpression<Object, N> {
  .arithmetic(.divide, FetchExpression(of: left), .constant(right.value))
}

/// The rest of the division of an optional property by a whole number, with the sign of the property; nil where the
/// property is.
@_disfavoredOverload
public func % <Object: ManagedObject, N: ValueConvertible & BinaryInteger>(
  left: KeyPath<Object, N?>, right: N
) -> TypedExpression<Object, N> {
  .arithmetic(.modulus, FetchExpression(of: left), .constant(right.value))
}
