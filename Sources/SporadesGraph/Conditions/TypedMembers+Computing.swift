// SPDX-License-Identifier: MIT
import SporadesModel

// Totals of the members that satisfy a condition, and of values that are computed of each member:
// `(\Deal.lines).sum(\.price, where: \.isPaid)`, `(\Deal.lines).sum(\.price * \.quantity)`.
extension KeyPath where Root: ManagedObject, Value: MemberCollection {
  /// The total of the numbers of the members that satisfy the condition.
  public func sum<Number: NumberAttribute>(
    _ attribute: KeyPath<Value.Member, Number>, where condition: TypedPredicate<Value.Member>
  ) -> TypedExpression<Root, Number.Number> { aggregate(.sum, attribute, condition) }

  /// The mean of the numbers of the members that satisfy the condition.
  public func average<Number: NumberAttribute>(
    _ attribute: KeyPath<Value.Member, Number>, where condition: TypedPredicate<Value.Member>
  ) -> TypedExpression<Root, Double> { aggregate(.average, attribute, condition) }

  /// The smallest of the values of the members that satisfy the condition.
  public func min<V>(
    _ attribute: KeyPath<Value.Member, V>, where condition: TypedPredicate<Value.Member>
  ) -> TypedExpression<Root, V> { aggregate(.min, attribute, condition) }

  /// The largest of the values of the members that satisfy the condition.
  public func max<V>(
    _ attribute: KeyPath<Value.Member, V>, where condition: TypedPredicate<Value.Member>
  ) -> TypedExpression<Root, V> { aggregate(.max, attribute, condition) }

  /// The total of a value that is computed of each member.
  @_disfavoredOverload
  public func sum<Number: NumberAttribute>(
    _ value: TypedExpression<Value.Member, Number>,
    where condition: TypedPredicate<Value.Member>? = nil
  ) -> TypedExpression<Root, Number.Number> { gather(.sum, value, condition) }

  /// The mean of a value that is computed of each member.
  @_disfavoredOverload
  public func average<Number: NumberAttribute>(
    _ value: TypedExpression<Value.Member, Number>,
    where condition: TypedPredicate<Value.Member>? = nil
  ) -> TypedExpression<Root, Double> { gather(.average, value, condition) }

  /// The smallest of the values that are computed of each member.
  @_disfavoredOverload
  public func min<V>(
    _ value: TypedExpression<Value.Member, V>,
    where condition: TypedPredicate<Value.Member>? = nil
  ) -> TypedExpression<Root, V> { gather(.min, value, condition) }

  /// The largest of the values that are computed of each member.
  @_disfavoredOverload
  public func max<V>(
    _ value: TypedExpression<Value.Member, V>,
    where condition: TypedPredicate<Value.Member>? = nil
  ) -> TypedExpression<Root, V> { gather(.max, value, condition) }

  private func aggregate<V>(
    _ function: AggregateFunction, _ attribute: PartialKeyPath<Value.Member>,
    _ condition: TypedPredicate<Value.Member>
  ) -> TypedExpression<Root, V> {
    memberExpression { path throws(FetchPredicateError) in
      FetchPredicate.members(
        path, where: condition.predicate, values: try KeyPathNames.names(of: attribute),
        asking: .aggregate(function))
    }
  }

  private func gather<V, Operand>(
    _ function: FetchFunction, _ value: TypedExpression<Value.Member, Operand>,
    _ condition: TypedPredicate<Value.Member>?
  ) -> TypedExpression<Root, V> {
    memberExpression { path in
      let members = FetchPredicate.members(
        path, where: condition?.predicate ?? .constant(true), computing: value.expression)
      return .function(function, [members])
    }
  }
}
