// SPDX-License-Identifier: MIT
import SporadesModel
import SporadesSQL
import SporadesStore

/// The kinds of triggers in a file.
struct StoreTriggers {
  /// Triggers of Core Data for derived attributes that the layout does not know. They may compute the attributes of
  /// the model in another way than the graph.
  let hasForeignDerivations: Bool
  /// The app's own triggers, which may change any row.
  let hasOwn: Bool
  /// The R-trees of the file.
  let trees: [String]
  /// Triggers of this library.
  private let hasNoting: Bool

  init(_ connection: Connection, _ plan: StorePlan) throws(StoreError) {
    let names = Set(try connection.texts(.triggers))
    let derivations = names.filter { $0.hasPrefix(CoreDataLayout.derivationPrefix) }
    let known = plan.layout.derivations.flatMap(\.triggers)
    hasForeignDerivations = !derivations.subtracting(known).isEmpty
    // The triggers of R-trees write only tables that no context reads.
    trees = try RTreeUpkeep.trees(of: connection)
    let ofAreas = trees.flatMap { tree in
      CoreDataTrigger.Event.allCases.map { CoreDataArea.trigger(tree, $0) }
    }
    // So do the triggers of this library.
    let others = names.subtracting(derivations).subtracting(ofAreas)
    hasOwn = others.contains { !$0.hasPrefix(StoreLayout.ownPrefix) }
    hasNoting = others.contains { $0.hasPrefix(StoreLayout.ownPrefix) }
  }

  /// Drops the triggers of this library whose table of notes somebody has dropped, because they would refuse every write.
  func dropDamaged(_ connection: Connection) throws(StoreError) {
    guard hasNoting else { return }
    for name in try connection.texts(.triggersWithoutNotes) {
      try connection.run(SQLStatement("DROP TRIGGER IF EXISTS \(SQLiteDialect().quoted(name))"))
    }
  }
}

extension Writer {
  private struct Place: Hashable {
    let root: Int
    let row: Int64
  }

  /// Returns the rows that triggers changed. A row counts if the change set does not contain it, or if more
  /// than one statement touched it. Throws if a trigger gave another key to a row of the change set.
  func keys(
    changedBy touches: RowTouches, beyond changes: ChangeSet
  ) throws(StoreError) -> [RowKey] {
    let own = Set(
      changes.keys.map { key in
        Place(root: plan.model.shape(numbered: key.entity).rootNumber, row: key.primaryKey)
      })
    var keys: [RowKey] = []
    for table in plan.layout.tables {
      let before = keys.count
      for (row, count) in touches.counts[table.name] ?? [:]
      where 1...RowKey.largestPrimaryKey ~= row {
        if count == 1, own.contains(Place(root: table.rootEntity, row: row)) { continue }
        keys.append(try key(of: row, ofRoot: table.rootEntity))
      }
      // SQLite tells the new key of a row, and not the old one.
      if keys.count > before { try checkKeys(of: changes, in: table, touches) }
    }
    return keys.sorted()
  }

  /// Throws if a row of a table that the change set wrote is missing, and nobody deleted it.
  private func checkKeys(
    of changes: ChangeSet, in table: StoreLayout.Table, _ touches: RowTouches
  ) throws(StoreError) {
    let statement = try connection.statement(
      plan.tableStatements(ofEntity: table.rootEntity).isPresent)
    for page in changes.inserted + changes.updated.map(\.page)
    where page.layout.rootEntity == table.rootEntity {
      for index in 0..<page.count {
        let key = page.key(index)
        guard !touches.wasDeleted(key.primaryKey, in: table.name) else { continue }
        statement.bind(key.primaryKey, at: 1)
        defer { statement.reset() }
        guard try statement.step() else { throw plan.movedByTrigger(key) }
      }
    }
  }

  /// The key of a row. A deleted row gets the root entity of its table.
  private func key(of row: Int64, ofRoot root: Int) throws(StoreError) -> RowKey {
    guard !plan.numbers.isSingle(root) else { return RowKey(entity: root, primaryKey: row) }
    let statement = try connection.statement(plan.tableStatements(ofEntity: root).entity)
    statement.bind(row, at: 1)
    defer { statement.reset() }
    let number = try statement.step() ? statement.integer(0) : 0
    return RowKey(entity: plan.numbers.modelNumber(number, else: root), primaryKey: row)
  }
}
