// SPDX-License-Identifier: MIT
import SporadesModel
import SporadesPlans
import SporadesPostgreSQL
import SporadesStore

extension MappedTables {
  /// The properties of the tables' columns, by the names of the tables.
  func planSources(_ model: ManagedObjectModel) -> [String: PlanNames.Source] {
    var sources: [String: PlanNames.Source] = [:]
    for table in tables {
      guard let root = model.shape(named: table.entity) else { continue }
      var properties = [table.key.column: PlanNames.key]
      if let discriminator = table.discriminator {
        properties[discriminator.column] = "the entity"
      }
      for (slot, column) in zip(root.layout.slots, table.columns) {
        if let name = column.name { properties[name] = slot.name }
      }
      sources[table.name.table] = PlanNames.Source(rows: table.entity, properties: properties)
    }
    return sources
  }

  /// The refusal of a row without a value that its column needs, with the property in place of the column; nil for another
  /// error.
  func refusal(_ error: StoreError, _ model: ManagedObjectModel) -> StoreError? {
    guard let failure = error.serverFailure, failure.state == "23502",
      let table = tables.first(where: { $0.name.table == failure.table }),
      let slot = table.columns.firstIndex(where: { $0.name == failure.column }),
      let root = model.shape(named: table.entity)
    else { return nil }
    return StoreError(
      .unsupported,
      "\(table.entity).\(root.layout.slots[slot].name) has no value, and \(table.name).\(failure.column ?? "") is NOT NULL. Give "
        + "it one.", underlying: failure)
  }
}

extension RowKey {
  /// The key of the same row, with the root of its tree in the place of its entity.
  func inTree(_ root: Int) -> RowKey { RowKey(entity: root, primaryKey: primaryKey) }
}
