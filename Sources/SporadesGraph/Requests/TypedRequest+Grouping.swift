// SPDX-License-Identifier: MIT
import SporadesModel

// Each number of keys and columns has a function, because the compiler cannot yet check a call of one function for
// all. An order of the objects is no order of groups, so that `grouped` leaves it out.
extension TypedRequest {
  /// Groups the objects by the values of a key path, and computes one value for each group.
  public func grouped<Key, A>(
    by keyPath: KeyPath<Object, Key>,
    computing columns: (FetchedGroup<Object>) -> FetchedColumn<A>
  ) -> GroupedRequest<Object, Key, A> {
    let columns = columns(FetchedGroup())
    return GroupedRequest(self, ColumnList(FetchedColumn<Key>(keyPath)), ColumnList(columns))
  }

  /// Groups the objects by the values of a key path, and computes two values for each group.
  public func grouped<Key, A, B>(
    by keyPath: KeyPath<Object, Key>,
    computing columns: (FetchedGroup<Object>) -> (FetchedColumn<A>, FetchedColumn<B>)
  ) -> GroupedRequest<Object, Key, (A, B)> {
    let columns = columns(FetchedGroup())
    return GroupedRequest(
      self, ColumnList(FetchedColumn<Key>(keyPath)), ColumnList(columns.0, columns.1))
  }

  /// Groups the objects by the values of a key path, and computes three values for each group.
  public func grouped<Key, A, B, C>(
    by keyPath: KeyPath<Object, Key>,
    computing columns: (FetchedGroup<Object>) -> (
      FetchedColumn<A>, FetchedColumn<B>, FetchedColumn<C>
    )
  ) -> GroupedRequest<Object, Key, (A, B, C)> {
    let columns = columns(FetchedGroup())
    return GroupedRequest(
      self, ColumnList(FetchedColumn<Key>(keyPath)), ColumnList(columns.0, columns.1, columns.2))
  }

  /// Groups the objects by the values of a key path, and computes four values for each group.
  public func grouped<Key, A, B, C, D>(
    by keyPath: KeyPath<Object, Key>,
    computing columns: (FetchedGroup<Object>) -> (
      FetchedColumn<A>, FetchedColumn<B>, FetchedColumn<C>, FetchedColumn<D>
    )
  ) -> GroupedRequest<Object, Key, (A, B, C, D)> {
    let columns = columns(FetchedGroup())
    return GroupedRequest(
      self, ColumnList(FetchedColumn<Key>(keyPath)),
      ColumnList(columns.0, columns.1, columns.2, columns.3))
  }

  /// Groups the objects by the values of a key path, and computes five values for each group.
  public func grouped<Key, A, B, C, D, E>(
    by keyPath: KeyPath<Object, Key>,
    computing columns: (FetchedGroup<Object>) -> (
      FetchedColumn<A>, FetchedColumn<B>, FetchedColumn<C>, FetchedColumn<D>, FetchedColumn<E>
    )
  ) -> GroupedRequest<Object, Key, (A, B, C, D, E)> {
    let columns = columns(FetchedGroup())
    return GroupedRequest(
      self, ColumnList(FetchedColumn<Key>(keyPath)),
      ColumnList(columns.0, columns.1, columns.2, columns.3, columns.4))
  }

  /// Groups the objects by the values of two key paths, and computes one value for each group.
  public func grouped<Key, Other, A>(
    by keyPath: KeyPath<Object, Key>, _ other: KeyPath<Object, Other>,
    computing columns: (FetchedGroup<Object>) -> FetchedColumn<A>
  ) -> GroupedRequest<Object, (Key, Other), A> {
    let columns = columns(FetchedGroup())
    return GroupedRequest(
      self, ColumnList(FetchedColumn<Key>(keyPath), FetchedColumn<Other>(other)),
      ColumnList(columns))
  }

  /// Groups the objects by the values of two key paths, and computes two values for each group.
  public func grouped<Key, Other, A, B>(
    by keyPath: KeyPath<Object, Key>, _ other: KeyPath<Object, Other>,
    computing columns: (FetchedGroup<Object>) -> (FetchedColumn<A>, FetchedColumn<B>)
  ) -> GroupedRequest<Object, (Key, Other), (A, B)> {
    let columns = columns(FetchedGroup())
    return GroupedRequest(
      self, ColumnList(FetchedColumn<Key>(keyPath), FetchedColumn<Other>(other)),
      ColumnList(columns.0, columns.1))
  }

  /// Groups the objects by the values of two key paths, and computes three values for each group.
  public func grouped<Key, Other, A, B, C>(
    by keyPath: KeyPath<Object, Key>, _ other: KeyPath<Object, Other>,
    computing columns: (FetchedGroup<Object>) -> (
      FetchedColumn<A>, FetchedColumn<B>, FetchedColumn<C>
    )
  ) -> GroupedRequest<Object, (Key, Other), (A, B, C)> {
    let columns = columns(FetchedGroup())
    return GroupedRequest(
      self, ColumnList(FetchedColumn<Key>(keyPath), FetchedColumn<Other>(other)),
      ColumnList(columns.0, columns.1, columns.2))
  }

  /// Groups the objects by the values of two key paths, and computes four values for each group.
  public func grouped<Key, Other, A, B, C, D>(
    by keyPath: KeyPath<Object, Key>, _ other: KeyPath<Object, Other>,
    computing columns: (FetchedGroup<Object>) -> (
      FetchedColumn<A>, FetchedColumn<B>, FetchedColumn<C>, FetchedColumn<D>
    )
  ) -> GroupedRequest<Object, (Key, Other), (A, B, C, D)> {
    let columns = columns(FetchedGroup())
    return GroupedRequest(
      self, ColumnList(FetchedColumn<Key>(keyPath), FetchedColumn<Other>(other)),
      ColumnList(columns.0, columns.1, columns.2, columns.3))
  }

  /// Groups the objects by the values of two key paths, and computes five values for each group.
  public func grouped<Key, Other, A, B, C, D, E>(
    by keyPath: KeyPath<Object, Key>, _ other: KeyPath<Object, Other>,
    computing columns: (FetchedGroup<Object>) -> (
      FetchedColumn<A>, FetchedColumn<B>, FetchedColumn<C>, FetchedColumn<D>, FetchedColumn<E>
    )
  ) -> GroupedRequest<Object, (Key, Other), (A, B, C, D, E)> {
    let columns = columns(FetchedGroup())
    return GroupedRequest(
      self, ColumnList(FetchedColumn<Key>(keyPath), FetchedColumn<Other>(other)),
      ColumnList(columns.0, columns.1, columns.2, columns.3, columns.4))
  }
}
