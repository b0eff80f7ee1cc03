// SPDX-License-Identifier: MIT

/// The groups of changes that can be undone and redone.
struct UndoGroups {
  private var undone: [UndoGroup] = []
  private var done: [UndoGroup] = []
  /// The groups that were begun by hand and have not ended, outermost first.
  private var open: [UndoGroup] = []
  /// The group of the running block.
  private var block = UndoGroup()

  var openCount: Int { open.count }
  var canUndo: Bool {
    !done.isEmpty || !block.events.isEmpty || open.contains { !$0.events.isEmpty }
  }
  var canRedo: Bool { !undone.isEmpty }

  /// Begins a group inside the open one.
  mutating func begin(levels: Int) {
    closeBlock(levels: levels)
    open.append(UndoGroup())
  }

  /// Ends the group that was begun last. A group inside another becomes part of it.
  mutating func end(levels: Int) {
    let group = open.removeLast()
    guard !group.events.isEmpty else { return }
    if open.isEmpty {
      push(group, levels)
    } else {
      open[open.count - 1].events += group.events
    }
  }

  /// Ends the group of the running block.
  mutating func closeBlock(levels: Int) {
    guard !block.events.isEmpty else { return }
    push(block, levels)
    block = UndoGroup()
  }

  private mutating func push(_ group: UndoGroup, _ levels: Int) {
    done.append(group)
    trim(to: levels)
  }

  /// Keeps the newest groups; all if the number is 0.
  mutating func trim(to levels: Int) {
    guard levels > 0 else { return }
    if done.count > levels { done.removeFirst(done.count - levels) }
    if undone.count > levels { undone.removeFirst(undone.count - levels) }
  }

  // MARK: - Recording

  /// Records the steps of an event. What was undone can not be redone any more.
  mutating func record(_ steps: [UndoStep]) {
    undone = []
    if open.isEmpty {
      block.events.append(steps)
    } else {
      open[open.count - 1].events.append(steps)
    }
  }

  /// Records the steps of an undo, which a redo takes back.
  mutating func recordUndo(_ steps: [UndoStep], named name: String) {
    undone.append(UndoGroup(events: [steps], name: name))
  }

  /// Records the steps of a redo, which an undo takes back.
  mutating func recordRedo(_ steps: [UndoStep], named name: String) {
    done.append(UndoGroup(events: [steps], name: name))
  }

  mutating func takeLastDone() -> UndoGroup? { done.popLast() }
  mutating func takeLastUndone() -> UndoGroup? { undone.popLast() }

  /// Changes all steps; those of which nothing is left go.
  mutating func replaceSteps(_ change: (UndoStep) -> UndoStep?) {
    func replace(_ group: inout UndoGroup) {
      group.events = group.events.map { $0.compactMap(change) }
    }
    for index in done.indices { replace(&done[index]) }
    for index in undone.indices { replace(&undone[index]) }
    for index in open.indices { replace(&open[index]) }
    replace(&block)
  }

  /// Removes all groups. Those that were begun by hand stay open.
  mutating func removeAll() {
    (done, undone) = ([], [])
    block = UndoGroup()
    for index in open.indices { open[index] = UndoGroup() }
  }

  // MARK: - Names

  /// Names the group that is open, or else the newest.
  mutating func setName(_ name: String) {
    if !open.isEmpty {
      open[open.count - 1].name = name
    } else if !block.events.isEmpty {
      block.name = name
    } else if !done.isEmpty {
      done[done.count - 1].name = name
    }
  }

  var undoName: String { block.events.isEmpty ? done.last?.name ?? "" : block.name }
  var redoName: String { undone.last?.name ?? "" }
}

/// Changes that are undone together.
struct UndoGroup {
  /// The steps of each event, in order.
  var events: [[UndoStep]] = []
  var name = ""
}
