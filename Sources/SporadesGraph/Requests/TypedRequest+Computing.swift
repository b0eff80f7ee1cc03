// SPDX-License-Identifier: MIT
import SporadesModel

// Values that the store computes of each object, where the functions beside these take a key path. The compiler prefers
// those, so that a key path with a mistake has one candidate that it explains.
extension TypedRequest {
  /// The least computed value; nil if no object has one: `min(\.pages * 2, in: context)`.
  @_disfavoredOverload
  public func min<V: AttributeValue, Context: FinderContext>(
    _ expression: TypedExpression<Object, V>, in context: Context
  ) throws(Context.Failure) -> V.Unwrapped? {
    try aggregate(.min, expression.expression, in: context)
  }

  /// The greatest computed value; nil if no object has one.
  @_disfavoredOverload
  public func max<V: AttributeValue, Context: FinderContext>(
    _ expression: TypedExpression<Object, V>, in context: Context
  ) throws(Context.Failure) -> V.Unwrapped? {
    try aggregate(.max, expression.expression, in: context)
  }

  /// The sum of a computed value; zero if no object has one: `sum(\.price * \.amount, in: context)`.
  @_disfavoredOverload
  public func sum<V: AttributeValue, Context: FinderContext>(
    _ expression: TypedExpression<Object, V>, in context: Context
  ) throws(Context.Failure) -> V.Unwrapped where V.Unwrapped: Numeric {
    try aggregate(.sum, expression.expression, in: context) ?? .zero
  }

  /// The mean of a computed value; nil if no object has one.
  @_disfavoredOverload
  public func average<V: AttributeValue, Context: FinderContext>(
    _ expression: TypedExpression<Object, V>, in context: Context
  ) throws(Context.Failure) -> Double? where V.Unwrapped: Numeric {
    try aggregate(.average, expression.expression, in: context)
  }

  /// The values of an expression, in the order of the objects: `pluck((\User.name).length, in: context)`. Nil stands
  /// where there is none.
  @_disfavoredOverload
  public func pluck<V: AttributeValue, Context: FinderContext>(
    _ expression: TypedExpression<Object, V>, in context: Context
  ) throws(Context.Failure) -> [V.Unwrapped?] {
    try values(ColumnList(FetchedColumn<V.Unwrapped?>(expression)), in: context)
  }

  // MARK: - Groups

  /// Groups the objects by a computed value, and computes one value for each group:
  /// `grouped(by: (\User.born).year) { $0.count }`.
  @_disfavoredOverload
  public func grouped<Key: AttributeValue, A>(
    by expression: TypedExpression<Object, Key>,
    computing columns: (FetchedGroup<Object>) -> FetchedColumn<A>
  ) -> GroupedRequest<Object, Key.Unwrapped?, A> {
    GroupedRequest(self, keys(expression), ColumnList(columns(FetchedGroup())))
  }

  /// Groups the objects by a computed value, and computes two values for each group.
  @_disfavoredOverload
  public func grouped<Key: AttributeValue, A, B>(
    by expression: TypedExpression<Object, Key>,
    computing columns: (FetchedGroup<Object>) -> (FetchedColumn<A>, FetchedColumn<B>)
  ) -> GroupedRequest<Object, Key.Unwrapped?, (A, B)> {
    let columns = columns(FetchedGroup())
    return GroupedRequest(self, keys(expression), ColumnList(columns.0, columns.1))
  }

  /// Groups the objects by a computed value, and computes three values for each group.
  @_disfavoredOverload
  public func grouped<Key: AttributeValue, A, B, C>(
    by expression: TypedExpression<Object, Key>,
    computing columns: (FetchedGroup<Object>) -> (
      FetchedColumn<A>, FetchedColumn<B>, FetchedColumn<C>
    )
  ) -> GroupedRequest<Object, Key.Unwrapped?, (A, B, C)> {
    let columns = columns(FetchedGroup())
    return GroupedRequest(self, keys(expression), ColumnList(columns.0, columns.1, columns.2))
  }

  private func keys<Key: AttributeValue>(
    _ expression: TypedExpression<Object, Key>
  ) -> ColumnList<Key.Unwrapped?> { ColumnList(FetchedColumn<Key.Unwrapped?>(expression)) }
}

extension FetchedColumn {
  /// The column of an expression, or of a function of it.
  init<Object: ManagedObject, V>(
    _ expression: TypedExpression<Object, V>, hasStandIn: Bool = false,
    _ make: (FetchExpression) -> FetchExpression = { $0 }
  ) {
    let computed = make(expression.expression)
    self.init("\(computed) of \(Object.self)", computed, hasStandIn: hasStandIn)
  }
}

// Computed values over the objects of a group.
extension FetchedGroup {
  /// The number of objects that satisfy a condition: `count(where: \.age > 18)`.
  public func count(where condition: TypedPredicate<Object>) -> FetchedColumn<Int> {
    let one = FetchExpression.conditional(
      condition.predicate, .constant(.integer(1)), .constant(.integer(0)))
    return FetchedColumn("count(where:)", .sum(of: one), hasStandIn: true)
  }

  /// The sum of a computed value; zero if no object has one: `sum(\.price * \.amount)`.
  @_disfavoredOverload
  public func sum<V: AttributeValue>(
    _ expression: TypedExpression<Object, V>
  ) -> FetchedColumn<V.Unwrapped> where V.Unwrapped: Numeric {
    FetchedColumn(expression, hasStandIn: true) { .sum(of: $0) }
  }

  /// The least computed value; nil if no object has one.
  @_disfavoredOverload
  public func min<V: AttributeValue>(
    _ expression: TypedExpression<Object, V>
  ) -> FetchedColumn<V.Unwrapped?> { FetchedColumn(expression) { .min(of: $0) } }

  /// The greatest computed value; nil if no object has one.
  @_disfavoredOverload
  public func max<V: AttributeValue>(
    _ expression: TypedExpression<Object, V>
  ) -> FetchedColumn<V.Unwrapped?> { FetchedColumn(expression) { .max(of: $0) } }

  /// The mean of a computed value; nil if no object has one.
  @_disfavoredOverload
  public func average<V: AttributeValue>(
    _ expression: TypedExpression<Object, V>
  ) -> FetchedColumn<Double?> where V.Unwrapped: Numeric {
    FetchedColumn(expression) { .average(of: $0) }
  }
}
