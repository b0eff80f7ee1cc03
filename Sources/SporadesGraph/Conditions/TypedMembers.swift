// SPDX-License-Identifier: MIT
import SporadesModel

/// A type of to-many relationships: a set or an array of objects.
public protocol MemberCollection<Member>: Sequence {
  /// The class of the members.
  associatedtype Member: ManagedObject
}

extension Set: MemberCollection where Element: ManagedObject {
  public typealias Member = Element
}
extension Array: MemberCollection where Element: ManagedObject {
  public typealias Member = Element
}

// Questions about the members of a to-many relationship: `(\User.pets).any(\.age > 3)`.
extension KeyPath where Root: ManagedObject, Value: MemberCollection {
  /// The condition that at least one member satisfies the condition.
  public func any(_ condition: TypedPredicate<Value.Member>) -> TypedPredicate<Root> {
    memberCondition { .any($0, condition.predicate) }
  }

  /// The condition that every member satisfies the condition. It holds where there is no member.
  public func all(_ condition: TypedPredicate<Value.Member>) -> TypedPredicate<Root> {
    memberCondition { .all($0, condition.predicate) }
  }

  /// The condition that no member satisfies the condition.
  public func none(_ condition: TypedPredicate<Value.Member>) -> TypedPredicate<Root> {
    memberCondition { .not(.any($0, condition.predicate)) }
  }

  /// The condition that the object is a member.
  public func contains(_ member: Value.Member) -> TypedPredicate<Root> {
    memberCondition {
      .comparison(FetchPredicate.Comparison(.constant(member.value), .isIn, .keyPath($0)))
    }
  }

  /// The number of the members that satisfy the condition: `(\User.pets).count(where: \.age > 3) > 1`.
  public func count(
    where condition: TypedPredicate<Value.Member>
  ) -> TypedExpression<Root, Int> {
    memberExpression { FetchPredicate.count($0, where: condition.predicate) }
  }

  /// The number of different values of the members.
  public func count<V>(distinct attribute: KeyPath<Value.Member, V>) -> TypedExpression<Root, Int> {
    memberExpression { path throws(FetchPredicateError) in
      .collection(
        FetchCollection(
          path, values: try KeyPathNames.names(of: attribute), union: .distinct, asking: .count))
    }
  }

  /// The total of the members' numbers.
  public func sum<Number: NumberAttribute>(
    _ attribute: KeyPath<Value.Member, Number>
  ) -> TypedExpression<Root, Number.Number> { aggregate(.sum, attribute) }

  /// The mean of the members' numbers.
  public func average<Number: NumberAttribute>(
    _ attribute: KeyPath<Value.Member, Number>
  ) -> TypedExpression<Root, Double> { aggregate(.average, attribute) }

  /// The smallest of the members' values.
  public func min<V>(_ attribute: KeyPath<Value.Member, V>) -> TypedExpression<Root, V> {
    aggregate(.min, attribute)
  }

  /// The largest of the members' values.
  public func max<V>(_ attribute: KeyPath<Value.Member, V>) -> TypedExpression<Root, V> {
    aggregate(.max, attribute)
  }

  private func aggregate<V>(
    _ function: AggregateFunction, _ attribute: PartialKeyPath<Value.Member>
  ) -> TypedExpression<Root, V> {
    memberExpression { path throws(FetchPredicateError) in
      .aggregate(function, path + (try KeyPathNames.names(of: attribute)))
    }
  }

  func memberExpression<V>(
    _ make: ([String]) throws(FetchPredicateError) -> FetchExpression
  ) -> TypedExpression<Root, V> {
    do throws(FetchPredicateError) {
      return TypedExpression(try make(KeyPathNames.names(of: self)))
    } catch {
      return TypedExpression(.refused(error))
    }
  }

  private func memberCondition(_ make: ([String]) -> FetchPredicate) -> TypedPredicate<Root> {
    do throws(FetchPredicateError) {
      return TypedPredicate(make(try KeyPathNames.names(of: self)))
    } catch {
      return TypedPredicate(
        .comparison(FetchPredicate.Comparison(.refused(error), .equal, .constant(true))))
    }
  }
}
