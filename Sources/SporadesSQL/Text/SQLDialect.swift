// SPDX-License-Identifier: MIT

/// The syntax in which databases differ.
///
/// The protocol gets a requirement only if two databases need different syntax; other syntax belongs in the
/// statements. A fragment names no dialect until it is rendered.
package protocol SQLDialect: Sendable {
  /// Writes the name of a table, a column or an index.
  func quoted(_ name: String) -> String
  /// Writes the parameter with a number; the first is 1.
  func placeholder(_ number: Int) -> String
  func word(for comparison: SQLSameness) -> String
}

/// Comparisons that are true or false even for nulls.
package enum SQLSameness: Hashable, Sendable {
  /// Whether the values are equal or both null.
  case same
  case different
}
