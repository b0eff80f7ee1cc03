// SPDX-License-Identifier: MIT
public import SporadesModel

// Conditions joined by && and ||. Each side is a typed condition, a key path to a truth value or a
// predicate.
//
// The compiler tries the functions of Bool first. Without the mark it would try all, and would give up on sums that
// are compared and joined, `let isNear = a * 3 + 4 < 5 * a - 2 && b * 2 >= 3 + b`, in each file that imports
// Sporades.

/// The condition that both conditions hold.
@_disfavoredOverload
public func && <Object: ManagedObject>(
  left: TypedPredicate<Object>, right: TypedPredicate<Object>
) -> TypedPredicate<Object> {
  TypedPredicate(left.predicate && right.predicate)
}

/// The condition that both conditions hold.
@_disfavoredOverload
public func && <Object: ManagedObject>(
  left: KeyPath<Object, Bool>, right: TypedPredicate<Object>
) -> TypedPredicate<Object> {
  TypedPredicate(TypedPredicate(left).predicate && right.predicate)
}

/// The condition that both conditions hold.
@_disfavoredOverload
public func && <Object: ManagedObject>(
  left: TypedPredicate<Object>, right: KeyPath<Object, Bool>
) -> TypedPredicate<Object> {
  TypedPredicate(left.predicate && TypedPredicate(right).predicate)
}

/// The condition that both conditions hold.
@_disfavoredOverload
public func && <Object: ManagedObject>(
  left: KeyPath<Object, Bool>, right: KeyPath<Object, Bool>
) -> TypedPredicate<Object> {
  TypedPredicate(TypedPredicate(left).predicate && TypedPredicate(right).predicate)
}

/// The condition that both conditions hold.
@_disfavoredOverload
public func && <Object: ManagedObject>(
  left: TypedPredicate<Object>, right: FetchPredicate
) -> TypedPredicate<Object> {
  TypedPredicate(left.predicate && right)
}

/// The condition that both conditions hold.
@_disfavoredOverload
public func && <Object: ManagedObject>(
  left: FetchPredicate, right: TypedPredicate<Object>
) -> TypedPredicate<Object> {
  TypedPredicate(left && right.predicate)
}

/// The condition that both conditions hold.
@_disfavoredOverload
public func && <Object: ManagedObject>(
  left: KeyPath<Object, Bool>, right: FetchPredicate
) -> TypedPredicate<Object> {
  TypedPredicate(TypedPredicate(left).predicate && right)
}

/// The condition that both conditions hold.
@_disfavoredOverload
public func && <Object: ManagedObject>(
  left: FetchPredicate, right: KeyPath<Object, Bool>
) -> TypedPredicate<Object> {
  TypedPredicate(left && TypedPredicate(right).predicate)
}

/// The condition that at least one of the conditions holds.
@_disfavoredOverload
public func || <Object: ManagedObject>(
  left: TypedPredicate<Object>, right: TypedPredicate<Object>
) -> TypedPredicate<Object> {
  TypedPredicate(left.predicate || right.predicate)
}

/// The condition that at least one of the conditions holds.
@_disfavoredOverload
public func || <Object: ManagedObject>(
  left: KeyPath<Object, Bool>, right: TypedPredicate<Object>
) -> TypedPredicate<Object> {
  TypedPredicate(TypedPredicate(left).predicate || right.predicate)
}

/// The condition that at least one of the conditions holds.
@_disfavoredOverload
public func || <Object: ManagedObject>(
  left: TypedPredicate<Object>, right: KeyPath<Object, Bool>
) -> TypedPredicate<Object> {
  TypedPredicate(left.predicate || TypedPredicate(right).predicate)
}

/// The condition that at least one of the conditions holds.
@_disfavoredOverload
public func || <Object: ManagedObject>(
  left: KeyPath<Object, Bool>, right: KeyPath<Object, Bool>
) -> TypedPredicate<Object> {
  TypedPredicate(TypedPredicate(left).predicate || TypedPredicate(right).predicate)
}

/// The condition that at least one of the conditions holds.
@_disfavoredOverload
public func || <Object: ManagedObject>(
  left: TypedPredicate<Object>, right: FetchPredicate
) -> TypedPredicate<Object> {
  TypedPredicate(left.predicate || right)
}

/// The condition that at least one of the conditions holds.
@_disfavoredOverload
public func || <Object: ManagedObject>(
  left: FetchPredicate, right: TypedPredicate<Object>
) -> TypedPredicate<Object> {
  TypedPredicate(left || right.predicate)
}

/// The condition that at least one of the conditions holds.
@_disfavoredOverload
public func || <Object: ManagedObject>(
  left: KeyPath<Object, Bool>, right: FetchPredicate
) -> TypedPredicate<Object> {
  TypedPredicate(TypedPredicate(left).predicate || right)
}

/// The condition that at least one of the conditions holds.
@_disfavoredOverload
public func || <Object: ManagedObject>(
  left: FetchPredicate, right: KeyPath<Object, Bool>
) -> TypedPredicate<Object> {
  TypedPredicate(left || TypedPredicate(right).predicate)
}

/// The condition that the condition does not hold.
@_disfavoredOverload
public prefix func ! <Object: ManagedObject>(
  predicate: TypedPredicate<Object>
) -> TypedPredicate<Object> { TypedPredicate(!predicate.predicate) }

/// The condition that a truth value is false.
@_disfavoredOverload
public prefix func ! <Object: ManagedObject>(
  keyPath: KeyPath<Object, Bool>
) -> TypedPredicate<Object> { !TypedPredicate(keyPath) }
