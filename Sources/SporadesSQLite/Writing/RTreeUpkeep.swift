// SPDX-License-Identifier: MIT
import SporadesModel
import SporadesSQL
import SporadesStore

/// Keeps the R-trees of a file whose own triggers are missing.
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
      .virtualTables(beginningWith: CoreDataLayout.areaPrefix))
    guard !found.isEmpty else { return }
    // SQLite lets no trigger of a schema that is not trusted write an R-tree.
    try connection.trustSchema(true)
    let triggers = Set(
      try connection.rows(.triggers).compactMap { $0.first?.text?.uppercased() })
    for tree in found.compactMap(\.first?.text) { try keep(tree, triggers) }
  }

  private func keep(_ tree: String, _ triggers: Set<String>) throws(StoreError) {
    let missing = CoreDataArea.Event.allCases.filter {
      !triggers.contains(CoreDataArea.trigger(tree, $0).uppercased())
    }
    guard !missing.isEmpty else { return }
    let table = try table(of: tree)
    let area = CoreDataArea(
      tree, try connection.columns(of: tree), over: table, try connection.columns(of: table),
      SQLiteDialect())
    guard let area else {
      throw refusal(tree, "has columns that are not the bounds of columns of \(table)")
    }
    for event in missing { try connection.run(area.temporaryTrigger(after: event)) }
  }

  /// The table of the entity the tree is named after.
  private func table(of tree: String) throws(StoreError) -> String {
    let named = plan.model.shapes.filter {
      tree.hasPrefix(CoreDataLayout.areaPrefix(ofEntity: $0.name))
    }
    guard let shape = named.max(by: { $0.name.utf8.count < $1.name.utf8.count }) else {
      throw refusal(tree, "is named after no entity of the model")
    }
    return plan.layout.table(ofEntity: shape.number).name
  }

  private func refusal(_ tree: String, _ reason: String) -> StoreError {
    StoreError(
      .unsupported,
      "The store's R-tree \(tree) \(reason), so that writes could not keep it right. Open the store "
        + "for reading only.")
  }
}
