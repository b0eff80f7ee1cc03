// SPDX-License-Identifier: MIT
import SporadesModel

// Groups by three key paths.
extension TypedRequest {
  /// Groups the objects by the values of three key paths, and computes one value for each group.
  public func grouped<Key, Other, Third, A>(
    by keyPath: KeyPath<Object, Key>, _ other: KeyPath<Object, Other>,
    _ third: KeyPath<Object, Third>,
    computing columns: (FetchedGroup<Object>) -> FetchedColumn<A>
  ) -> GroupedRequest<Object, (Key, Other, Third), A> {
    let columns = columns(FetchedGroup())
    return GroupedRequest(
      self,
      ColumnList(
        FetchedColumn<Key>(keyPath), FetchedColumn<Other>(other), FetchedColumn<Third>(third)),
      ColumnList(columns))
  }

  /// Groups the objects by the values of three key paths, and computes two values for each group.
  public func grouped<Key, Other, Third, A, B>(
    by keyPath: KeyPath<Object, Key>, _ other: KeyPath<Object, Other>,
    _ third: KeyPath<Object, Third>,
    computing columns: (FetchedGroup<Object>) -> (FetchedColumn<A>, FetchedColumn<B>)
  ) -> GroupedRequest<Object, (Key, Other, Third), (A, B)> {
    let columns = columns(FetchedGroup())
    return GroupedRequest(
      self,
      ColumnList(
        FetchedColumn<Key>(keyPath), FetchedColumn<Other>(other), FetchedColumn<Third>(third)),
      ColumnList(columns.0, columns.1))
  }

  /// Groups the objects by the values of three key paths, and computes three values for each group.
  public func grouped<Key, Other, Third, A, B, C>(
    by keyPath: KeyPath<Object, Key>, _ other: KeyPath<Object, Other>,
    _ third: KeyPath<Object, Third>,
    computing columns: (FetchedGroup<Object>) -> (
      FetchedColumn<A>, FetchedColumn<B>, FetchedColumn<C>
    )
  ) -> GroupedRequest<Object, (Key, Other, Third), (A, B, C)> {
    let columns = columns(FetchedGroup())
    return GroupedRequest(
      self,
      ColumnList(
        FetchedColumn<Key>(keyPath), FetchedColumn<Other>(other), FetchedColumn<Third>(third)),
      ColumnList(columns.0, columns.1, columns.2))
  }

  /// Groups the objects by the values of three key paths, and computes four values for each group.
  public func grouped<Key, Other, Third, A, B, C, D>(
    by keyPath: KeyPath<Object, Key>, _ other: KeyPath<Object, Other>,
    _ third: KeyPath<Object, Third>,
    computing columns: (FetchedGroup<Object>) -> (
      FetchedColumn<A>, FetchedColumn<B>, FetchedColumn<C>, FetchedColumn<D>
    )
  ) -> GroupedRequest<Object, (Key, Other, Third), (A, B, C, D)> {
    let columns = columns(FetchedGroup())
    return GroupedRequest(
      self,
      ColumnList(
        FetchedColumn<Key>(keyPath), FetchedColumn<Other>(other), FetchedColumn<Third>(third)),
      ColumnList(columns.0, columns.1, columns.2, columns.3))
  }

  /// Groups the objects by the values of three key paths, and computes five values for each group.
  public func grouped<Key, Other, Third, A, B, C, D, E>(
    by keyPath: KeyPath<Object, Key>, _ other: KeyPath<Object, Other>,
    _ third: KeyPath<Object, Third>,
    computing columns: (FetchedGroup<Object>) -> (
      FetchedColumn<A>, FetchedColumn<B>, FetchedColumn<C>, FetchedColumn<D>, FetchedColumn<E>
    )
  ) -> GroupedRequest<Object, (Key, Other, Third), (A, B, C, D, E)> {
    let columns = columns(FetchedGroup())
    return GroupedRequest(
      self,
      ColumnList(
        FetchedColumn<Key>(keyPath), FetchedColumn<Other>(other), FetchedColumn<Third>(third)),
      ColumnList(columns.0, columns.1, columns.2, columns.3, columns.4))
  }
}
