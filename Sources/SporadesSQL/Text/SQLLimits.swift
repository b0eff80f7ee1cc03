// SPDX-License-Identifier: MIT
package import SporadesModel

/// What a database decides as memory does, and what it writes in another way. SQLite has no such limits, because the store
/// adds to it what it lacks.
///
/// A part of a predicate that a database does not decide is left out of the condition, which then accepts more rows. The
/// caller asks the whole predicate of them again.
package protocol SQLLimits: AnyObject, Sendable {
  /// Whether the database decides a comparison as memory does.
  func decides(_ comparison: PreparedPredicate.Comparison) -> Bool
  /// Whether the database orders by a term as memory does.
  func orders(by path: KeyPathShape, _ term: SortTerm) -> Bool
  /// The form of a constant that is compared with a column; nil for the form in which it is bound.
  func constant(_ value: Value, _ rounding: DateRounding) -> SQLFragment?
  /// The function that finds a part in a text.
  var placeFunction: String { get }
  /// Whether the database computes a value of each object as memory does.
  func computes(_ value: ExpressionShape) -> Bool
  /// Whether the database tells groups apart as memory does.
  func groups(by key: ExpressionShape) -> Bool
  /// Whether the database orders groups by their keys as memory does.
  func ordersGroups(by keys: [ExpressionShape]) -> Bool
  /// The form of a value in which the database computes an aggregate of it as memory does; nil if it does not.
  func aggregated(_ value: SQLFragment, _ aggregate: AggregateShape) -> SQLFragment?
  /// The form in which a column takes a value of a type; nil for a value that it does not take.
  func stored(_ value: Value, _ type: AttributeType) -> SQLFragment?
  /// The form in which a column of a type takes a computed value; nil if the database does not compute it as memory does.
  func assigned(
    _ value: SQLFragment, _ expression: ExpressionShape, to type: AttributeType
  ) -> SQLFragment?
  /// A step of an order in which nil comes before all values. The path leads to what the step compares.
  func ordered(_ step: SQLFragment, by path: KeyPathShape, ascending: Bool) -> SQLFragment
}

/// The direction in which a date between two of those that a column can hold is rounded, so that a comparison of the column
/// stays what it was.
package enum DateRounding: Sendable {
  case nearest, up, down

  /// The direction for the right side of a comparison.
  init(rightOf comparator: FetchPredicate.Comparator) {
    switch comparator {
    case .less, .greaterOrEqual: self = .up
    case .lessOrEqual, .greater: self = .down
    default: self = .nearest
    }
  }

  /// The direction for the left side of a comparison.
  init(leftOf comparator: FetchPredicate.Comparator) {
    switch comparator {
    case .less, .greaterOrEqual: self = .down
    case .lessOrEqual, .greater: self = .up
    default: self = .nearest
    }
  }
}

extension SQLDialect {
  package var limits: (any SQLLimits)? { nil }
}
