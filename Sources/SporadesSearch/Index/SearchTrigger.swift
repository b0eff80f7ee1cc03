// SPDX-License-Identifier: MIT
import SporadesSQL

/// A trigger that notes the keys of rows whose texts change.
struct SearchTrigger: Sendable {
  let name: String
  let creation: SQLFragment

  private init(
    _ name: String, _ event: String, on table: String, _ body: [SQLFragment]
  ) {
    self.name = name
    let statements = body.map { "\($0); " as SQLFragment }.joined(by: "")
    creation =
      "CREATE TRIGGER \(name: name) AFTER \(sql: event) ON \(name: table) FOR EACH ROW BEGIN \(statements)END"
  }

  /// The triggers that note the keys of changed rows of a table. They name the table of the notes alone, so that another
  /// program may drop and rename all others.
  static func noting(
    _ table: String, _ key: String, in changed: String, reading columns: Set<String>
  ) -> [SearchTrigger] {
    func note(_ side: String) -> SQLFragment {
      // A conflict clause of the outer statement would replace one here.
      """
      INSERT INTO \(name: changed) (KEY) SELECT \(sql: side).\(name: key) WHERE NOT EXISTS \
      (SELECT 1 FROM \(name: changed) WHERE KEY = \(sql: side).\(name: key))
      """
    }
    return [
      SearchTrigger("\(changed)_INSERT", "INSERT", on: table, [note("NEW")]),
      SearchTrigger(
        "\(changed)_UPDATE", update(of: columns.union([key])), on: table,
        [note("OLD"), note("NEW")]),
      SearchTrigger("\(changed)_DELETE", "DELETE", on: table, [note("OLD")]),
    ]
  }

  private static func update(of columns: Set<String>) -> String {
    // The names of Core Data's layout need no quotes in other triggers either; a quote in one is doubled.
    let names = columns.sorted().map {
      "\"\($0.split(separator: "\"", omittingEmptySubsequences: false).joined(separator: "\"\""))\""
    }
    return "UPDATE OF \(names.joined(separator: ", "))"
  }
}
