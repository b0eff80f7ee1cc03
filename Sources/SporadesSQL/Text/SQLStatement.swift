// SPDX-License-Identifier: MIT

/// A statement in the words of one database, and the values it binds, in the order of its parameters.
///
/// A statement that is prepared once and run often has parameters and no values.
package struct SQLStatement: Hashable, Sendable {
  package let sql: String
  package let bindings: [SQLValue]

  package init(_ sql: String, _ bindings: [SQLValue] = []) {
    self.sql = sql
    self.bindings = bindings
  }
}
