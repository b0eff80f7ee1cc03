// SPDX-License-Identifier: MIT
import SporadesModel
import SporadesPostgreSQL
import SporadesSQL
import SporadesStore

/// Where the rows of a model are in an existing database, found in the notes of the model and checked against the catalog.
///
/// A table is read as a query of it whose columns have the names of the store's own layout, and which the server takes apart
/// again when it plans: `(SELECT m.film_id AS row_id, 'Film'::text AS row_entity, m.xmin::text::bigint AS row_version, … FROM
/// public.film m)`. So all that reads knows nothing of existing databases.
struct MappedTables: Sendable {
  /// The tables in the order of the layout's.
  let tables: [Table]
  /// The joins in the order of the layout's.
  let joins: [Join]
  /// All texts have the order of their bytes.
  let hasByteOrder: Bool

  /// What stands for a table in statements, by its name in the layout.
  var relations: [String: String] {
    var relations = Dictionary(
      tables.map { ($0.name.description, $0.relation) }, uniquingKeysWith: { first, _ in first })
    for join in joins { relations[join.name.description] = join.relation }
    return relations
  }

  /// The table of one inheritance tree.
  struct Table: Sendable {
    let name: TableName
    /// The name of the root entity.
    let entity: String
    let key: Key
    /// The column with versions; nil where the server's mark of the row is one.
    let version: String?
    let discriminator: Discriminator?
    /// Nothing is written.
    let isReadOnly: Bool
    /// Rows have a mark of the server, or a column with a version.
    let hasVersions: Bool
    /// A statement that writes rows cannot answer with their marks.
    let isPartitioned: Bool
    /// The database fills columns when a row is written, which a later read shows as a newer version.
    let isFilled: Bool
    /// The columns in the order of the layout's slots.
    let columns: [Column]
    /// Rows of tables with lower numbers are inserted first, and deleted last.
    var rank = 0
    /// The properties of each unique constraint, by its name.
    let uniques: [String: [String]]
    /// References to rows of the same table.
    let ownReferences: [Int]
  }

  struct Key: Sendable {
    let column: String
    let range: ClosedRange<Int64>
    /// The sequence that numbers new rows, as it stands in a text; nil for keys that only programs give.
    let sequence: String?
    let isAlwaysIdentity: Bool
  }

  /// What tells the entities of rows in one table.
  struct Discriminator: Sendable {
    let column: String
    let declared: String
    /// The value of each entity, by the entity's number.
    let values: [Int: String]
    let names: [Int: String]

    /// The name of the entity of a row, where its table has the alias.
    func entity(of alias: String) -> String {
      let dialect = PostgreSQLDialect()
      let cases = values.sorted { $0.key < $1.key }.map { number, value in
        " WHEN \(dialect.literal(value)) THEN \(dialect.literal(names[number] ?? ""))"
      }
      return "CASE \(alias).\(dialect.quoted(column))::text\(cases.joined()) END"
    }
  }

  /// What a slot is read from and written to.
  struct Column: Sendable {
    /// The name of the column; nil for one that is computed.
    let name: String?
    /// The name in the query that stands for the table.
    let alias: String
    /// The value, where the table is `m`.
    let reading: String
    /// The name of the linked row's entity, and its name in the query.
    let entity: (alias: String, reading: String)?
    /// What joins the table to which the column leads; nil where the column has the key of a row.
    var join: String?
    /// Nil for a column that is never written.
    let form: ColumnForm?
    /// The server puts a value in the place of nil.
    let fillsNil: Bool
  }

  /// The table of a many-to-many relationship.
  struct Join: Sendable {
    let name: TableName
    let first: String
    let second: String
    /// What the columns have where they have no keys of objects.
    var others: (first: OtherKey?, second: OtherKey?) = (nil, nil)
  }
}

extension MappedTables.Join {
  /// What stands for the table in statements. Links to rows that are gone are none.
  var relation: String {
    guard others.first != nil || others.second != nil else { return name.quoted }
    let dialect = PostgreSQLDialect()
    var (terms, joins) = ([String](), "")
    for (column, other, alias) in [(first, others.first, "f"), (second, others.second, "s")] {
      let column = dialect.quoted(column)
      let found = other?.reading("m.\(column)", as: alias, by: "JOIN")
      terms.append("\(found?.key ?? "m.\(column)") AS \(column)")
      joins += found?.join ?? ""
    }
    return "(SELECT \(terms.joined(separator: ", ")) FROM \(name.quoted) m\(joins))"
  }
}

extension MappedTables.Table {
  /// The query that stands for the table in statements.
  var relation: String {
    let (dialect, row) = (PostgreSQLDialect(), ServerLayout.names.row)
    var terms = [
      "m.\(dialect.quoted(key.column)) AS \(row.key)", "\(entityReading) AS \(row.entity)",
      "\(versionReading) AS \(row.version)",
    ]
    for column in columns {
      terms.append("\(column.reading) AS \(dialect.quoted(column.alias))")
      if let entity = column.entity {
        terms.append("\(entity.reading) AS \(dialect.quoted(entity.alias))")
      }
    }
    let joins = columns.compactMap(\.join).joined()
    return "(SELECT \(terms.joined(separator: ", ")) FROM \(name.quoted) m\(joins))"
  }

  /// The name of a row's entity, where the table is `m`.
  private var entityReading: String { entityReading(of: "m") }

  func entityReading(of alias: String) -> String {
    discriminator?.entity(of: alias) ?? "\(PostgreSQLDialect().literal(entity))::text"
  }

  private var versionReading: String {
    if let version { return "m.\(PostgreSQLDialect().quoted(version))::bigint" }
    return hasVersions ? "m.xmin::text::bigint" : "1::bigint"
  }
}
