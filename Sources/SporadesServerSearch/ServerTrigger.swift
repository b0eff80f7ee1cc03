// SPDX-License-Identifier: MIT
import SporadesPostgreSQL
import SporadesSQL

/// A trigger that notes the keys of rows whose texts change, once for each statement of whoever writes.
struct ServerTrigger: Sendable {
  let name: String
  let table: String
  private let event: String
  private let arguments: [String]

  private init(_ event: String, _ states: String, on table: String, _ arguments: [String]) {
    // The tables of notes are no two tables' ones, and neither are the names that begin with theirs.
    name = ServerNames.shortened("\(arguments[0])_\(event.lowercased())_\(table)")
    self.table = table
    self.event = event
    self.states = states
    self.arguments = arguments
  }

  /// The names of the rows before and behind a statement.
  private let states: String

  /// The triggers of one table. The last one notes all rows of an index, because who empties a table names no rows.
  static func noting(
    _ table: String, _ key: String, in changed: String, reading columns: Set<String>,
    whole: (changed: String, index: String), _ dialect: PostgreSQLDialect
  ) -> [ServerTrigger] {
    let (old, new) = ("OLD TABLE AS old_rows", "NEW TABLE AS new_rows")
    let key = dialect.quoted(key)
    let read = ([key] + columns.sorted().map(dialect.quoted)).joined(separator: ", ")
    return [
      ServerTrigger("INSERT", "REFERENCING \(new)", on: table, [changed, key]),
      ServerTrigger("UPDATE", "REFERENCING \(old) \(new)", on: table, [changed, key, read]),
      ServerTrigger("DELETE", "REFERENCING \(old)", on: table, [changed, key]),
      ServerTrigger("TRUNCATE", "", on: table, [whole.changed, whole.index]),
    ]
  }

  func creation(_ dialect: PostgreSQLDialect) -> String {
    let arguments = arguments.map(dialect.literal).joined(separator: ", ")
    return
      "CREATE TRIGGER \(dialect.quoted(name)) AFTER \(event) ON \(dialect.quoted(table)) \(states) FOR EACH STATEMENT "
      + "EXECUTE FUNCTION \(ServerLayout.noting)(\(arguments))"
  }

  func removal(_ dialect: PostgreSQLDialect) -> String {
    "DROP TRIGGER IF EXISTS \(dialect.quoted(name)) ON \(dialect.quoted(table))"
  }

  /// The function of all triggers. It has its owner's rights, so that whoever may write a row may have it noted, and it finds the
  /// tables in the schema of the written one, whatever the writer's path and the schema's name are.
  static func function(in schema: String) -> [String] {
    let name = "\(schema).\(ServerLayout.noting)"
    return [
      """
      CREATE OR REPLACE FUNCTION \(name)() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER \
      SET search_path = pg_catalog, pg_temp AS $body$
      BEGIN
        -- Who has dropped the table of the notes or that of the words has given the index up, and goes on writing.
        IF to_regclass(format('%I.%I', TG_TABLE_SCHEMA, TG_ARGV[0])) IS NULL OR TG_OP = 'TRUNCATE'
          AND to_regclass(format('%I.%I', TG_TABLE_SCHEMA, TG_ARGV[1])) IS NULL THEN RETURN NULL; END IF;
        CASE TG_OP
        WHEN 'INSERT' THEN
          EXECUTE format('INSERT INTO %I.%I (key) SELECT %s FROM new_rows', TG_TABLE_SCHEMA, TG_ARGV[0], TG_ARGV[1]);
        WHEN 'DELETE' THEN
          EXECUTE format('INSERT INTO %I.%I (key) SELECT %s FROM old_rows', TG_TABLE_SCHEMA, TG_ARGV[0], TG_ARGV[1]);
        WHEN 'UPDATE' THEN
          EXECUTE format('INSERT INTO %1$I.%2$I (key) SELECT %3$s FROM (SELECT %4$s FROM new_rows EXCEPT SELECT %4$s FROM '
            'old_rows) n UNION SELECT %3$s FROM (SELECT %4$s FROM old_rows EXCEPT SELECT %4$s FROM new_rows) o',
            TG_TABLE_SCHEMA, TG_ARGV[0], TG_ARGV[1], TG_ARGV[2]);
        ELSE
          EXECUTE format('INSERT INTO %1$I.%2$I (key) SELECT key FROM %1$I.%3$I', TG_TABLE_SCHEMA, TG_ARGV[0], TG_ARGV[1]);
        END CASE;
        RETURN NULL;
      END $body$
      """,
      // Nobody else makes triggers that write with these rights.
      "REVOKE ALL ON FUNCTION \(name)() FROM PUBLIC",
    ]
  }
}
