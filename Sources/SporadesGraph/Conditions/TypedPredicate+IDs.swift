// SPDX-License-Identifier: MIT
public import SporadesModel

// Comparisons of a relationship with the ids of objects, which blocks carry to each other.

/// The condition that the relationship leads to the object with the id.
public func == <Object: ManagedObject, Target: ManagedObject>(
  keyPath: KeyPath<Object, Target>, id: ManagedObjectID
) -> TypedPredicate<Object> { TypedPredicate(keyPath, .equal, id.value) }

/// The condition that the relationship leads to the object with the id.
@_disfavoredOverload
public func == <Object: ManagedObject, Target: ManagedObject>(
  keyPath: KeyPath<Object, Target?>, id: ManagedObjectID
) -> TypedPredicate<Object> { TypedPredicate(keyPath, .equal, id.value) }

/// The condition that the relationship leads to another object than that with the id.
public func != <Object: ManagedObject, Target: ManagedObject>(
  keyPath: KeyPath<Object, Target>, id: ManagedObjectID
) -> TypedPredicate<Object> { TypedPredicate(keyPath, .notEqual, id.value) }

/// The condition that the relationship leads to another object than that with the id, or to none.
@_disfavoredOverload
public func != <Object: ManagedObject, Target: ManagedObject>(
  keyPath: KeyPath<Object, Target?>, id: ManagedObjectID
) -> TypedPredicate<Object> { TypedPredicate(keyPath, .notEqual, id.value) }

/// The condition that the relationship leads to one of the objects with the ids: `\.author ~= ids`.
public func ~= <Object: ManagedObject, Target: ManagedObject>(
  keyPath: KeyPath<Object, Target>, ids: [ManagedObjectID]
) -> TypedPredicate<Object> { TypedPredicate(keyPath, .isIn, ids.value) }

/// The condition that the relationship leads to one of the objects with the ids.
@_disfavoredOverload
public func ~= <Object: ManagedObject, Target: ManagedObject>(
  keyPath: KeyPath<Object, Target?>, ids: [ManagedObjectID]
) -> TypedPredicate<Object> { TypedPredicate(keyPath, .isIn, ids.value) }
