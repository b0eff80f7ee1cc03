// SPDX-License-Identifier: MIT
public import FoundationEssentials
public import SporadesModel

/// The types of numbers with fractions, which a product with a whole number keeps.
public protocol FractionalNumber: ValueConvertible, Numeric {}
extension Double: FractionalNumber {}
extension Float: FractionalNumber {}
extension Decimal: FractionalNumber {}

// Products and quotients of a number with a fraction and a whole one: `\.price * \.quantity`.

/// The product of a property with a fraction and a whole one.
@_disfavoredOverload
public func * <Object: ManagedObject, F: FractionalNumber, I: ValueConvertible & BinaryInteger>(
  left: KeyPath<Object, F>, right: KeyPath<Object, I>
) -> TypedExpression<Object, F> {
  .arithmetic(.multiply, FetchExpression(of: left), FetchExpression(of: right))
}

/// The product of a whole property and one with a fraction.
@_disfavoredOverload
public func * <Object: ManagedObject, F: FractionalNumber, I: ValueConvertible & BinaryInteger>(
  left: KeyPath<Object, I>, right: KeyPath<Object, F>
) -> TypedExpression<Object, F> {
  .arithmetic(.multiply, FetchExpression(of: left), FetchExpression(of: right))
}

/// The product of a computed value with a fraction and a whole property.
@_disfavoredOverload
public func * <Object: ManagedObject, F: FractionalNumber, I: ValueConvertible & BinaryInteger>(
  left: TypedExpression<Object, F>, right: KeyPath<Object, I>
) -> TypedExpression<Object, F> {
  .arithmetic(.multiply, left.expression, FetchExpression(of: right))
}

/// The quotient of a property with a fraction and a whole one.
@_disfavoredOverload
public func / <Object: ManagedObject, F: FractionalNumber, I: ValueConvertible & BinaryInteger>(
  left: KeyPath<Object, F>, right: KeyPath<Object, I>
) -> TypedExpression<Object, F> {
  .arithmetic(.divide, FetchExpression(of: left), FetchExpression(of: right))
}

/// The quotient of a whole property and one with a fraction.
@_disfavoredOverload
public func / <Object: ManagedObject, F: FractionalNumber, I: ValueConvertible & BinaryInteger>(
  left: KeyPath<Object, I>, right: KeyPath<Object, F>
) -> TypedExpression<Object, F> {
  .arithmetic(.divide, FetchExpression(of: left), FetchExpression(of: right))
}

/// The quotient of a computed value with a fraction and a whole property.
@_disfavoredOverload
public func / <Object: ManagedObject, F: FractionalNumber, I: ValueConvertible & BinaryInteger>(
  left: TypedExpression<Object, F>, right: KeyPath<Object, I>
) -> TypedExpression<Object, F> {
  .arithmetic(.divide, left.expression, FetchExpression(of: right))
}
