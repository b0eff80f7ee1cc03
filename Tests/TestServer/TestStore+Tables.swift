// SPDX-License-Identifier: MIT
import SporadesPostgreSQL

// What psql shows of a store's tables.
extension TestStore {
  /// The columns, constraints and indexes, each in a line. The names of primary keys are those of the tables' former names.
  package func schema() throws -> [String] {
    try lines(
      """
      SELECT 'column ' || concat_ws(' ', table_name, column_name, data_type, collation_name, is_nullable, column_default) \
      FROM information_schema.columns WHERE table_schema = current_schema() \
      UNION ALL SELECT 'constraint ' || conrelid::regclass::text || ' ' || CASE contype WHEN 'p' THEN '' ELSE conname END \
      || ' ' || pg_get_constraintdef(oid) FROM pg_constraint WHERE connamespace = current_schema()::regnamespace \
      UNION ALL SELECT 'index ' || tablename || ' ' || CASE WHEN indexname LIKE '%pkey%' THEN '' ELSE \
      replace(indexdef, current_schema() || '.', '') END FROM pg_indexes WHERE schemaname = current_schema() ORDER BY 1
      """)
  }

  /// The rows of all tables but those of writers, each in a line.
  package func contents() throws -> [String] {
    let tables = try lines(
      "SELECT tablename::text FROM pg_tables WHERE schemaname = current_schema() AND tablename <> 'sporades_clients' ORDER BY 1"
    )
    return try tables.flatMap { table in
      try lines("SELECT '\(table) ' || t::text FROM \"\(table)\" t ORDER BY 1")
    }
  }

  /// The lines of an answer.
  package func lines(_ sql: String) throws -> [String] {
    try server.answer(to: sql, inSchema: options.schema)
  }
}
