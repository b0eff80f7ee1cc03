// SPDX-License-Identifier: MIT
import SporadesModel

// Calls that no request takes. The compiler chooses these functions only where no other fits, and reports one sentence.

extension TypedRequest {
  /// Refuses a fourth key.
  @_disfavoredOverload
  @available(
    *, unavailable,
    message:
      "groups have up to three keys; for more set propertiesToGroupBy and propertiesToFetch of a FetchRequest, and write context.fetchDictionaries(request)"
  )
  public func grouped<A, B, C, D, Column>(
    by first: KeyPath<Object, A>, _ second: KeyPath<Object, B>, _ third: KeyPath<Object, C>,
    _ fourth: KeyPath<Object, D>, computing columns: (FetchedGroup<Object>) -> Column
  ) -> Self { trap(refusal) }

  /// Refuses a fifth column.
  @_disfavoredOverload
  @available(
    *, unavailable,
    message:
      "pluck takes up to four key paths; for more set propertiesToFetch of a FetchRequest, and write context.fetchDictionaries(request)"
  )
  public func pluck<Context: FinderContext>(
    _ first: PartialKeyPath<Object>, _ second: PartialKeyPath<Object>,
    _ third: PartialKeyPath<Object>, _ fourth: PartialKeyPath<Object>,
    _ others: PartialKeyPath<Object>..., in context: Context
  ) -> [[Any]] { trap(refusal) }

  /// Refuses the mean of values that have none.
  @_disfavoredOverload
  @available(
    *, unavailable, message: "only numbers and dates have an average: average(\\.age, in: context)"
  )
  public func average<V, Context: FinderContext>(
    _ keyPath: KeyPath<Object, V>, in context: Context
  ) throws(Context.Failure) -> Double? { trap(refusal) }

  /// Refuses a direction behind the key path.
  @_disfavoredOverload
  @available(
    *, unavailable,
    message: "write the direction around the key path: sorted(by: .descending(\\.age))"
  )
  public func sorted(by keyPath: PartialKeyPath<Object>, order: MisplacedDirection) -> Self {
    trap(refusal)
  }
}

/// A direction that stands behind its key path, where no finder takes one.
public enum MisplacedDirection: Sendable {
  /// Small values first.
  case ascending
  /// Large values first.
  case descending
  /// Foundation's word for small values first.
  case forward
  /// Foundation's word for large values first.
  case reverse
}
