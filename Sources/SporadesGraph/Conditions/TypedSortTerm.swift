// SPDX-License-Identifier: MIT
public import SporadesModel

/// One step of the order of one class's objects: `.ascending(\.lastname)`, `.descending(\.age)`.
public struct TypedSortTerm<Object: ManagedObject> {
  private let keyPath: PartialKeyPath<Object>
  private let isAscending: Bool
  private let options: FetchPredicate.TextOptions
  private var collation: TextCollation?

  /// Smaller values come first. The options leave differences between texts out.
  public static func ascending(
    _ keyPath: PartialKeyPath<Object>, _ options: FetchPredicate.TextOptions = []
  ) -> Self { Self(keyPath: keyPath, isAscending: true, options: options) }

  /// Larger values come first. The options leave differences between texts out.
  public static func descending(
    _ keyPath: PartialKeyPath<Object>, _ options: FetchPredicate.TextOptions = []
  ) -> Self { Self(keyPath: keyPath, isAscending: false, options: options) }

  /// Texts that a language puts first come first: `.ascending(\.name, .localizedStandard)`.
  public static func ascending(
    _ keyPath: PartialKeyPath<Object>, _ collation: TextCollation
  ) -> Self { Self(keyPath: keyPath, isAscending: true, options: [], collation: collation) }

  /// Texts that a language puts last come first.
  public static func descending(
    _ keyPath: PartialKeyPath<Object>, _ collation: TextCollation
  ) -> Self { Self(keyPath: keyPath, isAscending: false, options: [], collation: collation) }

  /// The term without the class.
  func term() throws(FetchPredicateError) -> SortTerm {
    SortTerm(
      try KeyPathNames.names(of: keyPath), ascending: isAscending, options: options,
      collation: collation)
  }
}
