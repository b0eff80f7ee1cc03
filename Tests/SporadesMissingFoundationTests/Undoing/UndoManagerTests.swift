// SPDX-License-Identifier: MIT
import Dispatch
import Foundation
import SporadesMissingFoundation
import SporadesModel
import Testing

@Suite @MainActor struct UndoEventTests {
  @Test func anEventOfTheMainThreadIsAGroup() {
    let manager = UndoManager()
    let counter = Counter(manager)
    counter.set(1)
    manager.beginUndoGrouping()
    counter.set(2)
    manager.endUndoGrouping()
    #expect(manager.groupingLevel == 1)
    manager.undo()
    #expect(counter.value == 0)
  }

  @Test func theNextTurnOfTheMainQueueClosesTheGroup() async {
    let manager = UndoManager()
    let counter = Counter(manager)
    counter.set(1)
    #expect(manager.groupingLevel == 1)
    await withCheckedContinuation { turn in DispatchQueue.main.async { turn.resume() } }
    #expect(manager.groupingLevel == 0)
    counter.set(2)
    manager.undo()
    #expect(counter.value == 1)
  }
}

@Suite struct UndoManagerTests {
  private let manager = UndoManager()
  private let counter: Counter

  init() { counter = Counter(manager) }

  @Test func undoesAndRedoes() {
    counter.set(1)
    #expect(manager.canUndo)
    #expect(!manager.canRedo)
    manager.undo()
    #expect(counter.value == 0)
    #expect(!manager.canUndo)
    #expect(manager.canRedo)
    manager.redo()
    #expect(counter.value == 1)
    #expect(manager.canUndo)
    manager.undo()
    #expect(counter.value == 0)
  }

  @Test func aGroupIsUndoneAsOne() {
    manager.groupsByEvent = false
    for values in [[1, 2], [3], [4, 5]] {
      manager.beginUndoGrouping()
      values.forEach(counter.set)
      manager.endUndoGrouping()
    }
    manager.undo()
    #expect(counter.value == 3)
    manager.undo()
    #expect(counter.value == 2)
    manager.redo()
    #expect(counter.value == 3)
    manager.redo()
    #expect(counter.value == 5)
    #expect(!manager.canRedo)
    #expect(manager.undoCount == 3)
  }

  @Test func groupsLieInGroups() {
    manager.groupsByEvent = false
    manager.beginUndoGrouping()
    counter.set(1)
    manager.beginUndoGrouping()
    counter.set(2)
    #expect(manager.groupingLevel == 2)
    manager.endUndoGrouping()
    manager.endUndoGrouping()
    manager.undo()
    #expect(counter.value == 0)
    manager.beginUndoGrouping()
    manager.endUndoGrouping()
    #expect(!manager.canUndo)
  }

  @Test func aNewActionEndsRedoing() {
    counter.set(1)
    manager.undo()
    counter.set(7)
    #expect(!manager.canRedo)
    manager.redo()
    #expect(counter.value == 7)
  }

  @Test func keepsAsManyLevelsAsAsked() {
    manager.groupsByEvent = false
    manager.levelsOfUndo = 2
    for value in 1...4 {
      manager.beginUndoGrouping()
      counter.set(value)
      manager.endUndoGrouping()
    }
    while manager.canUndo { manager.undo() }
    #expect(counter.value == 2)
    #expect(manager.redoCount == 2)
    manager.levelsOfUndo = 1
    #expect(manager.redoCount == 1)
  }

  @Test func registrationCanBeTurnedOff() {
    manager.disableUndoRegistration()
    manager.disableUndoRegistration()
    counter.set(1)
    manager.enableUndoRegistration()
    #expect(!manager.isUndoRegistrationEnabled)
    counter.set(2)
    manager.enableUndoRegistration()
    #expect(!manager.canUndo)
    counter.set(3)
    manager.undo()
    #expect(counter.value == 2)
  }

  @Test func actionsOfATargetAreRemoved() {
    manager.groupsByEvent = false
    let other = Counter(manager)
    manager.beginUndoGrouping()
    counter.set(1)
    other.set(1)
    manager.endUndoGrouping()
    manager.removeAllActions(withTarget: other)
    manager.undo()
    #expect(counter.value == 0)
    #expect(other.value == 1)
    manager.removeAllActions()
    #expect(!manager.canRedo)
  }

  @Test func aTargetIsNotKept() {
    weak var gone: Counter?
    do {
      let target = Counter(manager)
      gone = target
      target.set(1)
    }
    #expect(gone == nil)
    manager.undo()
  }

  @Test func actionsHaveNames() {
    counter.set(1)
    manager.setActionName("Count")
    #expect(manager.undoActionName == "Count")
    #expect(manager.undoMenuItemTitle == "Undo Count")
    #expect(manager.redoMenuItemTitle == "Redo")
    manager.undo()
    #expect(manager.redoActionName == "Count")
    #expect(manager.redoMenuItemTitle == "Redo Count")
    #expect(manager.undoMenuItemTitle == "Undo")
    manager.redo()
    #expect(manager.undoActionName == "Count")
    manager.setActionName("Other")
    #expect(manager.undoActionName == "Other")
  }

  @Test func tellsOfItsSteps() {
    let heard = Heard()
    let names: [Notification.Name] = [
      .NSUndoManagerWillUndoChange, .NSUndoManagerDidUndoChange, .NSUndoManagerWillRedoChange,
      .NSUndoManagerDidRedoChange, .NSUndoManagerDidOpenUndoGroup, .NSUndoManagerDidCloseUndoGroup,
    ]
    let tokens = names.map { name in
      NotificationCenter.default.addObserver(forName: name, object: manager, queue: nil) { _ in
        heard.add(name.rawValue)
      }
    }
    counter.set(1)
    manager.undo()
    manager.redo()
    tokens.forEach(NotificationCenter.default.removeObserver)
    #expect(
      heard.names == [
        "DidOpenUndoGroup", "DidCloseUndoGroup", "WillUndoChange", "DidOpenUndoGroup",
        "DidCloseUndoGroup", "DidUndoChange", "WillRedoChange", "DidOpenUndoGroup",
        "DidCloseUndoGroup", "DidRedoChange",
      ])
  }
}

/// A number whose changes can be undone.
private final class Counter {
  private(set) var value = 0
  private let manager: UndoManager

  init(_ manager: UndoManager) { self.manager = manager }

  func set(_ new: Int) {
    let old = value
    manager.registerUndo(withTarget: self) { $0.set(old) }
    value = new
  }
}

/// The names of notifications in their order.
private final class Heard: Sendable {
  private let content = Guarded<[String]>([])
  var names: [String] { content.withLock { $0 } }
  func add(_ name: String) {
    let short = name.replacingOccurrences(of: "NSUndoManager", with: "")
      .replacingOccurrences(of: "Notification", with: "")
    content.withLock { $0.append(short) }
  }
}
