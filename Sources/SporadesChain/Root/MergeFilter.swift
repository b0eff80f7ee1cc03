// SPDX-License-Identifier: MIT
package import SporadesStore

/// Decides what the contexts of a stack merge of the commits of other processes.
package protocol MergeFilter: AnyObject, Sendable {
  /// Returns the part of the changes that the contexts merge. The root calls the filter on a thread of its own, so the
  /// filter may wait for the store.
  func merged(_ changes: OthersChanges, from source: HistorySource) -> OthersChanges
}
