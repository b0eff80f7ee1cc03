// SPDX-License-Identifier: MIT
import SporadesModel

/// An R-tree over columns of one table, `Z_Asset_byPlace`, and the triggers that maintain it.
///
/// The lower and the upper bound of a value are both the value itself.
package struct CoreDataArea {
  private let tree: String
  private let table: String
  private let columns: [String]
  private let dialect: any SQLDialect

  /// Nil unless the columns of the tree are the key and the bounds of the table's columns, such as
  /// `ZLATITUDE_MIN` and `ZLATITUDE_MAX`.
  package init?(
    _ tree: String, _ names: [String], over table: String, _ present: [String],
    _ dialect: any SQLDialect
  ) {
    let present = Set(present)
    let columns = stride(from: 1, to: names.count - 1, by: 2).compactMap { place -> String? in
      let name = String(names[place].dropLast(Self.minimum.count))
      let isPair = names[place] == name + Self.minimum && names[place + 1] == name + Self.maximum
      return isPair && present.contains(name) ? name : nil
    }
    guard names.first == Self.key, !columns.isEmpty, columns.count * 2 + 1 == names.count else {
      return nil
    }
    self.init(tree, over: columns, of: table, dialect)
  }

  init(_ tree: String, over columns: [String], of table: String, _ dialect: any SQLDialect) {
    self.tree = tree
    self.columns = columns
    self.table = table
    self.dialect = dialect
  }

  private static let key = CoreDataLayout.names.row.key
  private static let (minimum, maximum) = ("_MIN", "_MAX")

  package static func trigger(_ tree: String, _ event: CoreDataTrigger.Event) -> String {
    "\(tree)_\(event.rawValue)"
  }

  var bounds: [StoreLayout.Area.Bounds] {
    columns.map { .init(lower: $0 + Self.minimum, upper: $0 + Self.maximum) }
  }

  /// The key and the bounds.
  var names: [String] { [Self.key] + bounds.flatMap { [$0.lower, $0.upper] } }

  /// `CREATE VIRTUAL TABLE Z_Asset_byPlace USING RTREE (Z_PK INTEGER PRIMARY KEY, …)`
  var creation: SQLFragment {
    """
    CREATE VIRTUAL TABLE \(name: tree) USING RTREE (\(name: Self.key) INTEGER PRIMARY KEY, \
    \(names: Array(names.dropFirst())))
    """
  }

  /// `INSERT INTO Z_Asset_byPlace (Z_PK, …) SELECT Z_PK, ZLATITUDE, ZLATITUDE, … FROM ZASSET`
  var filling: SQLFragment {
    let values = [Self.key] + columns.flatMap { [$0, $0] }
    return """
      INSERT INTO \(name: tree) (\(names: names)) SELECT \(names: values) FROM \(name: table)
      """
  }

  var triggers: [CoreDataTrigger] {
    CoreDataTrigger.Event.allCases.map {
      CoreDataTrigger(
        name: Self.trigger(tree, $0), event: $0, table: table, body: body(after: $0))
    }
  }

  /// `CREATE TEMP TRIGGER Z_Asset_byPlace_INSERT AFTER INSERT ON main.ZASSET …`
  package func temporaryTrigger(after event: CoreDataTrigger.Event) -> SQLStatement {
    CoreDataTrigger(
      name: Self.trigger(tree, event), event: event, table: table, body: body(after: event)
    ).temporaryCreation.rendered(in: dialect)
  }

  private func body(after event: CoreDataTrigger.Event) -> SQLFragment {
    switch event {
    case .insert: "INSERT OR REPLACE INTO \(values) ;"
    case .update: "\(delete("NEW")) INSERT INTO \(values) ;"
    case .delete: delete("OLD")
    }
  }

  private func delete(_ row: String) -> SQLFragment {
    "DELETE FROM \(name: tree) WHERE \(name: Self.key) = \(sql: row).\(name: Self.key) ;"
  }

  /// `Z_Asset_byPlace (Z_PK, …) VALUES (NEW.Z_PK, NEW.ZLATITUDE ,NEW.ZLATITUDE, …)`, with the spaces of
  /// Core Data.
  private var values: SQLFragment {
    let pairs = columns.enumerated().map { place, column in
      let separator = place == 0 ? " ," : ", "
      return "NEW.\(name: column)\(sql: separator)NEW.\(name: column)" as SQLFragment
    }
    return """
      \(name: tree) (\(names: names)) VALUES (NEW.\(name: Self.key), \(pairs.joined(by: ", ")))
      """
  }
}
