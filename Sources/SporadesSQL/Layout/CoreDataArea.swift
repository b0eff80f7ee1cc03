// SPDX-License-Identifier: MIT

/// An R-tree over columns of one table, `Z_RT_Asset_boundedByRect`, and the triggers that maintain it.
///
/// The lower and the upper bound of a value are both the value itself.
package struct CoreDataArea {
  package enum Event: String, CaseIterable, Sendable {
    case insert = "INSERT"
    case update = "UPDATE"
    case delete = "DELETE"
  }

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
    columns = stride(from: 1, to: names.count - 1, by: 2).compactMap { place -> String? in
      let name = String(names[place].dropLast(Self.minimum.count))
      let isPair =
        names[place] == name + Self.minimum && names[place + 1] == name + Self.maximum
      return isPair && present.contains(name) ? name : nil
    }
    guard names.first == Self.key, !columns.isEmpty, columns.count * 2 + 1 == names.count else {
      return nil
    }
    self.tree = tree
    self.table = table
    self.dialect = dialect
  }

  private static let key = CoreDataLayout.names.row.key
  private static let (minimum, maximum) = ("_MIN", "_MAX")

  package static func trigger(_ tree: String, _ event: Event) -> String {
    "\(tree)_\(event.rawValue)"
  }

  /// `CREATE TEMP TRIGGER Z_RT_Asset_boundedByRect_INSERT AFTER INSERT ON main.ZASSET …`
  package func temporaryTrigger(after event: Event) -> SQLStatement {
    let trigger: SQLFragment = """
      CREATE TEMP TRIGGER \(name: Self.trigger(tree, event)) AFTER \(sql: event.rawValue) \
      ON main.\(name: table) FOR EACH ROW BEGIN \(body(after: event)) END
      """
    return trigger.rendered(in: dialect)
  }

  private func body(after event: Event) -> SQLFragment {
    let delete: SQLFragment =
      "DELETE FROM \(name: tree) WHERE \(name: Self.key) = OLD.\(name: Self.key);"
    let names = [Self.key] + columns.flatMap { [$0 + Self.minimum, $0 + Self.maximum] }
    let values = ([Self.key] + columns.flatMap { [$0, $0] }).map {
      "NEW.\(name: $0)" as SQLFragment
    }
    let insert: SQLFragment = """
      INSERT OR REPLACE INTO \(name: tree) (\(names: names)) VALUES (\(values.joined(by: ", ")));
      """
    return switch event {
    case .insert: insert
    case .update: "\(delete) \(insert)"
    case .delete: delete
    }
  }
}
