// SPDX-License-Identifier: MIT
package import SporadesModel
package import SporadesStore

/// The meaning of a condition that a store answers with tables of another module.
package protocol StoreBoundMeaning: ConditionMeaning {
  /// The meaning for a request in a view of the store, whose tables are brought up to date first.
  func bound(to store: SQLiteStore, in view: StoreView) throws(StoreError) -> Self
}
