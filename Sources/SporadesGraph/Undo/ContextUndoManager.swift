// SPDX-License-Identifier: MIT

/// Undoes and redoes what happens in one context.
///
/// A group is what one `perform` block did, unless groups are begun and ended by hand. Saving
/// leaves the stack as it is: undoing after a save changes the objects back, for the next save.
/// `rollback` and `reset` empty it. What others saved and a merge brought is in no group.
public final class ContextUndoManager {
  /// How many groups are kept; 0 for all.
  public var levelsOfUndo = 0 {
    didSet { trim() }
  }
  /// Whether each block of the context is a group; otherwise changes are recorded only between
  /// ``beginUndoGrouping()`` and ``endUndoGrouping()``.
  public var groupsByBlock = true
  public private(set) var isUndoing = false
  public private(set) var isRedoing = false
  weak var context: ManagedObjectContext?
  private var undoStack: [Group] = []
  private var redoStack: [Group] = []
  /// What the running block or the groups that are open have done, outermost first.
  private var open: [Group] = []
  private var disabled = 0

  struct Group {
    /// In the order of their events.
    var events: [[UndoStep]] = []
    var name = ""
  }

  public init() {}

  // MARK: - Groups

  /// The number of groups that were begun by hand and not ended.
  public var groupingLevel: Int { open.count }

  /// Begins a group, inside the one that is open.
  public func beginUndoGrouping() {
    context?.processPendingChanges()
    closeBlock()
    open.append(Group())
  }

  /// Ends the group begun last. Those inside another become part of it.
  public func endUndoGrouping() {
    precondition(!open.isEmpty, "endUndoGrouping() without beginUndoGrouping().")
    context?.processPendingChanges()
    let group = open.removeLast()
    guard !group.events.isEmpty else { return }
    if open.isEmpty {
      push(group)
    } else {
      open[open.count - 1].events += group.events
    }
  }

  private var block = Group()

  /// Ends what the running block did so far as a group.
  func closeBlock() {
    guard !block.events.isEmpty else { return }
    let group = block
    block = Group()
    push(group)
  }

  private func push(_ group: Group) {
    undoStack.append(group)
    trim()
  }

  private func trim() {
    guard levelsOfUndo > 0 else { return }
    if undoStack.count > levelsOfUndo { undoStack.removeFirst(undoStack.count - levelsOfUndo) }
    if redoStack.count > levelsOfUndo { redoStack.removeFirst(redoStack.count - levelsOfUndo) }
  }

  // MARK: - Recording

  public var isUndoRegistrationEnabled: Bool { disabled == 0 }

  /// What is changed from here on is not recorded.
  public func disableUndoRegistration() {
    context?.processPendingChanges()
    disabled += 1
  }

  public func enableUndoRegistration() {
    precondition(disabled > 0, "enableUndoRegistration() without disableUndoRegistration().")
    context?.processPendingChanges()
    disabled -= 1
  }

  var isRecording: Bool {
    disabled == 0 && (isUndoing || isRedoing || groupsByBlock || !open.isEmpty)
  }

  func record(_ steps: [UndoStep]) {
    if isUndoing {
      redoStack.append(Group(events: [steps], name: name))
    } else if isRedoing {
      undoStack.append(Group(events: [steps], name: name))
    } else {
      redoStack = []
      if open.isEmpty {
        block.events.append(steps)
      } else {
        open[open.count - 1].events.append(steps)
      }
    }
  }

  public func removeAllActions() {
    (undoStack, redoStack) = ([], [])
    block = Group()
    for index in open.indices { open[index] = Group() }
  }

  // MARK: - Undo and redo

  public var canUndo: Bool {
    context?.processPendingChanges()
    return !undoStack.isEmpty || !block.events.isEmpty || open.contains { !$0.events.isEmpty }
  }

  public var canRedo: Bool {
    context?.processPendingChanges()
    return !redoStack.isEmpty
  }

  /// Undoes the last group; ends the one that is open.
  public func undo() {
    context?.processPendingChanges()
    while !open.isEmpty { endUndoGrouping() }
    closeBlock()
    guard let group = undoStack.popLast() else { return }
    isUndoing = true
    apply(group)
    isUndoing = false
  }

  /// Does again what was undone last.
  public func redo() {
    context?.processPendingChanges()
    guard let group = redoStack.popLast() else { return }
    isRedoing = true
    apply(group)
    isRedoing = false
    trim()
  }

  private func apply(_ group: Group) {
    guard let context else { return }
    name = group.name
    // because several events of a group become one, whose inverse is one too
    for steps in group.events.reversed() { UndoApplication(context).revert(steps) }
    context.processPendingChanges()
    name = ""
  }

  // MARK: - Names

  private var name = ""

  /// Names what is being done, for a menu.
  public func setActionName(_ name: String) {
    context?.processPendingChanges()
    if !open.isEmpty {
      open[open.count - 1].name = name
    } else if !block.events.isEmpty {
      block.name = name
    } else if !undoStack.isEmpty {
      undoStack[undoStack.count - 1].name = name
    }
  }

  public var undoActionName: String {
    block.events.isEmpty ? undoStack.last?.name ?? "" : block.name
  }
  public var redoActionName: String { redoStack.last?.name ?? "" }
}
