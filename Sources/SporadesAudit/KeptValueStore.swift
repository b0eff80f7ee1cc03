// SPDX-License-Identifier: MIT
import SporadesModel
import SporadesSQL
import SporadesSQLite
import SporadesStore

/// The capability of a store whose history keeps former values.
protocol KeptValueStore: PersistentStore {
  /// The values of an object's attribute before and after each transaction that kept them, by the numbers of these.
  func keptValues(
    of key: RowKey, named name: String
  ) throws(StoreError) -> [Int64: (old: SQLValue, new: SQLValue)]
}

// The conformance stands here, so that a program without this module does not link what it needs.
extension SQLiteStore: KeptValueStore {}
