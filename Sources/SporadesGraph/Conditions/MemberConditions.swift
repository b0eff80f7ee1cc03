// SPDX-License-Identifier: MIT
import SporadesModel

// Comparisons of a to-many relationship with a collection. A relationship is empty, or contains an object; no store
// compares it with other objects as a whole.

/// The empty collection, as a side of a comparison: `\.pets == []`.
public struct EmptyMembers: ExpressibleByArrayLiteral, Sendable {
  /// Makes the empty collection. It traps for one with members.
  public init(arrayLiteral members: ManagedObject...) {
    precondition(
      members.isEmpty,
      "A relationship was compared with some objects. Ask whether one of them is a member, "
        + "FetchPredicate(format: \"ANY pets == %@\", pet), or compare an attribute of the members."
    )
  }
}

/// The condition that a to-many relationship has no objects.
@_disfavoredOverload
public func == <Object: ManagedObject, Member: ManagedObject>(
  keyPath: KeyPath<Object, Set<Member>>, members: EmptyMembers
) -> TypedPredicate<Object> { comparing(keyPath, .equal) }

/// The condition that a to-many relationship has objects.
@_disfavoredOverload
public func != <Object: ManagedObject, Member: ManagedObject>(
  keyPath: KeyPath<Object, Set<Member>>, members: EmptyMembers
) -> TypedPredicate<Object> { comparing(keyPath, .notEqual) }

/// The condition that an ordered relationship has no objects.
@_disfavoredOverload
public func == <Object: ManagedObject, Member: ManagedObject>(
  keyPath: KeyPath<Object, [Member]>, members: EmptyMembers
) -> TypedPredicate<Object> { comparing(keyPath, .equal) }

/// The condition that an ordered relationship has objects.
@_disfavoredOverload
public func != <Object: ManagedObject, Member: ManagedObject>(
  keyPath: KeyPath<Object, [Member]>, members: EmptyMembers
) -> TypedPredicate<Object> { comparing(keyPath, .notEqual) }

/// The condition on the number of members of a relationship, which is compared with zero.
private func comparing<Object: ManagedObject>(
  _ keyPath: PartialKeyPath<Object>, _ comparator: FetchPredicate.Comparator
) -> TypedPredicate<Object> {
  var count: FetchExpression
  do throws(FetchPredicateError) { count = .count(try KeyPathNames.names(of: keyPath)) } catch {
    count = .refused(error)
  }
  return TypedPredicate(.comparison(FetchPredicate.Comparison(count, comparator, .constant(0))))
}
