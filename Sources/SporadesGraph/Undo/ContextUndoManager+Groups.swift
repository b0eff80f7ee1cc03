// SPDX-License-Identifier: MIT
import SporadesModel

extension ContextUndoManager {
  // MARK: - Groups

  /// The number of open groups that were begun by hand.
  public var groupingLevel: Int { groups.openCount }

  /// Begins a group inside the open one.
  public func beginUndoGrouping() {
    context?.endEvent()
    groups.begin(levels: levelsOfUndo)
  }

  /// Ends the group that was begun last. A group inside another becomes part of it.
  public func endUndoGrouping() {
    trap(unless: groups.openCount > 0, "endUndoGrouping() without beginUndoGrouping().")
    context?.endEvent()
    groups.end(levels: levelsOfUndo)
  }

  /// Ends the group of the running block.
  func closeBlock() { groups.closeBlock(levels: levelsOfUndo) }

  // MARK: - Recording

  /// Whether changes are recorded.
  public var isUndoRegistrationEnabled: Bool { stops == 0 }

  /// Stops the recording of changes, until ``enableUndoRegistration()``.
  public func disableUndoRegistration() {
    context?.endEvent()
    stops += 1
  }

  /// Resumes the recording of changes.
  public func enableUndoRegistration() {
    trap(unless: stops > 0, "enableUndoRegistration() without disableUndoRegistration().")
    context?.endEvent()
    stops -= 1
  }

  var isRecording: Bool {
    stops == 0 && (isUndoing || isRedoing || groupsByBlock || groups.openCount > 0)
  }

  func record(_ steps: [UndoStep]) {
    if isUndoing {
      groups.recordUndo(steps, named: runningName)
    } else if isRedoing {
      groups.recordRedo(steps, named: runningName)
    } else if let willRecord {
      guard willRecord() else { return }
      groups.record(steps)
      closeBlock()
    } else {
      groups.record(steps)
    }
  }

  /// Has all groups name the objects that stay after a save united others with them.
  func follow(_ united: [ManagedObject: ManagedObject]) {
    groups.replaceSteps { $0.following(united) }
  }

  /// Removes all groups.
  public func removeAllActions() { groups.removeAll() }

  // MARK: - Undo and redo

  /// Whether there is a group to undo.
  public var canUndo: Bool {
    context?.endEvent()
    return groups.canUndo
  }

  /// Whether there is a group to redo.
  public var canRedo: Bool {
    context?.endEvent()
    return groups.canRedo
  }

  /// Undoes the last group. Open groups end first.
  public func undo() {
    context?.endEvent()
    while groups.openCount > 0 { endUndoGrouping() }
    closeBlock()
    guard let group = groups.takeLastDone() else { return }
    isUndoing = true
    apply(group)
    isUndoing = false
  }

  /// Redoes the group that was undone last.
  public func redo() {
    context?.endEvent()
    guard let group = groups.takeLastUndone() else { return }
    isRedoing = true
    apply(group)
    isRedoing = false
    groups.trim(to: levelsOfUndo)
  }

  private func apply(_ group: UndoGroup) {
    guard let context else { return }
    runningName = group.name
    // because an undo reverts the events of a group one by one, but the redo is one group
    for steps in group.events.reversed() { UndoApplication(context).revert(steps) }
    context.endEvent()
    runningName = ""
  }

  // MARK: - Names

  /// Names the current group, for a menu.
  public func setActionName(_ name: String) {
    context?.endEvent()
    groups.setName(name)
  }

  /// The name of the group that an undo reverts.
  public var undoActionName: String { groups.undoName }
  /// The name of the group that a redo repeats.
  public var redoActionName: String { groups.redoName }
}
