// SPDX-License-Identifier: MIT
import SporadesModel
import SporadesStore

/// The accepted rows of a store, as a check of references reads them.
struct AcceptedRows: ReferencedRows {
  let store: any PersistentStore

  func absent(_ keys: [RowKey]) throws(StoreError) -> [RowKey] { try store.absent(keys) }

  func rows(
    of entity: EntityShape, referencing owners: [RowKey], in slot: Int
  ) throws(StoreError) -> [RowPage] {
    try store.rows(of: entity, referencing: owners, in: slot, position: nil, in: .accepted)
  }
}
