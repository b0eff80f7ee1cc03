// SPDX-License-Identifier: MIT
import SporadesModel

/// A key path or an expression, whose value an answer has for each object: `\User.name`, `(\User.name).length`.
public protocol ComputedColumn<Object, Output> {
  /// The class whose objects have the value.
  associatedtype Object: ManagedObject
  /// The type of the value in the answer.
  associatedtype Output
  /// The value without the class.
  var fetchedColumn: FetchedColumn<Output> { get }
}

extension KeyPath: ComputedColumn where Root: ManagedObject {
  public typealias Output = Value
  public var fetchedColumn: FetchedColumn<Value> { FetchedColumn(self) }
}

extension TypedExpression: ComputedColumn where Result: AttributeValue {
  public typealias Output = Result.Unwrapped?
  public var fetchedColumn: FetchedColumn<Result.Unwrapped?> { FetchedColumn(self) }
}

// Several values of which some are computed. The class stands before each key path, because the compiler finds it by
// nothing else here.
extension TypedRequest {
  /// Two values, in the order of the objects: `pluck(\User.name, (\User.pets).max(\.age), in: context)`.
  @_disfavoredOverload
  public func pluck<A: ComputedColumn<Object, V>, B: ComputedColumn<Object, W>, V, W, Context>(
    _ first: A, _ second: B, in context: Context
  ) throws(Context.Failure) -> [(V, W)] where Context: FinderContext {
    try values(ColumnList(first.fetchedColumn, second.fetchedColumn), in: context)
  }

  /// Three values, in the order of the objects.
  @_disfavoredOverload
  public func pluck<
    A: ComputedColumn<Object, V>, B: ComputedColumn<Object, W>, C: ComputedColumn<Object, X>,
    V, W, X, Context
  >(
    _ first: A, _ second: B, _ third: C, in context: Context
  ) throws(Context.Failure) -> [(V, W, X)] where Context: FinderContext {
    let columns = ColumnList(first.fetchedColumn, second.fetchedColumn, third.fetchedColumn)
    return try values(columns, in: context)
  }

  /// Groups the objects by two values, and computes one value for each group:
  /// `grouped(by: (\User.born).year, \User.city) { $0.count }`.
  @_disfavoredOverload
  public func grouped<K: ComputedColumn<Object, V>, L: ComputedColumn<Object, W>, V, W, A>(
    by first: K, _ second: L, computing columns: (FetchedGroup<Object>) -> FetchedColumn<A>
  ) -> GroupedRequest<Object, (V, W), A> {
    GroupedRequest(
      self, ColumnList(first.fetchedColumn, second.fetchedColumn),
      ColumnList(columns(FetchedGroup())))
  }

  /// Groups the objects by two values, and computes two values for each group.
  @_disfavoredOverload
  public func grouped<K: ComputedColumn<Object, V>, L: ComputedColumn<Object, W>, V, W, A, B>(
    by first: K, _ second: L,
    computing columns: (FetchedGroup<Object>) -> (FetchedColumn<A>, FetchedColumn<B>)
  ) -> GroupedRequest<Object, (V, W), (A, B)> {
    let columns = columns(FetchedGroup())
    return GroupedRequest(
      self, ColumnList(first.fetchedColumn, second.fetchedColumn),
      ColumnList(columns.0, columns.1))
  }

  /// Groups the objects by three values, and computes one value for each group:
  /// `grouped(by: (\User.born).year, (\User.born).month, \User.city) { $0.count }`.
  @_disfavoredOverload
  public func grouped<
    K: ComputedColumn<Object, V>, L: ComputedColumn<Object, W>, M: ComputedColumn<Object, X>,
    V, W, X, A
  >(
    by first: K, _ second: L, _ third: M,
    computing columns: (FetchedGroup<Object>) -> FetchedColumn<A>
  ) -> GroupedRequest<Object, (V, W, X), A> {
    GroupedRequest(
      self, ColumnList(first.fetchedColumn, second.fetchedColumn, third.fetchedColumn),
      ColumnList(columns(FetchedGroup())))
  }

  /// Groups the objects by three values, and computes two values for each group.
  @_disfavoredOverload
  public func grouped<
    K: ComputedColumn<Object, V>, L: ComputedColumn<Object, W>, M: ComputedColumn<Object, X>,
    V, W, X, A, B
  >(
    by first: K, _ second: L, _ third: M,
    computing columns: (FetchedGroup<Object>) -> (FetchedColumn<A>, FetchedColumn<B>)
  ) -> GroupedRequest<Object, (V, W, X), (A, B)> {
    let columns = columns(FetchedGroup())
    return GroupedRequest(
      self, ColumnList(first.fetchedColumn, second.fetchedColumn, third.fetchedColumn),
      ColumnList(columns.0, columns.1))
  }
}
