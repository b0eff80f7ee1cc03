// SPDX-License-Identifier: MIT
public import SporadesModel

/// The objects that agree in the keys of a ``GroupedRequest``. Each member is a value over all of them.
public struct FetchedGroup<Object: ManagedObject> {
  /// The number of objects.
  public var count: FetchedColumn<Int> { FetchedColumn("count", .objectCount) }

  /// The number of objects that have a value.
  public func count<V>(_ keyPath: KeyPath<Object, V>) -> FetchedColumn<Int> {
    FetchedColumn(keyPath) { .function(.count, [$0]) }
  }

  /// The number of different values.
  public func count<V>(distinct keyPath: KeyPath<Object, V>) -> FetchedColumn<Int> {
    FetchedColumn(keyPath) { expression in
      guard case .keyPath(let names) = expression else {
        return .refused(
          FetchPredicateError(
            .unsupported,
            "count(distinct:) takes an attribute or a to-one relationship. Write count for the number of objects."
          ))
      }
      return .collection(FetchCollection([], values: names, union: .distinct, asking: .count))
    }
  }

  /// The sum of an attribute; zero if no object has a value.
  public func sum<V: AttributeValue>(_ keyPath: KeyPath<Object, V>) -> FetchedColumn<V.Unwrapped>
  where V.Unwrapped: Numeric { FetchedColumn(keyPath, hasStandIn: true) { .function(.sum, [$0]) } }

  /// The least value of an attribute; nil if no object has a value.
  public func min<V: AttributeValue>(_ keyPath: KeyPath<Object, V>) -> FetchedColumn<V.Unwrapped?> {
    FetchedColumn(keyPath) { .function(.min, [$0]) }
  }

  /// The greatest value of an attribute; nil if no object has a value.
  public func max<V: AttributeValue>(_ keyPath: KeyPath<Object, V>) -> FetchedColumn<V.Unwrapped?> {
    FetchedColumn(keyPath) { .function(.max, [$0]) }
  }

  /// The mean value of an attribute; nil if no object has a value.
  public func average<V: AttributeValue>(_ keyPath: KeyPath<Object, V>) -> FetchedColumn<Double?>
  where V.Unwrapped: Numeric { FetchedColumn(keyPath) { .function(.average, [$0]) } }
}

// Conditions on groups.
extension FetchedColumn where Output: AttributeValue {
  /// The condition that the value of a group is the given one.
  @_disfavoredOverload
  public static func == (column: Self, value: Output.Unwrapped) -> FetchPredicate {
    column.compare(.equal, value)
  }
  /// The condition that the value of a group is another than the given one.
  @_disfavoredOverload
  public static func != (column: Self, value: Output.Unwrapped) -> FetchPredicate {
    column.compare(.notEqual, value)
  }
  /// The condition that the value of a group is less than the given one.
  @_disfavoredOverload
  public static func < (column: Self, value: Output.Unwrapped) -> FetchPredicate {
    column.compare(.less, value)
  }
  /// The condition that the value of a group is at most the given one.
  @_disfavoredOverload
  public static func <= (column: Self, value: Output.Unwrapped) -> FetchPredicate {
    column.compare(.lessOrEqual, value)
  }
  /// The condition that the value of a group is greater than the given one.
  @_disfavoredOverload
  public static func > (column: Self, value: Output.Unwrapped) -> FetchPredicate {
    column.compare(.greater, value)
  }
  /// The condition that the value of a group is at least the given one.
  @_disfavoredOverload
  public static func >= (column: Self, value: Output.Unwrapped) -> FetchPredicate {
    column.compare(.greaterOrEqual, value)
  }

  private func compare(
    _ comparator: FetchPredicate.Comparator, _ value: Output.Unwrapped
  ) -> FetchPredicate {
    .comparison(FetchPredicate.Comparison(expression, comparator, .constant(value.value)))
  }
}

// Orders of groups.
extension SortTerm {
  /// Groups with smaller values come first.
  public static func ascending<Output>(_ column: FetchedColumn<Output>) -> SortTerm {
    SortTerm(column.expression)
  }

  /// Groups with larger values come first.
  public static func descending<Output>(_ column: FetchedColumn<Output>) -> SortTerm {
    SortTerm(column.expression, ascending: false)
  }
}
