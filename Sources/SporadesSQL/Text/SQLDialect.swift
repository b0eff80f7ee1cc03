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
  /// Writes a column so that all of its value is read.
  func read(_ column: String, isDecimal: Bool) -> String
  /// Writes a condition on the entities of rows so that no index of it is chosen over a better one.
  func unindexed(_ condition: String) -> String
  /// The rows with the keys (`ID`) and entities (`ENTITY`) of the rows in a table that a batch deletes.
  func doomed(_ place: Int) -> String
  /// Nil for a database that decides all predicates and orders as memory does.
  var limits: (any SQLLimits)? { get }
}

extension SQLDialect {
  package func doomed(_ place: Int) -> String { "temp.SPORADES_DOOMED_\(place)" }
}

/// Comparisons that are true or false even for nulls.
package enum SQLSameness: Hashable, Sendable {
  /// Whether the values are equal or both null.
  case same
  case different
}
