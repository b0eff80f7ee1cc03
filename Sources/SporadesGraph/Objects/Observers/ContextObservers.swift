// SPDX-License-Identifier: MIT
import SporadesChain
import SporadesModel
import SporadesStore
import Synchronization

/// An observation of a context. It lasts until `end()` or until it is released.
public final class ContextObservation: Sendable {
  fileprivate let isEnded = Atomic(false)

  /// Ends the observation. The observer is not called again.
  public func end() { isEnded.store(true, ordering: .relaxed) }

  deinit { end() }
}

/// The observers of a context, and the changes that they have heard of. The first observation makes
/// it.
///
/// Rules:
/// 1. Observers hear of events in order. An event that an observer causes is posted after all
///    observers have heard of the earlier ones. Only ``willSave`` is posted at once.
/// 2. An observer that throws does not stop the others. Its `onError` gets the error.
final class ContextObservers {
  private struct Observer {
    weak let token: ContextObservation?
    let body: (ContextChange) throws -> Void
    let onError: (any Error) -> Void
    let readsAll: Bool

    var isActive: Bool { token.map { !$0.isEnded.load(ordering: .relaxed) } ?? false }
  }

  private var observers: [Observer] = []
  private var boxes = Mailboxes<ContextNotification>()
  private var open: [ContextChange] = []
  private var isPosting = false
  private var saved: [ContextChange] = []
  private var seen = SeenChanges()

  deinit { boxes.finish() }

  var isActive: Bool { !boxes.isEmpty || observers.contains(where: \.isActive) }

  /// Whether somebody hears of objects. Others hear of ids alone.
  var hearsOfObjects: Bool { observers.contains(where: \.isActive) }

  /// Whether somebody reads the objects of an event before a save, or the ids of changes.
  private var readsAll: Bool { !boxes.isEmpty || observers.contains { $0.readsAll && $0.isActive } }

  func add(_ box: Mailbox<ContextNotification>) { boxes.add(box) }

  func add(
    _ body: @escaping (ContextChange) throws -> Void, _ onError: @escaping (any Error) -> Void,
    readsAll: Bool = true
  ) -> ContextObservation {
    let token = ContextObservation()
    observers.append(Observer(token: token, body: body, onError: onError, readsAll: readsAll))
    return token
  }

  // MARK: - Telling

  func post(_ change: ContextChange) {
    open.append(change)
    guard !isPosting else { return }
    isPosting = true
    defer { isPosting = false }
    while !open.isEmpty {
      let change = open.removeFirst()
      notify(change)
      change.context.release(change.departing)
    }
  }

  private func notify(_ change: ContextChange) {
    boxes.post(change.notification)
    observers.removeAll { !$0.isActive }
    for observer in observers where observer.isActive {
      change.context.callHook {
        do { try observer.body(change) } catch { observer.onError(error) }
      }
    }
  }

  // MARK: - What happens

  /// Posts the changes since the last such notification.
  func postChanges(in context: ManagedObjectContext) {
    guard isActive || !saved.isEmpty else {
      context.observers = nil
      return
    }
    var rounds = 0
    while !isPosting, rounds < 100, let change = seen.takeChanges(of: context, withIDs: readsAll) {
      rounds += 1
      post(change)
    }
  }

  func willSave(_ context: ManagedObjectContext) {
    postChanges(in: context)
    guard readsAll else { return notify(ContextChange(.willSave, in: context)) }
    notify(
      ContextChange(
        .willSave, in: context, inserted: context.insertedObjects, updated: context.updatedObjects,
        deleted: context.deletedObjects))
  }

  /// Collects the changes that `willSave` hooks made.
  func noteHookChanges(_ context: ManagedObjectContext) {
    // With ids, because a hook may have added an observer that reads them.
    if let change = seen.takeChanges(of: context, withIDs: true) { saved.append(change) }
  }

  /// Collects the event of an accepted save, while the objects still have their changed state.
  func noteAccepted(_ changeSet: ChangeSet, _ context: ManagedObjectContext) {
    let news = DidSave(
      changeSet, context.stack.scope, contextName: context.name,
      isInStore: context.parent.root != nil)
    var change = ContextChange(
      ContextNotification(
        .didSave, contextName: context.name, ids: news.changes, didSave: news,
        generation: context.generation), in: context)
    change.insertedObjects = context.insertedObjects
    change.updatedObjects = context.updatedObjects
    change.deletedObjects = context.deletedObjects
    change.changesLinks = !changeSet.links.isEmpty
    saved.append(change)
    seen.clear()
  }

  /// Keeps the values of objects that a save deleted until the observers have heard of it. Returns false if no observer will.
  func keep(_ deleted: [ManagedObject]) -> Bool {
    guard !saved.isEmpty, hearsOfObjects else { return false }
    saved[saved.count - 1].departing = deleted
    return true
  }

  /// Posts the collected events at the end of a save, whether it succeeded or failed.
  func endSave() {
    // because an observer may save the context, the list is emptied before any observer is called
    let events = saved
    saved = []
    for change in events { post(change) }
  }

  /// Notes an object whose values a refresh dropped, for the next change notification.
  func noteInvalidated(_ object: ManagedObject) { seen.noteInvalidated(object) }

  /// Notes an unchanged object that reads its row anew, for the next change notification.
  func noteRefreshed(_ object: ManagedObject) { seen.noteRefreshed(object) }

  func postInvalidatedAll(_ context: ManagedObjectContext) {
    seen.clear()
    post(ContextChange(.invalidatedAllObjects, in: context))
  }
}

extension ManagedObjectContext {
  /// Lets deleted objects go, after all have heard of their deletion. An undo may have brought some back.
  func release(_ deleted: [ManagedObject]) {
    for object in deleted where object.state.contains(.announced) {
      if object.state.contains(.gone) { object.becomeFault() }
      object.state.remove(.announced)
    }
  }
}
