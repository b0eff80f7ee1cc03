// SPDX-License-Identifier: MIT

/// The events of a context, for undo and for `changedValuesForCurrentEvent`. A context that uses
/// neither has none.
///
/// Setters record nothing. At the end of an event, every changed object is compared with its
/// snapshot from the end of the previous event, or with the last save.
final class ContextEvents {
  var undoManager: ContextUndoManager?
  /// The state of changed objects at the end of the previous event.
  var snapshots: [ObjectIdentifier: ObjectSnapshot] = [:]
}
