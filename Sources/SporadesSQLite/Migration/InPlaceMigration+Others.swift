// SPDX-License-Identifier: MIT
import SporadesModel
import SporadesSQL
import SporadesStore

extension InPlaceMigration {
  /// The triggers and R-trees that go, and those that come.
  struct UpkeepChanges {
    var droppedTriggers: [String] = []
    var droppedTrees: [String] = []
    var created = CoreDataLayout.Upkeep()
  }

  var upkeepChanges: UpkeepChanges {
    let (old, new) = (succession.old, succession.new)
    let before = old.scheme.upkeep(in: old.layout, SQLiteDialect())
    let after = new.scheme.upkeep(in: new.layout, SQLiteDialect())
    var changes = UpkeepChanges()
    let present = Set(objects.triggers.map(\.name))
    let changed = Set(
      tables.filter { change in
        if reworkedRoots.contains(new.table(change.place).rootEntity) { return true }
        if case .altered(let alteration) = change.form { return alteration.writesRows }
        return true
      }.flatMap { change in
        change.pieces.map { succession.old.table($0.old).name } + [change.name]
      })
    for (name, tree) in before.trees where objects.tables.contains(name) {
      let isKept = after.trees[name] == tree && !changed.contains(tree.table)
      if !isKept { changes.droppedTrees.append(name) }
    }
    changes.created.trees = after.trees.filter { name, _ in
      !objects.tables.contains(name) || changes.droppedTrees.contains(name)
    }
    changes.droppedTriggers = Set(before.triggers.keys).union(after.triggers.keys)
      .filter(present.contains).sorted()
    changes.created.triggers = after.triggers
    return changes
  }

  /// Drops views and triggers, and the R-trees that change.
  func removeOthers(_ upkeep: UpkeepChanges) throws(StoreError) -> OtherObjects {
    let others = try otherObjects(upkeep)
    for trigger in objects.triggers { try connection.run(statements.drop(.trigger, trigger.name)) }
    for view in objects.views { try connection.run(statements.drop(.view, view.name)) }
    for tree in upkeep.droppedTrees { try connection.run(statements.drop(.table, tree)) }
    return others
  }

  /// The views and triggers of other programs.
  func otherObjects(_ upkeep: UpkeepChanges) throws(StoreError) -> OtherObjects {
    let own = Set(upkeep.droppedTriggers)
    return try OtherObjects(
      objects.views,
      objects.triggers.filter {
        // The product that made a trigger of this library makes it again.
        !own.contains($0.name) && !$0.name.hasPrefix(StoreLayout.ownPrefix)
          && !isOfGoneAttribute($0.name)
      },
      on: connection)
  }

  /// Whether a trigger computes an attribute that the newer version computes otherwise or not at all, by its name.
  private func isOfGoneAttribute(_ trigger: String) -> Bool {
    guard trigger.hasPrefix(CoreDataLayout.derivationPrefix) else { return false }
    return !succession.new.model.shapes.contains { shape in
      shape.attributes.contains { attribute in
        attribute.description.isDerived
          && trigger.contains("_\(shape.name)_\(attribute.name)_")
      }
    }
  }

  /// Creates and fills the triggers and R-trees of the newer version.
  func restore(_ upkeep: UpkeepChanges) throws(StoreError) {
    for (_, tree) in upkeep.created.trees.inOrder {
      try connection.run(tree.creation)
      try connection.run(tree.filling)
    }
    for (_, trigger) in upkeep.created.triggers.inOrder {
      try connection.run(trigger)
    }
  }

  /// The indexes of other programs over tables that are written again, in their texts for the new tables.
  func foreignIndexes(_ parked: Parked) throws(StoreError) -> [SQLStatement] {
    let own = Set(
      CreateStatements(succession.old.scheme, SQLiteDialect(), in: succession.old.layout)
        .namedIndexes.map(\.name))
    var statements: [SQLStatement] = []
    for change in tables where change.form == .rewritten {
      for piece in change.pieces {
        guard let passing = parked.tables[succession.old.table(piece.old).name] else { continue }
        try rename(renamings(change), of: passing)
        let name = SQLiteDialect().quoted(change.name)
        for index in try FileObjects(connection).indexes
        where index.table == passing && !own.contains(index.name) {
          // The renaming of the table left its name in quotes.
          statements.append(SQLStatement(index.text.replacing("\"\(passing)\"", with: name)))
        }
      }
    }
    return statements
  }

  /// Creates indexes of other programs again. An index over a column that is gone goes, too.
  func restore(_ indexes: [SQLStatement]) throws(StoreError) {
    for index in indexes {
      do throws(StoreError) { try connection.run(index) } catch  where error.code == .unsupported {
        continue
      }
    }
  }
}
