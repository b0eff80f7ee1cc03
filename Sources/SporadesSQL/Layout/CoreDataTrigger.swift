// SPDX-License-Identifier: MIT

/// A trigger of Core Data: `CREATE TRIGGER Z_Asset_byPlace_DELETE AFTER DELETE ON ZASSET FOR EACH ROW …`
package struct CoreDataTrigger {
  package enum Event: String, CaseIterable, Sendable {
    case insert = "INSERT"
    case update = "UPDATE"
    case delete = "DELETE"
  }

  package let name: String
  let event: Event
  /// The column whose changes call the trigger; nil if the changes of all columns do.
  var column: String?
  let table: String
  /// A further condition, such as `NEW.ZOWNER NOT NULL`.
  var condition: SQLFragment?
  /// The statements, each with its semicolon.
  let body: SQLFragment

  /// The trigger of a new file.
  var creation: SQLFragment { "CREATE TRIGGER \(name: name) \(rest(on: "\(name: table)"))" }

  /// The same trigger on one connection alone. The file's schema stays as it is.
  var temporaryCreation: SQLFragment {
    "CREATE TEMP TRIGGER \(name: name) \(rest(on: "main.\(name: table)"))"
  }

  private func rest(on table: SQLFragment) -> SQLFragment {
    let columns = column.map { " OF \(name: $0)" as SQLFragment } ?? ""
    let when = condition.map { " WHEN (\($0))" as SQLFragment } ?? ""
    return """
      AFTER \(sql: event.rawValue)\(columns) ON \(table) FOR EACH ROW\(when) BEGIN \(body) END
      """
  }

  /// Whether a file has this very trigger. SQLite quotes the names of renamed tables.
  func isAmong(_ triggers: [String: String], _ dialect: any SQLDialect) -> Bool {
    func plain(_ text: String) -> String { text.filter { $0 != "\"" } }
    return triggers[name].map(plain) == plain(creation.text(in: dialect))
  }
}
