// SPDX-License-Identifier: MIT
public import SporadesModel

/// One step of the order of one class's objects: `.ascending(\.lastname)`, `.descending(\.age)`.
public struct TypedSortTerm<Object: ManagedObject> {
  private let keyPath: PartialKeyPath<Object>
  private let isAscending: Bool
  private let options: FetchPredicate.TextOptions

  /// Smaller values come first. The options leave differences between texts out.
  public static func ascending(
    _ keyPath: PartialKeyPath<Object>, _ options: FetchPredicate.TextOptions = []
  ) -> Self { Self(keyPath: keyPath, isAscending: true, options: options) }

  /// Larger values come first. The options leave differences between texts out.
  public static func descending(
    _ keyPath: PartialKeyPath<Object>, _ options: FetchPredicate.TextOptions = []
  ) -> Self { Self(keyPath: keyPath, isAscending: false, options: options) }

  /// The term without the class.
  func term() throws(FetchPredicateError) -> SortTerm {
    SortTerm(try KeyPathNames.names(of: keyPath), ascending: isAscending, options: options)
  }
}
