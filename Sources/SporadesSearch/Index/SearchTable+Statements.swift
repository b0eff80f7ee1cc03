// SPDX-License-Identifier: MIT
import SporadesSQL
import SporadesSQLite

/// The statements about an index, whose texts are built once.
struct SearchStatements: Sendable {
  /// The place that the making of the index has reached, 1 if it is made, and 1 if keys are noted.
  let state: SQLStatement
  /// Notes that the index is made.
  let setMade: SQLStatement
  let storedDefinition: SQLStatement
  /// The rows behind a key, in their order.
  let rowsInOrder: SQLStatement
  /// The row with a key.
  let row: SQLStatement
  let insert: SQLStatement
  let delete: SQLStatement
  /// The largest key in the index.
  let largestIndexed: SQLStatement
  let someChanged: SQLStatement
  /// Note the rows whose relationships lead to changed rows, in place of these.
  let moveNotes: [SQLStatement]

  init(
    of table: String, _ key: String, _ columns: [SearchTable.Column],
    _ references: [SearchTable.Reference]
  ) {
    func statement(_ fragment: SQLFragment) -> SQLStatement { fragment.sqlite }
    let (index, changed) = (SearchTable.index(of: table), SearchTable.changed(of: table))
    let rows = SearchTable.rows(of: table, key, columns)
    let name: SQLFragment = "WHERE NAME = \(.text(table))"
    let states: SQLFragment = "\(name: SearchTable.states)"
    let isNoted = ([changed] + references.map(\.changed)).map {
      "EXISTS (SELECT 1 FROM \(name: $0))" as SQLFragment
    }.joined(by: " OR ")
    state = statement(
      "SELECT IFNULL(NEXT, 0), NEXT IS NULL, \(isNoted) FROM \(states) \(name)")
    moveNotes = references.flatMap { reference in
      [
        statement(SearchTable.owners(of: reference, table, key, noting: changed)),
        statement("DELETE FROM \(name: reference.changed)"),
      ]
    }
    setMade = statement("UPDATE \(states) SET NEXT = NULL \(name)")
    storedDefinition = statement("SELECT DEFINITION FROM \(states) \(name)")
    rowsInOrder = statement(
      "\(rows) WHERE t.\(name: key) > \(.parameter) ORDER BY t.\(name: key) LIMIT \(.parameter)")
    row = statement("\(rows) WHERE t.\(name: key) = \(.parameter)")
    insert = statement(
      SQLFragment.insert(into: index, ["rowid"] + columns.indices.map(SearchTable.column)))
    delete = statement("DELETE FROM \(name: index) WHERE rowid = \(.parameter)")
    largestIndexed = statement("SELECT rowid FROM \(name: index) ORDER BY rowid DESC LIMIT 1")
    someChanged = statement(
      "SELECT KEY FROM \(name: changed) ORDER BY KEY LIMIT \(.parameter)")
  }
}

// Statements with values of their own.
extension SearchTable {
  /// Notes the rows whose references lead to rows that are noted, from the last table back.
  fileprivate static func owners(
    of reference: Reference, _ table: String, _ key: String, noting changed: String
  ) -> SQLFragment {
    var keys: SQLFragment = "SELECT KEY FROM \(name: reference.changed)"
    for (place, step) in reference.path.enumerated().reversed() {
      let before = place == 0 ? table : reference.path[place - 1].table
      keys = "SELECT \(name: key) FROM \(name: before) WHERE \(name: step.reference) IN (\(keys))"
    }
    return "INSERT OR IGNORE INTO \(name: changed) (KEY) \(keys)"
  }

  /// Notes the place that the making of the index has reached.
  func set(next: Int64) -> SQLStatement {
    ("""
    INSERT OR REPLACE INTO \(name: Self.states) (NAME, DEFINITION, NEXT) \
    VALUES (\(.text(table.name)), \(.text(definition)), \(.integer(next)))
    """ as SQLFragment).sqlite
  }

  /// The names and texts of the objects of the file whose names begin with a text.
  static func objects(beginningWith prefix: String) -> SQLStatement {
    ("""
    SELECT name, sql FROM sqlite_master WHERE substr(name, 1, \(.integer(Int64(prefix.count)))) = \(.text(prefix))
    """ as SQLFragment).sqlite
  }

  static func objects(named name: String) -> SQLStatement {
    ("SELECT name FROM sqlite_master WHERE type = 'table' AND name = \(.text(name)) AND sql LIKE '%fts5%'"
      as SQLFragment).sqlite
  }

  func forget(_ keys: ClosedRange<Int64>) -> SQLStatement {
    ("""
    DELETE FROM \(name: changed) WHERE KEY BETWEEN \(.integer(keys.lowerBound)) AND \(.integer(keys.upperBound))
    """ as SQLFragment).sqlite
  }
}

extension SQLFragment {
  /// The fragment in SQLite's words.
  var sqlite: SQLStatement { rendered(in: SQLiteDialect()) }
}
