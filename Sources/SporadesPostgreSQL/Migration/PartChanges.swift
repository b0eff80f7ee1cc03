// SPDX-License-Identifier: MIT
import SporadesModel
import SporadesSQL
import SporadesStore

/// The constraints and indexes that a migration drops, renames and makes.
///
/// Those of a table whose rows are written go first and come back at the end. So no row is asked for a rule while others
/// still lack their values, and no index is changed row by row.
struct PartChanges {
  /// The statements before the tables change.
  private(set) var removals: [String] = []
  /// The statements that cut links to nothing, where a constraint is about to refuse them.
  private(set) var repairs: [SQLFragment] = []
  /// The statements once the tables have their new form.
  private(set) var additions: [String] = []
  private let dialect = PostgreSQLDialect()

  init(_ migration: ServerMigration) throws(StoreError) {
    let (old, new) = (ServerSchema(migration.old).parts, ServerSchema(migration.new).parts)
    let present = try Self.present(migration.connection)
    let names = migration.stayingNames
    let written = Self.writtenTables(migration)
    var open = new
    var renamed: [(from: String, to: ServerSchema.NamedPart)] = []
    for former in old where present.contains(Place(former)) {
      let part = former.part.renaming(names.tables, names.columns)
      let isWritten = part.map { part in
        part.isConstraint
          && (written.contains(part.table) || part.destination.map(written.contains) == true)
      }
      if let part, isWritten == false, let index = open.firstIndex(where: { $0.part == part }) {
        let successor = open.remove(at: index)
        if successor.name != former.name { renamed.append((former.name, successor)) }
      } else {
        removals.append(removal(of: former))
      }
    }
    for (place, change) in renamed.enumerated() {
      additions.append(renaming(change.from, "sporades_passing_\(place)", change.to.part))
    }
    for (place, change) in renamed.enumerated() {
      additions.append(renaming("sporades_passing_\(place)", change.to.name, change.to.part))
    }
    additions += open.map { $0.part.creation($0.name, ServerLayout.names, dialect) }
    repairs = open.compactMap { Self.repair($0.part, migration.new) }
  }

  // MARK: - What is there

  private struct Place: Hashable {
    let table: String
    let name: String

    init(table: String, name: String) { (self.table, self.name) = (table, name) }
    init(_ part: ServerSchema.NamedPart) { self.init(table: part.part.table, name: part.name) }
  }

  /// The constraints and indexes of the schema. An administrator may have dropped some.
  private static func present(_ connection: ServerConnection) throws(StoreError) -> Set<Place> {
    let answer = try connection.run(
      """
      SELECT t.relname::text, k.conname::text FROM pg_constraint k JOIN pg_class t ON t.oid = k.conrelid \
      WHERE t.relnamespace = current_schema()::regnamespace UNION \
      SELECT t.relname::text, i.relname::text FROM pg_index x JOIN pg_class i ON i.oid = x.indexrelid \
      JOIN pg_class t ON t.oid = x.indrelid WHERE t.relnamespace = current_schema()::regnamespace
      """)
    var present: Set<Place> = []
    for row in 0..<answer.count {
      guard let table = answer.text(row, 0), let name = answer.text(row, 1) else { continue }
      present.insert(Place(table: table, name: name))
    }
    return present
  }

  /// The new names of the tables whose rows the migration writes or deletes.
  private static func writtenTables(_ migration: ServerMigration) -> Set<String> {
    var written: Set<String> = []
    for change in migration.tables {
      guard case .altered(let alteration) = change.form else { continue }
      if alteration.writesRows || migration.isReworked(change.place) { written.insert(change.name) }
    }
    // What else is written comes from links and derivations.
    let links = migration.changes.fills.map(\.tableName)
    let cuts = LinksToNothing(migration.succession).tableNames
    let derived = migration.derivedFills.fills.map(\.table)
    return written.union(links).union(cuts).union(derived)
  }

  // MARK: - Statements

  private func removal(of named: ServerSchema.NamedPart) -> String {
    let name = dialect.quoted(named.name)
    return named.part.isConstraint
      ? "ALTER TABLE \(dialect.quoted(named.part.table)) DROP CONSTRAINT \(name)"
      : "DROP INDEX \(name)"
  }

  private func renaming(_ name: String, _ other: String, _ part: SchemaPart) -> String {
    let change = "RENAME \(part.isConstraint ? "CONSTRAINT " : "")"
    return part.isConstraint
      ? "ALTER TABLE \(dialect.quoted(part.table)) \(change)\(dialect.quoted(name)) TO \(dialect.quoted(other))"
      : "ALTER INDEX \(dialect.quoted(name)) \(change)TO \(dialect.quoted(other))"
  }

  /// Cuts links to nothing. A relationship that had no constraint may lead nowhere.
  private static func repair(_ part: SchemaPart, _ server: ServerLayout) -> SQLFragment? {
    guard let other = part.destination, let column = part.columns.first,
      let table = server.layout.tables.first(where: { $0.name == part.table }),
      let slot = table.columns.firstIndex(where: { $0.name == column })
    else { return nil }
    let layout = server.model.shape(numbered: table.rootEntity).layout
    let position = layout.slots.indices.first { layout.reference(ofPosition: $0) == slot }
    let columns = [
      column, table.columns[slot].entityColumn, position.map { table.columns[$0].name },
    ]
    let assignments = columns.compactMap { name in
      name.map { "\(name: $0) = NULL" as SQLFragment }
    }
    let key = ServerLayout.names.row.key
    return """
      UPDATE \(name: table.name) AS o SET \(assignments.joined(by: ", ")) \
      WHERE o.\(name: column) IS NOT NULL \
      AND NOT EXISTS (SELECT 1 FROM \(name: other) d WHERE d.\(name: key) = o.\(name: column))
      """
  }
}
