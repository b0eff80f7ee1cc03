// SPDX-License-Identifier: MIT
public import SporadesModel

// Values that stand for missing ones: `(\User.nickname) ?? "none"`, `(\User.pets).max(\.age) ?? 0`.

extension FetchExpression {
  /// The expression, or another one where it has no value.
  fileprivate func standingIn(_ other: FetchExpression) -> FetchExpression {
    .conditional(
      .comparison(FetchPredicate.Comparison(self, .equal, .constant(.null))), other, self)
  }
}

/// The value of an optional property, or the other value where it has none.
@_disfavoredOverload
public func ?? <Object: ManagedObject, V: ValueConvertible>(
  left: KeyPath<Object, V?>, right: V
) -> TypedExpression<Object, V> {
  TypedExpression(FetchExpression(of: left).standingIn(.constant(right.value)))
}

/// The value of an optional property, or that of another property where it has none.
@_disfavoredOverload
public func ?? <Object: ManagedObject, V: ValueConvertible>(
  left: KeyPath<Object, V?>, right: KeyPath<Object, V>
) -> TypedExpression<Object, V> {
  TypedExpression(FetchExpression(of: left).standingIn(FetchExpression(of: right)))
}

/// A computed value, or the other value where there is none.
@_disfavoredOverload
public func ?? <Object: ManagedObject, V: ValueConvertible>(
  left: TypedExpression<Object, V>, right: V
) -> TypedExpression<Object, V> {
  TypedExpression(left.expression.standingIn(.constant(right.value)))
}

/// A computed value, or that of a property where there is none.
@_disfavoredOverload
public func ?? <Object: ManagedObject, V: ValueConvertible>(
  left: TypedExpression<Object, V>, right: KeyPath<Object, V>
) -> TypedExpression<Object, V> {
  TypedExpression(left.expression.standingIn(FetchExpression(of: right)))
}
