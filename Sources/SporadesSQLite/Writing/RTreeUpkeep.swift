// SPDX-License-Identifier: MIT
import SporadesModel
import SporadesSQL
import SporadesStore

/// Keeps the R-trees of a file whose own triggers are missing: `Z_RT_Asset_boundedByRect`.
///
/// Older systems write three triggers beside each R-tree. Newer ones write none and keep the tree
/// themselves. Here the writing connection gets temporary triggers that do what the older ones do, so
/// that the tree changes with its rows in one transaction and the file's schema stays as it is.
struct RTreeUpkeep {
  private let connection: Connection
  private let plan: StorePlan

  init(_ connection: Connection, _ plan: StorePlan) {
    self.connection = connection
    self.plan = plan
  }

  func begin() throws(StoreError) {
    let found = try connection.rows(
      "SELECT name FROM sqlite_master WHERE type = 'table' AND name LIKE 'Z#_RT#_%' ESCAPE '#' AND "
        + "sql LIKE 'CREATE VIRTUAL TABLE%'")
    guard !found.isEmpty else { return }
    // SQLite lets no trigger of a schema that is not trusted write an R-tree.
    try connection.trustSchema(true)
    for tree in found.compactMap(\.first?.text) { try keep(tree) }
  }

  private func keep(_ tree: String) throws(StoreError) {
    let own = Set(
      try connection.rows(
        "SELECT upper(name) FROM sqlite_master WHERE type = 'trigger' AND upper(name) IN (?, ?, ?)",
        Event.allCases.map { .text(Self.trigger(tree, $0).uppercased()) }
      ).compactMap(\.first?.text))
    let missing = Event.allCases.filter { !own.contains(Self.trigger(tree, $0).uppercased()) }
    guard !missing.isEmpty else { return }
    let table = try table(of: tree)
    let columns = try bounds(of: tree, table)
    for event in missing {
      try connection.run(
        "CREATE TEMP TRIGGER \(sqlName(Self.trigger(tree, event))) AFTER \(event.rawValue) ON "
          + "main.\(sqlName(table)) FOR EACH ROW BEGIN \(body(of: event, tree, columns)) END")
    }
  }

  private enum Event: String, CaseIterable {
    case insert = "INSERT"
    case update = "UPDATE"
    case delete = "DELETE"
  }

  private static func trigger(_ tree: String, _ event: Event) -> String {
    "\(tree)_\(event.rawValue)"
  }

  /// Both bounds of a value are the value.
  private func body(of event: Event, _ tree: String, _ columns: [String]) -> String {
    let tree = sqlName(tree)
    let delete = "DELETE FROM \(tree) WHERE Z_PK = OLD.Z_PK;"
    let names = columns.flatMap { [sqlName($0 + "_MIN"), sqlName($0 + "_MAX")] }
    let values = columns.flatMap { ["NEW.\(sqlName($0))", "NEW.\(sqlName($0))"] }
    let insert =
      "INSERT OR REPLACE INTO \(tree) (\((["Z_PK"] + names).joined(separator: ", "))) "
      + "VALUES (\((["NEW.Z_PK"] + values).joined(separator: ", ")));"
    return switch event {
    case .insert: insert
    case .update: "\(delete) \(insert)"
    case .delete: delete
    }
  }

  // MARK: - What it is a tree of

  /// The table of the entity the tree is named after: `Z_RT_`, the entity, `_`, the index.
  private func table(of tree: String) throws(StoreError) -> String {
    let named = plan.model.shapes.filter { tree.hasPrefix("Z_RT_\($0.name)_") }
    guard let shape = named.max(by: { $0.name.utf8.count < $1.name.utf8.count }) else {
      throw refusal(tree, "is named after no entity of the model")
    }
    return plan.layout.table(ofEntity: shape.number).name
  }

  /// The columns whose bounds the tree holds, as `ZLATITUDE_MIN` and `ZLATITUDE_MAX`.
  private func bounds(of tree: String, _ table: String) throws(StoreError) -> [String] {
    let names = try columns(of: tree)
    let present = Set(try columns(of: table))
    let bounds = stride(from: 1, to: names.count - 1, by: 2).compactMap { place -> String? in
      let name = String(names[place].dropLast(4))
      let isPair = names[place] == name + "_MIN" && names[place + 1] == name + "_MAX"
      return isPair && present.contains(name) ? name : nil
    }
    guard names.first == "Z_PK", !bounds.isEmpty, bounds.count * 2 + 1 == names.count else {
      throw refusal(tree, "has columns that are not the bounds of columns of \(table)")
    }
    return bounds
  }

  private func columns(of table: String) throws(StoreError) -> [String] {
    try connection.rows("PRAGMA table_info(\(sqlName(table)))").compactMap { $0[1].text }
  }

  private func refusal(_ tree: String, _ reason: String) -> StoreError {
    StoreError(
      .unsupported,
      "The store's R-tree \(tree) \(reason), so that writes could not keep it right. Open the store "
        + "for reading only.")
  }
}
