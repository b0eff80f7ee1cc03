// SPDX-License-Identifier: MIT

/// The words in which databases differ.
///
/// A requirement needs two databases that answer it differently; until then the words belong in the
/// statements. A fragment names no dialect, and is rendered in one.
package protocol SQLDialect: Sendable {
  /// The name of a table, a column or an index, as a statement has to write it.
  func quoted(_ name: String) -> String
  /// The parameter with a number; the first is 1.
  func placeholder(_ number: Int) -> String
  func word(for comparison: SQLSameness) -> String
}

/// Comparisons that are true or false for nulls too, and never unknown.
package enum SQLSameness: Hashable, Sendable {
  /// The values are equal, or both are null.
  case same
  case different
}
