// SPDX-License-Identifier: MIT
package import SporadesStore

/// Decides what the contexts of a stack merge of the commits of other processes.
package protocol MergeFilter: AnyObject, Sendable {
  /// What the contexts merge of the changes. It runs on a thread of its own, and may wait for the store.
  func merged(_ changes: OthersChanges, from source: HistorySource) -> OthersChanges
}
