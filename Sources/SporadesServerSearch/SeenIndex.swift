// SPDX-License-Identifier: MIT
import SporadesModel
import SporadesPostgreSQL
import SporadesSQL
import SporadesSearch
import SporadesStore

/// An index in the state that a connection shows.
struct SeenIndex {
  /// The index knows all rows but those that are noted.
  private(set) var isMade = false
  private var hasNotes = false
  private var mostCut = TextVector.Cut.nothing.rawValue

  init(_ table: ServerIndexTable, _ connection: ServerConnection) throws(StoreError) {
    let tables = try connection.run("SELECT (\(table.areThere))::int")
    guard tables.integer(0, 0) == 1 else { return }
    let index = table.dialect.quoted(table.index)
    let answer = try connection.run(
      """
      SELECT (\(table.isMade))::int, (\(table.hasNotes))::int, CASE WHEN EXISTS (SELECT 1 FROM \(index) WHERE cut > 1) THEN 2 \
      WHEN EXISTS (SELECT 1 FROM \(index) WHERE cut > 0) THEN 1 ELSE 0 END FROM \(ServerIndexTable.states) \
      WHERE name = $1 AND definition = $2
      """, [.text(table.name), .text(table.definition)])
    guard answer.count == 1, let cut = answer.integer(0, 2) else { return }
    isMade = answer.integer(0, 0) == 1
    hasNotes = answer.integer(0, 1) == 1
    mostCut = Int16(clamping: cut)
  }

  /// The index tells exactly which rows a search finds.
  func isExact(for query: WordQuery) -> Bool {
    let mostAllowed: TextVector.Cut = query.asksForPlaces ? .nothing : .places
    return query.isExact && !hasNotes && mostCut <= mostAllowed.rawValue
  }
}

extension ServerIndexTable {
  /// The condition that all tables of the index are there.
  var areThere: String {
    ([Self.states, index] + notes).map {
      "to_regclass(\(dialect.literal(dialect.quoted($0)))) IS NOT NULL"
    }.joined(separator: " AND ")
  }

  /// The condition on a state that the index is made, and that its words are those that the state knows.
  var isMade: String { "next IS NULL AND relation = \(relation)" }

  /// The condition that keys are noted.
  var hasNotes: String {
    notes.map { "EXISTS (SELECT 1 FROM \(dialect.quoted($0)))" }.joined(separator: " OR ")
  }

  /// Selects the keys that a condition finds, and if it is not exact, those that it may not know.
  func keys(_ condition: SQLFragment, isExact: Bool) -> SQLFragment {
    let found: SQLFragment = "SELECT key FROM \(name: index) WHERE \(condition)"
    guard !isExact else { return found }
    var parts: [SQLFragment] = [
      "\(found) OR cut > 1", "SELECT key FROM \(name: changed)",
      """
      SELECT \(name: search.key) FROM \(name: name) WHERE NOT EXISTS (SELECT 1 FROM \(sql: Self.states) WHERE name = \
      \(.text(name)) AND \(sql: isMade))
      """,
    ]
    for place in search.references.indices {
      parts.append(owners(at: place, of: "SELECT key FROM \(name: changed(at: place))"))
    }
    return parts.joined(by: " UNION ALL ")
  }
}
