// SPDX-License-Identifier: MIT
package import SporadesModel
package import SporadesSQL
package import SporadesStore

/// The indexes of all tables of a store, or the mistake in the model by which it has none.
package struct SearchTables: Sendable {
  private let tables: [Int: SearchTable]
  private let mistake: SearchError?

  package init(_ layout: StoreLayout, _ model: ManagedObjectModel) {
    var tables: [Int: SearchTable] = [:]
    do throws(SearchError) {
      for table in layout.tables {
        tables[table.rootEntity] = try SearchTable(table, layout, model)
      }
      mistake = nil
    } catch { mistake = error }
    self.tables = tables
  }

  /// The index of an entity's table.
  package func table(of entity: EntityShape) throws(StoreError) -> SearchTable {
    if let mistake { throw StoreError(refusing: mistake) }
    guard let table = tables[entity.rootNumber] else {
      throw StoreError(refusing: .notSearchable(entity))
    }
    return table
  }

  /// The indexes in the order of the root entities' numbers.
  package func all() throws(StoreError) -> [SearchTable] {
    if let mistake { throw StoreError(refusing: mistake) }
    return tables.keys.sorted().compactMap { tables[$0] }
  }

  /// The index of the table whose root entity has a number.
  subscript(root: Int) -> SearchTable? { tables[root] }
  /// The numbers of the root entities of all tables with an index.
  var roots: Set<Int> { Set(tables.keys) }
}
