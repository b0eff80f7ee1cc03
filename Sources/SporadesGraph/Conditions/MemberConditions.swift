// SPDX-License-Identifier: MIT
import SporadesModel

// Comparisons of a to-many relationship with a collection: `\.pets == []`. A relationship is empty, or contains an
// object; no store compares it with other objects as a whole.

/// The condition that a to-many relationship has no objects. A fetch refuses a collection with members.
public func == <Object: ManagedObject, Member: ManagedObject>(
  keyPath: KeyPath<Object, Set<Member>>, members: Set<Member>
) -> TypedPredicate<Object> { comparing(keyPath, .equal, members.count) }

/// The condition that a to-many relationship has objects. A fetch refuses a collection with members.
public func != <Object: ManagedObject, Member: ManagedObject>(
  keyPath: KeyPath<Object, Set<Member>>, members: Set<Member>
) -> TypedPredicate<Object> { comparing(keyPath, .notEqual, members.count) }

/// The condition that an ordered relationship has no objects. A fetch refuses a collection with members.
public func == <Object: ManagedObject, Member: ManagedObject>(
  keyPath: KeyPath<Object, [Member]>, members: [Member]
) -> TypedPredicate<Object> { comparing(keyPath, .equal, members.count) }

/// The condition that an ordered relationship has objects. A fetch refuses a collection with members.
public func != <Object: ManagedObject, Member: ManagedObject>(
  keyPath: KeyPath<Object, [Member]>, members: [Member]
) -> TypedPredicate<Object> { comparing(keyPath, .notEqual, members.count) }

/// The condition on the number of members of a relationship, which is compared with zero.
private func comparing<Object: ManagedObject>(
  _ keyPath: PartialKeyPath<Object>, _ comparator: FetchPredicate.Comparator, _ count: Int
) -> TypedPredicate<Object> {
  var number: FetchExpression
  do throws(FetchPredicateError) {
    let names = try KeyPathNames.names(of: keyPath)
    guard count == 0 else {
      let name = names.joined(separator: ".")
      throw FetchPredicateError(
        .wrongOperands,
        "\(Object.self).\(name) is compared with some objects. Ask whether one of them is a member, "
          + "FetchPredicate(format: \"ANY \(name) == %@\", object), or compare an attribute of the members."
      )
    }
    number = .count(names)
  } catch {
    number = .refused(error)
  }
  return TypedPredicate(.comparison(FetchPredicate.Comparison(number, comparator, .constant(0))))
}
