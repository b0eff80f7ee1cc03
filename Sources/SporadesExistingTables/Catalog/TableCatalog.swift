// SPDX-License-Identifier: MIT
import SporadesPostgreSQL
import SporadesStore

/// The tables of some schemas, as the server's catalog describes them.
struct TableCatalog: Sendable {
  let tables: [TableName: CatalogTable]

  /// Reads what the catalog says of all tables and views in schemas.
  init(_ connection: ServerConnection, schemas: [String]) throws(StoreError) {
    let list = ServerValue.list(.text, schemas.map { .text($0) })
    var tables: [TableName: CatalogTable] = [:]
    let relations = try connection.run(Self.relations, [list])
    for row in 0..<relations.count {
      let name = Self.name(relations, row)
      tables[name] = CatalogTable(relations, row, name)
    }
    let columns = try connection.run(Self.columns, [list])
    for row in 0..<columns.count {
      tables[Self.name(columns, row)]?.columns.append(CatalogColumn(columns, row))
    }
    let constraints = try connection.run(Self.constraints, [list])
    for row in 0..<constraints.count {
      tables[Self.name(constraints, row)]?.add(constraints, row)
    }
    self.tables = tables
  }

  private static func name(_ rows: ServerRows, _ row: Int) -> TableName {
    TableName(schema: rows.text(row, 0) ?? "", table: rows.text(row, 1) ?? "")
  }

  // MARK: - Questions

  /// Parts of one table are read through it. System columns tell versions in plain and partitioned tables.
  private static let relations = """
    SELECT n.nspname::text, c.relname::text, c.relkind::text, obj_description(c.oid, 'pg_class'), \
    EXISTS (SELECT 1 FROM pg_trigger t WHERE t.tgrelid = c.oid AND NOT t.tgisinternal) \
    FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace \
    WHERE n.nspname = ANY($1) AND c.relkind IN ('r', 'p', 'v', 'm', 'f') AND NOT c.relispartition
    """

  private static let columns = """
    SELECT n.nspname::text, c.relname::text, a.attname::text, a.attnotnull, b.typname::text, b.typtype::text, \
    format_type(a.atttypid, a.atttypmod), CASE WHEN t.typtype = 'd' THEN t.typtypmod ELSE a.atttypmod END, \
    pg_get_expr(d.adbin, d.adrelid), a.attgenerated <> '', a.attidentity::text, \
    coalesce((SELECT s.oid::regclass::text FROM pg_depend p JOIN pg_class s ON s.oid = p.refobjid AND s.relkind = 'S' \
    WHERE p.classid = 'pg_attrdef'::regclass AND p.objid = d.oid AND p.refclassid = 'pg_class'::regclass LIMIT 1), \
    (SELECT s.oid::regclass::text FROM pg_depend p JOIN pg_class s ON s.oid = p.objid AND s.relkind = 'S' \
    WHERE p.classid = 'pg_class'::regclass AND p.refclassid = 'pg_class'::regclass AND p.refobjid = c.oid \
    AND p.refobjsubid = a.attnum LIMIT 1)), \
    col_description(c.oid, a.attnum), \
    (SELECT string_agg(e.enumlabel, E'\\x01' ORDER BY e.enumsortorder) FROM pg_enum e WHERE e.enumtypid = b.oid), \
    coalesce(k.collname IN ('C', 'POSIX', 'ucs_basic') OR (k.collname = 'default' AND \
    (SELECT w.datcollate IN ('C', 'POSIX') FROM pg_database w WHERE w.datname = current_database())), true), \
    t.typnotnull \
    FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace \
    JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped \
    JOIN pg_type t ON t.oid = a.atttypid \
    JOIN pg_type b ON b.oid = CASE WHEN t.typtype = 'd' THEN t.typbasetype ELSE t.oid END \
    LEFT JOIN pg_attrdef d ON d.adrelid = c.oid AND d.adnum = a.attnum \
    LEFT JOIN pg_collation k ON k.oid = a.attcollation \
    WHERE n.nspname = ANY($1) AND c.relkind IN ('r', 'p', 'v', 'm', 'f') AND NOT c.relispartition \
    ORDER BY 1, 2, a.attnum
    """

  private static func list(_ numbers: String, of table: String) -> String {
    """
    (SELECT string_agg(a.attname, E'\\x01' ORDER BY k.place) FROM unnest(\(numbers)) WITH ORDINALITY k(number, place) \
    JOIN pg_attribute a ON a.attrelid = \(table) AND a.attnum = k.number)
    """
  }

  /// Constraints, and the indexes that no constraint has, over whole columns.
  private static let constraints = """
    SELECT n.nspname::text, c.relname::text, x.conname::text, x.contype::text, \(list("x.conkey", of: "x.conrelid")), \
    fn.nspname::text, f.relname::text, \(list("x.confkey", of: "x.confrelid")), x.confdeltype::text, false \
    FROM pg_constraint x JOIN pg_class c ON c.oid = x.conrelid JOIN pg_namespace n ON n.oid = c.relnamespace \
    LEFT JOIN pg_class f ON f.oid = x.confrelid LEFT JOIN pg_namespace fn ON fn.oid = f.relnamespace \
    WHERE n.nspname = ANY($1) AND x.contype IN ('p', 'u', 'f') AND NOT c.relispartition \
    AND (x.contype <> 'f' OR x.conparentid = 0) \
    UNION ALL SELECT n.nspname::text, c.relname::text, o.relname::text, \
    CASE WHEN i.indisunique THEN 'u' ELSE 'i' END, \(list("i.indkey::int2[]", of: "i.indrelid")), \
    NULL, NULL, NULL, NULL, i.indpred IS NOT NULL \
    FROM pg_index i JOIN pg_class o ON o.oid = i.indexrelid JOIN pg_class c ON c.oid = i.indrelid \
    JOIN pg_namespace n ON n.oid = c.relnamespace WHERE n.nspname = ANY($1) AND i.indexprs IS NULL \
    AND NOT c.relispartition AND NOT EXISTS (SELECT 1 FROM pg_constraint x WHERE x.conindid = i.indexrelid) \
    ORDER BY 1, 2, 3
    """
}

/// A table or a view of a catalog.
struct CatalogTable: Sendable {
  let name: TableName
  let comment: String?
  /// Rows tell their versions, and can change.
  let isPlain: Bool
  /// Rows lie in other tables, and a statement that writes them cannot answer with their marks.
  let isPartitioned: Bool
  /// The database may change rows while they are written.
  let hasTriggers: Bool
  fileprivate(set) var columns: [CatalogColumn] = []
  private(set) var primaryKey: [String] = []
  private(set) var uniques: [Constraint] = []
  private(set) var indexes: [Constraint] = []
  private(set) var references: [Reference] = []

  /// Columns with the name of their constraint or index.
  struct Constraint: Sendable {
    let name: String
    let columns: [String]
  }

  /// A foreign key.
  struct Reference: Sendable {
    let columns: [String]
    let destination: TableName
    let destinationColumns: [String]
    /// Rows go with the one that they lead to.
    let cascades: Bool
  }

  fileprivate init(_ rows: ServerRows, _ row: Int, _ name: TableName) {
    self.name = name
    isPlain = ["r", "p"].contains(rows.text(row, 2))
    isPartitioned = rows.text(row, 2) == "p"
    comment = rows.text(row, 3)
    hasTriggers = rows.truth(row, 4)
  }

  fileprivate mutating func add(_ rows: ServerRows, _ row: Int) {
    let columns = rows.names(row, 4)
    let constraint = Constraint(name: rows.text(row, 2) ?? "", columns: columns)
    switch (rows.text(row, 3), rows.truth(row, 9)) {
    case ("p", _): primaryKey = columns
    case ("u", false): uniques.append(constraint)
    case ("i", false): indexes.append(constraint)
    case ("f", _):
      let name = TableName(schema: rows.text(row, 5) ?? "", table: rows.text(row, 6) ?? "")
      references.append(
        Reference(
          columns: columns, destination: name, destinationColumns: rows.names(row, 7),
          cascades: rows.text(row, 8) == "c"))
    default: break
    }
  }

  subscript(column column: String) -> CatalogColumn? { columns.first { $0.name == column } }
}

extension CatalogColumn {
  fileprivate init(_ rows: ServerRows, _ row: Int) {
    name = rows.text(row, 2) ?? ""
    type = rows.text(row, 4) ?? ""
    isEnum = rows.text(row, 5) == "e"
    declared = rows.text(row, 6) ?? ""
    modifier = Int(rows.integer(row, 7) ?? -1)
    defaultText = rows.text(row, 8)
    isGenerated = rows.truth(row, 9)
    isIdentity = rows.text(row, 10)?.isEmpty == false
    isAlwaysIdentity = rows.text(row, 10) == "a"
    sequence = rows.text(row, 11)
    comment = rows.text(row, 12)
    labels = rows.names(row, 13)
    hasByteOrder = rows.truth(row, 14)
    isNotNull = rows.truth(row, 3) || rows.truth(row, 15)
  }
}

extension ServerRows {
  fileprivate func truth(_ row: Int, _ column: Int) -> Bool {
    blob(row, column)?.first == 1
  }

  /// The names in a text, with a character between them that no name has.
  fileprivate func names(_ row: Int, _ column: Int) -> [String] {
    text(row, column)?.split(separator: "\u{1}").map(String.init) ?? []
  }
}
