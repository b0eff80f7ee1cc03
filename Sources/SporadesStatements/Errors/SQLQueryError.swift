// SPDX-License-Identifier: MIT
public import SporadesModel

/// The reason why a statement gave no rows.
///
/// Failures of the store, a timeout and a cancellation throw `StoreError`, as they do for fetches.
public struct SQLQueryError: DescribedError, Hashable, Sendable {
  /// The kind of failure, to branch on.
  public let code: Code
  /// A sentence for people that names the failure and the remedy.
  public let description: String

  /// Describes a failure.
  init(_ code: Code, _ description: String) {
    self.code = code
    self.description = description
  }

  /// The kind of a failure.
  public enum Code: Hashable, Sendable {
    /// The statement would do something else than read.
    case writes
    /// The statement calls a function that may have effects.
    case function(String)
    /// There is more than one statement.
    case severalStatements
    /// The statement breaks off, or there is none.
    case unfinished
    /// The text has parameters of its own, such as `?`.
    case parameters
    /// The database does not understand the statement, or failed to compute it.
    case failed
    /// An interpolated class, key path or value has no counterpart in the store.
    case interpolation
    /// The statement reads tables of entities that have unsaved changes.
    case unsavedChanges(entities: [String])
    /// The rows have another number of columns than the type.
    case columnCount(expected: Int, found: Int)
    /// A column is NULL, and the type has no nil.
    case null(column: String)
    /// The value of a column does not fit the type.
    case mismatch(column: String)
    /// The row's type names a property that no column has.
    case missingColumn(String)
    /// Several columns have the name of the property.
    case ambiguousColumn(String)
    /// The store knows no SQL.
    case noSQL
    /// The statement fits none or several stores of a coordinator, whose identifiers these are.
    case notOneStore([String])
  }
}
