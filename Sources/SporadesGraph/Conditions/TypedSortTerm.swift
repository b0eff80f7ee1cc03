// SPDX-License-Identifier: MIT
public import SporadesModel

/// One step of the order of one class's objects: `.ascending(\.lastname)`, `.descending(\.age)`.
public struct TypedSortTerm<Object: ManagedObject> {
  private let value: SortedValue
  private let isAscending: Bool
  private let options: FetchPredicate.TextOptions
  private var collation: TextCollation?

  /// Smaller values come first. The options leave differences between texts out.
  public static func ascending(
    _ keyPath: PartialKeyPath<Object>, _ options: FetchPredicate.TextOptions = []
  ) -> Self { Self(value: .keyPath(keyPath), isAscending: true, options: options) }

  /// Larger values come first. The options leave differences between texts out.
  public static func descending(
    _ keyPath: PartialKeyPath<Object>, _ options: FetchPredicate.TextOptions = []
  ) -> Self { Self(value: .keyPath(keyPath), isAscending: false, options: options) }

  /// Texts that a language puts first come first: `.ascending(\.name, .localizedStandard)`.
  public static func ascending(
    _ keyPath: PartialKeyPath<Object>, _ collation: TextCollation
  ) -> Self { Self(value: .keyPath(keyPath), isAscending: true, options: [], collation: collation) }

  /// Texts that a language puts last come first.
  public static func descending(
    _ keyPath: PartialKeyPath<Object>, _ collation: TextCollation
  ) -> Self {
    Self(value: .keyPath(keyPath), isAscending: false, options: [], collation: collation)
  }

  /// Smaller computed values come first: `.ascending((\User.name).length)`.
  @_disfavoredOverload
  public static func ascending<V>(
    _ expression: TypedExpression<Object, V>, _ options: FetchPredicate.TextOptions = []
  ) -> Self { Self(value: .computed(expression.expression), isAscending: true, options: options) }

  /// Larger computed values come first: `.descending((\User.pets).max(\.age))`.
  @_disfavoredOverload
  public static func descending<V>(
    _ expression: TypedExpression<Object, V>, _ options: FetchPredicate.TextOptions = []
  ) -> Self { Self(value: .computed(expression.expression), isAscending: false, options: options) }

  /// The term without the class.
  func term() throws(FetchPredicateError) -> SortTerm {
    switch value {
    case .keyPath(let keyPath):
      SortTerm(
        try KeyPathNames.names(of: keyPath), ascending: isAscending, options: options,
        collation: collation)
    case .computed(let expression):
      SortTerm(expression, ascending: isAscending, options: options)
    }
  }

  private enum SortedValue {
    case keyPath(PartialKeyPath<Object>)
    case computed(FetchExpression)
  }
}
