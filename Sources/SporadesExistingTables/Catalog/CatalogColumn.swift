// SPDX-License-Identifier: MIT
import SporadesPostgreSQL

/// A column of a catalog.
struct CatalogColumn: Sendable {
  let name: String
  let isNotNull: Bool
  /// The name of the type, or of the one below a domain.
  let type: String
  /// A type that lists its values.
  let isEnum: Bool
  /// The type as a declaration names it: `character varying(20)`.
  let declared: String
  /// What bounds the type; −1 for nothing.
  let modifier: Int
  let defaultText: String?
  let isGenerated: Bool
  /// The database numbers the rows itself, unless it is told otherwise.
  let isIdentity: Bool
  let isAlwaysIdentity: Bool
  /// The name of the sequence that numbers the rows, as it stands in a text.
  let sequence: String?
  let comment: String?
  let labels: [String]
  /// Texts have the order of their bytes.
  let hasByteOrder: Bool

  /// The database has a value where none is given.
  var hasDefault: Bool { defaultText != nil || isIdentity || isGenerated }
}

/// The name of a table of an existing database, with its schema.
struct TableName: Hashable, Sendable, Comparable, CustomStringConvertible {
  let schema: String
  let table: String

  var description: String { "\(schema).\(table)" }

  /// The name as it stands in statements.
  var quoted: String {
    let dialect = PostgreSQLDialect()
    return "\(dialect.quoted(schema)).\(dialect.quoted(table))"
  }

  static func < (left: TableName, right: TableName) -> Bool {
    (left.schema, left.table) < (right.schema, right.table)
  }
}
