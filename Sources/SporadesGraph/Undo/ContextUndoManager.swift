// SPDX-License-Identifier: MIT
import SporadesModel

/// Undoes and redoes the changes of one context.
///
/// The changes of one `perform` block form a group, unless groups are begun and ended by hand. A
/// save keeps the groups: an undo after a save changes the objects back, for the next save.
/// `rollback` and `reset` remove all groups. Merged saves of others belong to no group.
public final class ContextUndoManager {
  /// The most groups that are kept; 0 for no limit.
  public var levelsOfUndo = 0 {
    didSet { trim() }
  }
  /// Whether each block of the context forms a group. If not, only changes between
  /// ``beginUndoGrouping()`` and ``endUndoGrouping()`` are recorded.
  public var groupsByBlock = true
  /// Whether an undo is running.
  public private(set) var isUndoing = false
  /// Whether a redo is running.
  public private(set) var isRedoing = false
  weak var context: ManagedObjectContext?
  private var undoStack: [Group] = []
  private var redoStack: [Group] = []
  /// The open groups, outermost first.
  private var open: [Group] = []
  private var disabled = 0

  struct Group {
    /// The steps of each event, in order.
    var events: [[UndoStep]] = []
    var name = ""
  }

  /// Makes an undo manager without groups.
  public init() {}

  // MARK: - Groups

  /// The number of open groups that were begun by hand.
  public var groupingLevel: Int { open.count }

  /// Begins a group inside the open one.
  public func beginUndoGrouping() {
    context?.endEvent()
    closeBlock()
    open.append(Group())
  }

  /// Ends the group that was begun last. A group inside another becomes part of it.
  public func endUndoGrouping() {
    trap(unless: !open.isEmpty, "endUndoGrouping() without beginUndoGrouping().")
    context?.endEvent()
    let group = open.removeLast()
    guard !group.events.isEmpty else { return }
    if open.isEmpty {
      push(group)
    } else {
      open[open.count - 1].events += group.events
    }
  }

  private var block = Group()

  /// Ends the group of the running block.
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

  /// Whether changes are recorded.
  public var isUndoRegistrationEnabled: Bool { disabled == 0 }

  /// Stops the recording of changes, until ``enableUndoRegistration()``.
  public func disableUndoRegistration() {
    context?.endEvent()
    disabled += 1
  }

  /// Resumes the recording of changes.
  public func enableUndoRegistration() {
    trap(unless: disabled > 0, "enableUndoRegistration() without disableUndoRegistration().")
    context?.endEvent()
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

  /// Has all groups name the objects that stay after a save united others with them.
  func follow(_ united: [ManagedObject: ManagedObject]) {
    func follow(_ group: inout Group) {
      group.events = group.events.map { $0.compactMap { $0.following(united) } }
    }
    for index in undoStack.indices { follow(&undoStack[index]) }
    for index in redoStack.indices { follow(&redoStack[index]) }
    for index in open.indices { follow(&open[index]) }
    follow(&block)
  }

  /// Removes all groups.
  public func removeAllActions() {
    (undoStack, redoStack) = ([], [])
    block = Group()
    for index in open.indices { open[index] = Group() }
  }

  // MARK: - Undo and redo

  /// Whether there is a group to undo.
  public var canUndo: Bool {
    context?.endEvent()
    return !undoStack.isEmpty || !block.events.isEmpty || open.contains { !$0.events.isEmpty }
  }

  /// Whether there is a group to redo.
  public var canRedo: Bool {
    context?.endEvent()
    return !redoStack.isEmpty
  }

  /// Undoes the last group. Open groups end first.
  public func undo() {
    context?.endEvent()
    while !open.isEmpty { endUndoGrouping() }
    closeBlock()
    guard let group = undoStack.popLast() else { return }
    isUndoing = true
    apply(group)
    isUndoing = false
  }

  /// Redoes the group that was undone last.
  public func redo() {
    context?.endEvent()
    guard let group = redoStack.popLast() else { return }
    isRedoing = true
    apply(group)
    isRedoing = false
    trim()
  }

  private func apply(_ group: Group) {
    guard let context else { return }
    name = group.name
    // because an undo reverts the events of a group one by one, but the redo is one group
    for steps in group.events.reversed() { UndoApplication(context).revert(steps) }
    context.endEvent()
    name = ""
  }

  // MARK: - Names

  private var name = ""

  /// Names the current group, for a menu.
  public func setActionName(_ name: String) {
    context?.endEvent()
    if !open.isEmpty {
      open[open.count - 1].name = name
    } else if !block.events.isEmpty {
      block.name = name
    } else if !undoStack.isEmpty {
      undoStack[undoStack.count - 1].name = name
    }
  }

  /// The name of the group that an undo reverts.
  public var undoActionName: String {
    block.events.isEmpty ? undoStack.last?.name ?? "" : block.name
  }
  /// The name of the group that a redo repeats.
  public var redoActionName: String { redoStack.last?.name ?? "" }
}
