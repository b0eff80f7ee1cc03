// SPDX-License-Identifier: MIT
package import SporadesModel

/// One version of a model, and its places in the database.
package final class MigrationSide: Sendable {
  /// The layout of a new database of this version.
  package let scheme: CoreDataLayout
  /// The places in the database at hand.
  package let layout: StoreLayout

  package init(_ scheme: CoreDataLayout, _ layout: StoreLayout) {
    self.scheme = scheme
    self.layout = layout
  }

  package var model: ManagedObjectModel { scheme.model }

  package func table(_ place: Int) -> StoreLayout.Table { layout.tables[place] }
  package func place(ofEntity number: Int) -> Int { layout.tablesByEntity[number - 1] }
  package func number(_ entity: Int) -> Int64 { Int64(layout.storeNumber(entity)) }

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
