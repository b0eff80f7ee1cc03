// SPDX-License-Identifier: MIT
import SporadesModel
import SporadesSQL
import SporadesStore

/// A statement that updates certain slots in one table's rows.
struct UpdateStatement {
  struct Key: Hashable {
    let table: Int
    /// One bit per slot.
    let slots: [UInt64]
  }
  let statement: Statement
  let transfers: [SlotTransfer]
  let parameters: Int

  init(_ key: Key, _ connection: Connection, _ plan: StorePlan) throws(StoreError) {
    let table = plan.layout.tables[key.table]
    let layout = plan.model.shape(numbered: table.rootEntity).layout
    let slots = layout.slots.indices.filter { key.slots[$0 >> 6] & (1 << UInt64($0 & 63)) != 0 }
    let update = plan.tableStatements(key.table).update(slots, layout)
    statement = try Statement(update.statement, on: connection)
    transfers = update.transfers
    parameters = update.parameters
  }
}
