// SPDX-License-Identifier: MIT
import SporadesChain
import SporadesModel

extension ManagedObjectContext {
  /// The undo manager of the context. It is nil, and costs nothing, until one is set.
  public final var undoManager: ContextUndoManager? {
    get { events?.undoManager }
    set {
      guard newValue !== undoManager else { return }
      endEvent()
      undoManager?.context = nil
      guard let newValue else {
        events = nil
        return
      }
      trap(
        unless: newValue.context == nil,
        "An undo manager belongs to one context. Make another one for this context.")
      newValue.context = self
      let events = self.events ?? ContextEvents()
      events.undoManager = newValue
      events.restart(in: self)
      self.events = events
    }
  }

  /// Undoes the last group of changes. Without an undo manager, it does nothing but say so once.
  public final func undo() {
    checkQueue()
    guard let undoManager else { return UndoHint.missingManager.give() }
    undoManager.undo()
  }

  /// Redoes the group that was undone last. Without an undo manager, it does nothing but say so once.
  public final func redo() {
    checkQueue()
    guard let undoManager else { return UndoHint.missingManager.give() }
    undoManager.redo()
  }

  /// Ends an event: observers hear of its changes, its changes are recorded for undo, and
  /// ``ManagedObject/changedValuesForCurrentEvent()`` begins anew. Cascades and inverses do not
  /// need this call, because they happen at once.
  public final func processPendingChanges() {
    checkQueue()
    endEvent()
    observers?.postChanges(in: self)
  }

  /// Records the changes of an event for undo, and begins the next one.
  final func endEvent() {
    checkQueue()
    if let events { return events.endEvent(in: self) }
    guard hasChanges else { return }
    let events = ContextEvents()
    events.restart(in: self)
    self.events = events
  }

  /// Ends a block of the context.
  final func endBlock() {
    guard let manager = undoManager else { return }
    endEvent()
    manager.closeBlock()
  }

  /// Runs `body` without recording its changes for undo.
  final func withoutUndo<Output>(_ body: () -> Output) -> Output {
    guard let events else { return body() }
    endEvent()
    defer { events.restart(in: self) }
    return body()
  }
}

private enum UndoHint {
  static let missingManager = Hint(
    "undo() or redo() was called on a context without an undo manager, so nothing is recorded and nothing was "
      + "undone. Set context.undoManager = ContextUndoManager() before the changes.")
}
