// SPDX-License-Identifier: MIT
import Dispatch
public import Foundation
import SporadesChain
import SporadesModel

/// Keeps actions that undo what a program has done, and those that redo it.
///
/// Actions are undone in groups. A manager whose ``groupsByEvent`` is true opens a group with the first action of an event:
///
/// 1. On the main thread, one turn of the main queue is an event, as one pass of the run loop is. The next turn closes the group.
/// 2. On other threads, ``undo()`` closes it. Groups that a program opens itself are whole ones there.
///
/// A manager belongs to one thread at a time, as the objects do that it undoes.
open class UndoManager: NSObject {
  /// The groups that are open, the outermost first.
  private var openGroups: [UndoGroup] = []
  private var undoStack: [UndoGroup] = []
  private var redoStack: [UndoGroup] = []
  private var disabledCount = 0
  /// The outermost group ends with the event.
  private var isEventOpen = false

  /// The manager performs the actions of a group and takes what they register for the other direction.
  private enum Direction {
    case undoing
    case redoing
  }
  private var direction: Direction?

  /// Makes a manager without actions.
  public override init() { super.init() }

  // MARK: - Groups

  /// The number of groups that are open.
  open var groupingLevel: Int { openGroups.count }

  /// The manager opens a group with the first action of an event, and closes it.
  open var groupsByEvent = true

  /// The number of groups that the manager keeps; 0 for any number.
  open var levelsOfUndo = 0 { didSet { dropOldGroups() } }

  /// Opens a group. Each group is closed by ``endUndoGrouping()``.
  open func beginUndoGrouping() {
    if groupingLevel == 0, groupsByEvent, direction == nil, MainQueue.isCurrent { openEvent() }
    open()
  }

  /// Closes the group that was opened last. It ends the program if none is open.
  open func endUndoGrouping() {
    trap(unless: groupingLevel > 0, "endUndoGrouping() was called without beginUndoGrouping().")
    post(.NSUndoManagerCheckpoint)
    let group = openGroups[openGroups.count - 1]
    let info = [NSUndoManagerGroupIsDiscardableKey: group.isDiscardable]
    post(.NSUndoManagerWillCloseUndoGroup, info)
    openGroups.removeLast()
    if openGroups.isEmpty { isEventOpen = false }
    keep(group)
    post(.NSUndoManagerDidCloseUndoGroup, info)
  }

  private func open() {
    if !openGroups.isEmpty { post(.NSUndoManagerCheckpoint) }
    openGroups.append(UndoGroup())
    post(.NSUndoManagerDidOpenUndoGroup)
  }

  private func openEvent() {
    open()
    isEventOpen = true
    guard MainQueue.isCurrent else { return }
    // nonisolated(unsafe): the main queue calls the block, and this code runs on it.
    nonisolated(unsafe) weak let manager = self
    DispatchQueue.main.async { unsafe manager?.closeEvent() }
  }

  private func closeEvent() {
    if isEventOpen, groupingLevel == 1 { endUndoGrouping() }
  }

  /// Puts a closed group into the group around it, or onto a stack. A group without actions leaves no trace.
  private func keep(_ group: UndoGroup) {
    guard group.hasActions else { return }
    guard openGroups.isEmpty else {
      openGroups[openGroups.count - 1].steps.append(.group(group))
      if !group.name.isEmpty { openGroups[openGroups.count - 1].name = group.name }
      return
    }
    if direction == .undoing { redoStack.append(group) } else { undoStack.append(group) }
    dropOldGroups()
  }

  private func dropOldGroups() {
    guard levelsOfUndo > 0 else { return }
    undoStack.removeFirst(max(0, undoStack.count - levelsOfUndo))
    redoStack.removeFirst(max(0, redoStack.count - levelsOfUndo))
  }

  // MARK: - Registration

  /// Actions are registered. ``disableUndoRegistration()`` changes it.
  open var isUndoRegistrationEnabled: Bool { disabledCount == 0 }

  /// Leaves out the actions that are registered until the call of ``enableUndoRegistration()`` that belongs to this one.
  open func disableUndoRegistration() { disabledCount += 1 }

  /// Registers actions again, after as many calls as there were of ``disableUndoRegistration()``.
  open func enableUndoRegistration() {
    trap(
      unless: disabledCount > 0,
      "enableUndoRegistration() was called more often than disableUndoRegistration().")
    disabledCount -= 1
  }

  /// Registers a closure that undoes what the program does now. The manager does not keep the target.
  public func registerUndo<Target: AnyObject>(
    withTarget target: Target, handler: @escaping (Target) -> Void
  ) {
    guard isUndoRegistrationEnabled else { return }
    if groupingLevel == 0 {
      trap(
        unless: groupsByEvent,
        "An action was registered outside of a group. Call beginUndoGrouping() before, or set groupsByEvent."
      )
      openEvent()
    }
    if direction == nil { redoStack = [] }
    let action = UndoGroup.Action(target: target) { found in
      if let found = found as? Target { handler(found) }
    }
    openGroups[openGroups.count - 1].steps.append(.action(action))
  }

  /// Removes all actions, and closes what is open.
  open func removeAllActions() {
    openGroups = []
    isEventOpen = false
    undoStack = []
    redoStack = []
  }

  /// Removes the actions of a target.
  open func removeAllActions(withTarget target: Any) {
    let object = target as AnyObject
    undoStack = undoStack.compactMap { $0.removing(object) }
    redoStack = redoStack.compactMap { $0.removing(object) }
    openGroups = openGroups.map { group in
      var rest = group
      rest.steps = group.removing(object)?.steps ?? []
      return rest
    }
  }

  // MARK: - Undoing and redoing

  /// The manager is performing the actions of ``undo()``.
  open var isUndoing: Bool { direction == .undoing }
  /// The manager is performing the actions of ``redo()``.
  open var isRedoing: Bool { direction == .redoing }

  /// There is an action to undo.
  open var canUndo: Bool {
    post(.NSUndoManagerCheckpoint)
    return !undoStack.isEmpty || openGroups.contains { $0.hasActions }
  }

  /// There is an action to redo.
  open var canRedo: Bool {
    post(.NSUndoManagerCheckpoint)
    return !redoStack.isEmpty
  }

  /// The number of groups that can be undone.
  open var undoCount: Int { undoStack.count }
  /// The number of groups that can be redone.
  open var redoCount: Int { redoStack.count }

  /// Undoes the last group, and closes it before if it is still open. It ends the program if a group inside of it is open.
  open func undo() {
    // Contexts register what has changed so far, and may open a group for it.
    post(.NSUndoManagerCheckpoint)
    trap(
      unless: groupingLevel <= 1,
      "undo() was called while \(groupingLevel) groups are open. Call endUndoGrouping() first.")
    if groupingLevel == 1 { endUndoGrouping() }
    undoNestedGroup()
  }

  /// Undoes the last group that is closed. It ends the program if one is open.
  open func undoNestedGroup() {
    trap(
      unless: groupingLevel == 0,
      "undoNestedGroup() was called while a group is open. Call endUndoGrouping() first.")
    post(.NSUndoManagerCheckpoint)
    guard let group = undoStack.popLast() else { return }
    perform(group, .undoing, .NSUndoManagerWillUndoChange, .NSUndoManagerDidUndoChange)
  }

  /// Redoes the last group that was undone.
  open func redo() {
    post(.NSUndoManagerCheckpoint)
    if groupingLevel == 1 { endUndoGrouping() }
    trap(
      unless: groupingLevel == 0,
      "redo() was called while a group is open. Call endUndoGrouping() first.")
    guard let group = redoStack.popLast() else { return }
    perform(group, .redoing, .NSUndoManagerWillRedoChange, .NSUndoManagerDidRedoChange)
  }

  private func perform(
    _ group: UndoGroup, _ way: Direction, _ before: Notification.Name, _ after: Notification.Name
  ) {
    trap(
      unless: direction == nil,
      "An action that is being undone or redone cannot call undo() or redo().")
    post(before)
    direction = way
    beginUndoGrouping()
    openGroups[0].name = group.name
    openGroups[0].isDiscardable = group.isDiscardable
    group.perform()
    while groupingLevel > 0 { endUndoGrouping() }
    direction = nil
    post(after)
  }

  // MARK: - Names

  /// Names the group that is open last, or the last closed one.
  open func setActionName(_ name: String) {
    if !openGroups.isEmpty {
      openGroups[openGroups.count - 1].name = name
    } else if !undoStack.isEmpty {
      undoStack[undoStack.count - 1].name = name
    }
  }

  /// Says that nothing is lost if the actions of the open group are not saved.
  open func setActionIsDiscardable(_ discardable: Bool) {
    if !openGroups.isEmpty { openGroups[openGroups.count - 1].isDiscardable = discardable }
  }

  /// Nothing is lost if the last actions are not saved.
  open var undoActionIsDiscardable: Bool {
    (openGroups.last ?? undoStack.last)?.isDiscardable ?? false
  }
  /// Nothing is lost if the last undone actions are not saved.
  open var redoActionIsDiscardable: Bool { redoStack.last?.isDiscardable ?? false }

  /// The name of the action that ``undo()`` would undo; empty without one.
  open var undoActionName: String {
    let open = openGroups.first.flatMap { $0.hasActions || !$0.name.isEmpty ? $0 : nil }
    return (open ?? undoStack.last)?.name ?? ""
  }
  /// The name of the action that ``redo()`` would redo; empty without one.
  open var redoActionName: String { redoStack.last?.name ?? "" }

  /// The title of the menu item for undoing.
  open var undoMenuItemTitle: String { undoMenuTitle(forUndoActionName: undoActionName) }
  /// The title of the menu item for redoing.
  open var redoMenuItemTitle: String { redoMenuTitle(forUndoActionName: redoActionName) }

  /// The title of the menu item for undoing an action.
  open func undoMenuTitle(forUndoActionName name: String) -> String {
    name.isEmpty ? "Undo" : "Undo \(name)"
  }
  /// The title of the menu item for redoing an action.
  open func redoMenuTitle(forUndoActionName name: String) -> String {
    name.isEmpty ? "Redo" : "Redo \(name)"
  }

  private func post(_ name: Notification.Name, _ info: [String: Bool]? = nil) {
    NotificationCenter.default.post(name: name, object: self, userInfo: info)
  }
}
