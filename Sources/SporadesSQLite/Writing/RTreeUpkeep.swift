// SPDX-License-Identifier: MIT
import SporadesModel
import SporadesSQL
import SporadesStore

/// Maintains R-trees in files that have no triggers for them.
///
/// Older systems write three triggers beside each R-tree. Newer systems write none and maintain the tree in
/// code. The writing connection therefore creates temporary triggers that do the same as the older ones. The
/// tree then changes in the same transaction as its rows, and the file's schema stays unchanged.
struct RTreeUpkeep {
  private let connection: Connection
  private let plan: StorePlan

  init(_ connection: Connection, _ plan: StorePlan) {
    self.connection = connection
    self.plan = plan
  }

  /// `found` are the R-trees of the file.
  func begin(_ found: [String]) throws(StoreError) {
    guard !found.isEmpty else { return }
    // SQLite lets no trigger write an R-tree unless the schema is trusted.
    try connection.trustSchema(true)
    let triggers = Set(try connection.texts(.triggers).map { $0.uppercased() })
    // An index that the model does not have any more is of no use, unless the file itself maintains it.
    for tree in found where isInModel(tree) { try keep(tree, triggers) }
  }

  /// The R-trees with names of Core Data. The model may have lost the index of one, because indexes are not
  /// among what makes a model another version.
  static func trees(of connection: Connection) throws(StoreError) -> [String] {
    try connection.texts(.areas(beginningWith: CoreDataLayout.indexPrefix))
  }

  /// Whether an R-tree is one of the model's indexes, or is over the parts of a place.
  private func isInModel(_ tree: String) -> Bool {
    tree.hasPrefix(CoreDataLayout.areaPrefix) || indexes.contains(tree)
  }

  private var indexes: Set<String> {
    Set(
      plan.model.shapes.flatMap { shape in
        shape.description.indexes.filter { $0.elements.contains { $0.collation == .rTree } }.map {
          CoreDataLayout.indexName($0.name, of: shape.name)
        }
      })
  }

  private func keep(_ tree: String, _ triggers: Set<String>) throws(StoreError) {
    let missing = CoreDataTrigger.Event.allCases.filter {
      !triggers.contains(CoreDataArea.trigger(tree, $0).uppercased())
    }
    guard !missing.isEmpty else { return }
    let table = try table(of: tree)
    let area = CoreDataArea(
      tree, try connection.columns(of: tree), over: table, try connection.columns(of: table),
      SQLiteDialect())
    guard let area else {
      throw refusal(tree, "has columns other than bounds of columns of \(table)")
    }
    for event in missing { try connection.run(area.temporaryTrigger(after: event)) }
  }

  /// Finds the table of the entity in the tree's name.
  private func table(of tree: String) throws(StoreError) -> String {
    let prefixes = [CoreDataLayout.areaPrefix, CoreDataLayout.indexPrefix]
    let named = plan.model.shapes.filter { shape in
      prefixes.contains { tree.hasPrefix("\($0)\(shape.name)_") }
    }
    guard let shape = named.max(by: { $0.name.utf8.count < $1.name.utf8.count }) else {
      throw refusal(tree, "has no entity of the model in its name")
    }
    return plan.layout.table(ofEntity: shape.number).name
  }

  private func refusal(_ tree: String, _ reason: String) -> StoreError {
    StoreError(
      .unsupported,
      "The store's R-tree \(tree) \(reason), so that writes would make it wrong. Open the store "
        + "for reading only.")
  }
}
