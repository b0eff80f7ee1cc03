// SPDX-License-Identifier: MIT
import Foundation
import SporadesGraph
import SporadesMissingFoundation

// Undo managers of programs, with which contexts register their changes.
//
// Rules:
// 1. Each event of a context is one action. The library keeps what changed, one group for each event.
// 2. The program's manager groups the actions, with those of other contexts and of the program. It calls them in the opposite
//    order, so that an action always concerns the library's last group.
// 3. An event ends with a block, with `processPendingChanges()`, and when the manager announces that it needs all actions.
extension NSManagedObjectContext {
  /// Undoes the last group of changes.
  public func undo() {
    processPendingChanges()
    undoManager?.undo()
  }

  /// Redoes the group that was undone last.
  public func redo() {
    processPendingChanges()
    undoManager?.redo()
  }

  /// Undoes the last event, and registers its repetition.
  fileprivate func undoEvent() {
    queue.performHere { $0.undoManager?.undo() }
    undoManager?.registerUndo(withTarget: self) { $0.redoEvent() }
  }

  private func redoEvent() {
    queue.performHere { $0.undoManager?.redo() }
    undoManager?.registerUndo(withTarget: self) { $0.undoEvent() }
  }
}

/// Registers the events of a context with an undo manager.
final class RegisteredUndo {
  /// The changes of each event.
  let changes = ContextUndoManager()
  private let checkpoints: any NSObjectProtocol

  init(_ manager: UndoManager, of context: NSManagedObjectContext) {
    checkpoints = NotificationCenter.default.addObserver(
      forName: .NSUndoManagerCheckpoint, object: manager, queue: nil
    ) { [weak context] _ in
      guard let context, context.persistentStoreCoordinator != nil else { return }
      context.processPendingChanges()
    }
    changes.willRecord = { [weak context, weak manager] in
      guard let context, let manager, manager.isUndoRegistrationEnabled else { return false }
      manager.registerUndo(withTarget: context) { $0.undoEvent() }
      return true
    }
  }

  deinit { NotificationCenter.default.removeObserver(checkpoints) }
}
