// SPDX-License-Identifier: MIT
import SporadesSQL

/// A constraint or an index of a table, as a value, so that a migration finds out which ones stay.
struct SchemaPart: Hashable {
  enum Kind: Hashable {
    /// No two rows have the same values.
    case unique
    /// No two rows of these entities have the same values.
    case exclusion(among: [String])
    /// The values are keys of rows of another table. With `cascades`, a row goes with the one that it names.
    case reference(to: String, cascades: Bool)
    /// The names of the columns, each with what stands behind it.
    case index(endings: [String])
  }

  let kind: Kind
  let table: String
  let columns: [String]

  var isConstraint: Bool { if case .index = kind { false } else { true } }

  /// The table whose keys the columns hold.
  var destination: String? { if case .reference(let table, _) = kind { table } else { nil } }

  /// A save may pass through states that the constraint forbids.
  private static let deferred = "DEFERRABLE INITIALLY DEFERRED"

  /// The statement that makes the part.
  func creation(_ key: String, _ names: LayoutNames, _ dialect: PostgreSQLDialect) -> String {
    func list(_ texts: [String]) -> String { texts.map(dialect.quoted).joined(separator: ", ") }
    let rule: String
    switch kind {
    case .index(let endings):
      let terms = zip(columns, endings).map { dialect.quoted($0) + $1 }.joined(separator: ", ")
      return "CREATE INDEX \(dialect.quoted(key)) ON \(dialect.quoted(table)) (\(terms))"
    case .unique: rule = "UNIQUE (\(list(columns)))"
    case .exclusion(let marks):
      rule =
        "EXCLUDE USING btree ("
        + columns.map { "\(dialect.quoted($0)) WITH =" }.joined(separator: ", ")
        + ") WHERE (\(dialect.quoted(names.row.entity)) IN (\(marks.joined(separator: ", "))))"
    case .reference(let other, let cascades):
      rule =
        "FOREIGN KEY (\(list(columns))) REFERENCES \(dialect.quoted(other))"
        + (cascades ? " ON DELETE CASCADE" : "")
    }
    return "ALTER TABLE \(dialect.quoted(table)) ADD CONSTRAINT \(dialect.quoted(key)) \(rule) "
      + Self.deferred
  }

  /// The part under the new names of tables and columns; nil if its table or its destination has none.
  func renaming(_ tables: [String: String], _ columns: [String: [String: String]]) -> SchemaPart? {
    guard let table = tables[table] else { return nil }
    var kind = kind
    if case .reference(let other, let cascades) = kind {
      guard let other = tables[other] else { return nil }
      kind = .reference(to: other, cascades: cascades)
    }
    let names = columns[self.table] ?? [:]
    return SchemaPart(kind: kind, table: table, columns: self.columns.map { names[$0] ?? $0 })
  }
}
