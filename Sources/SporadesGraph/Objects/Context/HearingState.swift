// SPDX-License-Identifier: MIT
import SporadesModel

/// The saves of others that a context has heard of, and the children that hear of its own.
struct HearingState {
  /// The child contexts that hear of this context's saves.
  var children: [ChildListener] = []
  var listensToParent = false
  /// The rows that the parent handed over for a merge, each in a page of its own; nil where merges read them.
  var handed: [RowKey: RowPage]?
  /// The saves that the context has heard of.
  var known = KnownSaves()
  /// The number of merges after which to-many relationships in memory may still have members that
  /// others deleted or moved.
  var memberMerges = 0
}
