// SPDX-License-Identifier: MIT

/// A statement in the dialect of one database, with its bound values in the order of the parameters.
///
/// A statement that is prepared once and run often has parameters without values.
package struct SQLStatement: Hashable, Sendable {
  package let sql: String
  package let bindings: [SQLValue]

  package init(_ sql: String, _ bindings: [SQLValue] = []) {
    self.sql = sql
    self.bindings = bindings
  }
}
