// SPDX-License-Identifier: MIT

/// The saves of others that a context has heard of, and the children that hear of its own.
struct HearingState {
  /// The child contexts that hear of this context's saves.
  var children: [ChildListener] = []
  var listensToParent = false
  /// The saves that the context has heard of.
  var known = KnownSaves()
  /// The number of merges after which to-many relationships in memory may still have members that
  /// others deleted or moved.
  var memberMerges = 0
}
