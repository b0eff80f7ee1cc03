// SPDX-License-Identifier: MIT
import SporadesChain
import SporadesModel
import SporadesStore

// Batches on objects, for everything that a store does not carry out by itself: batches in the block of a write and
// in a child context, stores without SQL, and models whose derived values need objects.
extension ManagedObjectContext {
  /// Runs `body` in a new context over the same parent, which calls no hooks of objects, and saves it. `body`
  /// returns the objects that belong to the batch itself.
  ///
  /// A save of others can come between the reading and the saving of the objects. The batch then begins again,
  /// because it is meant for the newest state.
  func executeOnObjects(
    mergePolicy: MergePolicy = .error,
    _ body: (ManagedObjectContext) throws -> [ManagedObject]
  ) throws -> BatchOutcome {
    var attempts = 0
    while true {
      do {
        return try attemptOnObjects(mergePolicy, body)
      } catch let error as StoreError {
        attempts += 1
        guard case .conflict = error.code, attempts < Self.mostAttempts, parent.context == nil
        else { throw error }
      }
    }
  }

  private static var mostAttempts: Int { 128 }

  private func attemptOnObjects(
    _ mergePolicy: MergePolicy, _ body: (ManagedObjectContext) throws -> [ManagedObject]
  ) throws -> BatchOutcome {
    try inScratch(mergePolicy) { try $0.saveBatch(of: body($0)) }
  }

  /// Runs `body` in a new context over the same parent, which calls no hooks of objects.
  func inScratch<Output>(
    _ mergePolicy: MergePolicy, _ body: (ManagedObjectContext) throws -> Output
  ) throws -> Output {
    let scratch = ManagedObjectContext(stack: stack, parent: parent, terms: terms)
    if let root = parent.root { scratch.noteSaves(upTo: root.lastPublished) }
    scratch.mergePolicy = mergePolicy
    scratch.saving.callsHooks = false
    scratch.saving.sender = ObjectIdentifier(self)
    scratch.access.take()
    defer {
      if let number = scratch.lastSave { lastSave = number }
      scratch.retire()
      scratch.access.giveBack()
    }
    return try body(scratch)
  }

  /// Saves the context, and returns what it saved. The objects belong to the batch itself.
  func saveBatch(of objects: [ManagedObject]) throws -> BatchOutcome {
    var saved = ChangeSet()
    saving.onAccept = { saved = $0 }
    var notDurable: ContextError?
    do { try save(isLast: false) } catch let error as ContextError {
      guard case .notDurable = error else { throw error }
      notDurable = error
    }
    let changed = Set(saved.keys)
    let effects = BatchEffects(changes: saved, keys: objects.map(\.key).filter(changed.contains))
    return BatchOutcome(effects: effects, notDurable: notDurable)
  }
}

/// The outcome of a batch.
struct BatchOutcome {
  let effects: BatchEffects
  /// The batch is accepted, and the commit that it asked for failed.
  var notDurable: ContextError?
}
