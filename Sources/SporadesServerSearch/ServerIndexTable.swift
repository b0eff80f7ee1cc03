// SPDX-License-Identifier: MIT
import SporadesModel
import SporadesPostgreSQL
import SporadesSQL
import SporadesSearch

/// The index of one table on a server: a table with the words of each searchable text in the rows' keys, and plain tables of
/// the keys whose texts it does not know yet.
struct ServerIndexTable: Sendable {
  /// The searchable texts of the rows, and the way to each.
  let search: SearchTable
  private let schema: String
  let dialect: PostgreSQLDialect

  init(_ search: SearchTable, in schema: String, _ dialect: PostgreSQLDialect) {
    (self.search, self.schema, self.dialect) = (search, schema, dialect)
  }

  // MARK: - Names

  /// The table of the states of all indexes.
  static let states = "sporades_search"
  var name: String { search.table.name }
  /// The table of the words.
  var index: String { Self.index(of: name) }
  static func index(of table: String) -> String {
    ServerNames.shortened("\(states)_\(table)")
  }
  /// The table of the keys of changed rows.
  var changed: String { ServerNames.shortened("sporades_changed_\(name)") }
  /// The table of the keys of changed rows at the end of a reference. No table of a model begins with a number.
  func changed(at reference: Int) -> String {
    ServerNames.shortened("sporades_changed_\(reference + 1)_\(name)")
  }
  var notes: [String] { [changed] + search.references.indices.map(changed(at:)) }
  /// The column of the words of a text.
  static func column(_ place: Int) -> String { "c\(place)" }
  var columns: [String] { search.columns.indices.map(Self.column) }

  // MARK: - Rows

  /// Selects the keys and texts of the rows with the keys in a list, which is the parameter.
  var rows: String {
    let rows = SearchTable.rows(of: name, search.key, search.columns).text(in: dialect)
    return "\(rows) WHERE t.\(dialect.quoted(search.key)) = ANY($1)"
  }

  /// Selects the keys of the rows whose references lead to rows with keys of a selection.
  func owners(at reference: Int, of keys: SQLFragment) -> SQLFragment {
    let path = search.references[reference].path
    var keys = keys
    for (place, step) in path.enumerated().reversed() {
      let before = place == 0 ? name : path[place - 1].table
      keys =
        "SELECT \(name: search.key) FROM \(name: before) WHERE \(name: step.reference) IN (\(keys))"
    }
    return keys
  }

  // MARK: - Making

  /// The texts of the index, and the version of its form.
  var definition: String {
    let texts = search.columns.map { column in
      (column.steps.map { "\($0.reference)>\($0.table)" } + [column.text]).joined(separator: ".")
    }
    return
      "\(Self.version) \(SearchTokens.version) \(search.form.rawValue) \(texts.joined(separator: " "))"
  }

  private static let version = 1

  /// Makes the index without words.
  var creation: [String] {
    let index = dialect.quoted(index)
    let words = columns.map { "\($0) tsvector NOT NULL" }.joined(separator: ", ")
    return [
      """
      CREATE TABLE IF NOT EXISTS \(Self.states) (name text PRIMARY KEY, definition text NOT NULL, relation bigint NOT NULL, \
      next bigint, rows bigint NOT NULL, tokens bigint NOT NULL)
      """,
      "CREATE TABLE \(index) (key bigint PRIMARY KEY, cut smallint NOT NULL, tokens bigint NOT NULL, \(words))",
      "CREATE INDEX ON \(index) USING gin (\(columns.joined(separator: ", ")))",
      "CREATE INDEX ON \(index) (cut) WHERE cut > 0",
    ] + notes.map { "CREATE TABLE \(dialect.quoted($0)) (key bigint NOT NULL)" }
      + ServerTrigger.function(in: schema) + triggers.map { $0.creation(dialect) }
      + [
        """
        INSERT INTO \(Self.states) (name, definition, relation, next, rows, tokens) VALUES \
        (\(dialect.literal(name)), \(dialect.literal(definition)), \(relation), \(Int64.min + 1), 0, 0) \
        ON CONFLICT (name) DO UPDATE SET definition = excluded.definition, relation = excluded.relation, \
        next = excluded.next, rows = 0, tokens = 0
        """
      ]
  }

  /// Empties the index, under the lock of those who index.
  var emptying: [String] {
    [
      "UPDATE \(Self.states) SET next = \(Int64.min + 1), rows = 0, tokens = 0 WHERE name = \(dialect.literal(name))",
      "DELETE FROM \(dialect.quoted(index))",
    ]
  }

  /// The number of the table of words, by which a state tells whether the words are those that it knows.
  var relation: String { "to_regclass(\(dialect.literal(dialect.quoted(index))))::oid::bigint" }

  /// Drops what an earlier index has left.
  var removal: [String] {
    ([index] + notes).map { "DROP TABLE IF EXISTS \(dialect.quoted($0))" }
      + triggers.map { $0.removal(dialect) }
  }

  /// The triggers that note the keys of changed rows.
  var triggers: [ServerTrigger] {
    let own = Set(search.columns.map { $0.steps.first?.reference ?? $0.text })
    var triggers = ServerTrigger.noting(
      name, search.key, in: changed, reading: own, whole: (changed, index), dialect)
    for (place, reference) in search.references.enumerated() {
      guard let end = reference.path.last else { continue }
      triggers += ServerTrigger.noting(
        end.table, search.key, in: changed(at: place), reading: reference.read,
        whole: (changed, index), dialect)
    }
    // Two references may end at one table, and the index's own table may be such an end.
    var names: Set<String> = []
    return triggers.filter { names.insert($0.name).inserted }
  }
}
