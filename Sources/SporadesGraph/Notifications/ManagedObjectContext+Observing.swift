// SPDX-License-Identifier: MIT
import SporadesModel
import SporadesStore

extension ManagedObjectContext {
  /// Calls `body` on the context's queue with everything that happens in the context, until the
  /// returned observation is ended or let go of.
  ///
  /// Nothing observers do is undone or stopped by one that throws: its error goes to `onError`.
  /// Changes an observer makes or saves are told to all when they have heard what came before.
  public func observe(
    _ body: @escaping (ContextChange) throws -> Void,
    onError: @escaping (any Error) -> Void = { print("Sporades: an observer failed: \($0)") }
  ) -> ContextObservation {
    checkQueue()
    return listeners().add(body, onError)
  }

  func listeners() -> ContextObservers {
    if let observers { return observers }
    let new = ContextObservers()
    observers = new
    return new
  }

  /// Saves, and tells observers.
  func save(isLast: Bool) throws {
    guard let observers, hasChanges else { return try saveResolvingConflicts(isLast: isLast) }
    observers.willSave(self)
    defer { observers.saveEnded() }
    try saveResolvingConflicts(isLast: isLast)
  }

  // MARK: - What others saved

  /// Takes over what others saved, and tells observers.
  func mergeTelling(_ changes: ChangeSet) {
    guard let observers, observers.isActive else { return merge(changes) }
    observers.objectsMayHaveChanged(in: self)
    let deleted = Set(changes.deleted.compactMap { registered($0.key) })
    merge(changes)
    let news = DidSave(changes, stack.scope, contextName: nil)
    let shown = (changes.inserted + changes.updated.map(\.page)).flatMap { page in
      (0..<page.count).compactMap { registered(page.key($0)) }
    }
    if !shown.isEmpty || !deleted.isEmpty {
      observers.post(
        ContextChange(.objectsDidChange, in: self, deleted: deleted, refreshed: Set(shown)))
    }
    let notification = ContextNotification(.didMergeChanges, contextName: name, ids: news.changes)
    observers.post(ContextChange(notification, in: self))
  }

  /// Takes over a save of another context of the stack. Changes made here stay, on top of it.
  ///
  /// Contexts that merge by themselves have taken it over already, and merge nothing twice.
  public func mergeChanges(from save: DidSave) throws(ContextError) {
    if save.scope != stack.scope, let id = save.changeSet.keys.first {
      throw .foreignObject(ManagedObjectID(key: id, scope: save.scope))
    }
    mergeTelling(save.changeSet)
  }

  /// Takes over what someone else did to the store, who told nothing but the ids: another process, a
  /// batch. The rows are read from the store.
  func mergeChanges(fromRemote ids: ObjectIDChanges) throws {
    let all = ids.insertedObjectIDs.union(ids.updatedObjectIDs).union(ids.refreshedObjectIDs)
    if let foreign = all.union(ids.deletedObjectIDs).first(where: { $0.scope != stack.scope }) {
      throw ContextError.foreignObject(foreign)
    }
    var changes = ChangeSet()
    let trees = Dictionary(grouping: all.map(\.key)) { stack.roots[$0.entity - 1] }
    for (_, keys) in trees {
      for page in try source.rows(for: keys) where page.count > 0 {
        let words = page.count * page.layout.nullWords
        changes.updated.append(
          UpdatedRows(page: page, changedSlots: Array(repeating: .max, count: words)))
      }
    }
    changes.deleted = ids.deletedObjectIDs.map { DeletedRow(key: $0.key, version: 0) }
    mergeTelling(changes)
  }

  /// Makes several contexts take over what someone else did to the store, who told nothing but the
  /// ids: another process, a batch.
  public static func mergeChanges(
    fromRemoteContextSave ids: ObjectIDChanges, into queues: [ContextQueue]
  ) async throws {
    for queue in queues { try await queue.perform { try $0.mergeChanges(fromRemote: ids) } }
  }
}
