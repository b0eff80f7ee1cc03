// SPDX-License-Identifier: MIT
package import SporadesModel

/// One version of a model, and its places in the database.
package final class MigrationSide: Sendable {
  /// The layout of a new file of this version. On a server, it only tells that all entities are held.
  package let scheme: CoreDataLayout
  /// The places in the database at hand.
  package let layout: StoreLayout
  package let words: any MigrationWords

  package init(
    _ scheme: CoreDataLayout, _ layout: StoreLayout,
    _ words: any MigrationWords = SQLiteMigrationWords()
  ) {
    self.scheme = scheme
    self.layout = layout
    self.words = words
  }

  package var model: ManagedObjectModel { scheme.model }

  package func table(_ place: Int) -> StoreLayout.Table { layout.tables[place] }
  package func place(ofEntity number: Int) -> Int { layout.tablesByEntity[number - 1] }
  package func number(_ entity: Int) -> Int64 { Int64(layout.storeNumber(entity)) }
  /// What tells the entity of a row in statements.
  package func mark(_ entity: Int) -> String { layout.entityMark(entity) }
  /// What stands before the names of tables in statements that change them.
  var main: String { words.schema }

  /// The declared types of the columns of a table's slots by their names.
  func declarations(_ place: Int) -> [String: String] {
    let table = table(place)
    var all: [String: String] = [:]
    let slots = model.shape(numbered: table.rootEntity).layout.slots
    for (slot, column) in zip(slots, table.columns) {
      all[column.name] = words.declaration(of: slot, column.type)
      if let name = column.entityColumn { all[name] = words.entityType }
    }
    return all
  }

  /// The entities of the store whose rows lie in a table.
  package func entities(inTable place: Int) -> [Int] {
    let family = model.shape(numbered: layout.tables[place].rootEntity).family
    return family.filter(scheme.holds)
  }

  /// The places of the store's own tables.
  package var tables: [Int] {
    layout.tables.indices.filter { scheme.holds(layout.tables[$0].rootEntity) }
  }
}
