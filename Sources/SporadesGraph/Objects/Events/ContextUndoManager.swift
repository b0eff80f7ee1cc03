// SPDX-License-Identifier: MIT

/// Undoes and redoes the changes of one context.
///
/// The changes of one `perform` block form a group, unless groups are begun and ended by hand. A
/// save keeps the groups: an undo after a save changes the objects back, for the next save.
/// `rollback` and `reset` remove all groups. Merged saves of others belong to no group.
public final class ContextUndoManager {
  /// The most groups that are kept; 0 for no limit.
  public var levelsOfUndo = 0 {
    didSet { groups.trim(to: levelsOfUndo) }
  }
  /// Whether each block of the context forms a group. If not, only changes between
  /// ``beginUndoGrouping()`` and ``endUndoGrouping()`` are recorded.
  public var groupsByBlock = true
  /// Whether an undo is running.
  public internal(set) var isUndoing = false
  /// Whether a redo is running.
  public internal(set) var isRedoing = false
  weak var context: ManagedObjectContext?
  var groups = UndoGroups()
  /// The name of the group that an undo or redo is reverting.
  var runningName = ""
  /// Hears of each event before it is recorded as a group of its own; the event is not recorded if it returns false. Nil if blocks
  /// and calls form the groups.
  package var willRecord: (() -> Bool)?
  /// The calls that stopped the recording, less those that resumed it.
  var stops = 0

  /// Makes an undo manager without groups.
  public init() {}
}
