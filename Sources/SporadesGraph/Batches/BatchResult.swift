// SPDX-License-Identifier: MIT
public import SporadesChain
public import SporadesModel
import SporadesStore

/// The changes that a batch made.
public struct BatchResult: Sendable {
  /// All changes, with those that delete rules made. Pass it to ``ManagedObjectContext/mergeChanges(from:)-(DidSave)`` of a
  /// context that does not merge by itself.
  public let save: DidSave
  private let keys: [RowKey]

  init(_ effects: BatchEffects, _ scope: StoreScope, isInStore: Bool) {
    save = DidSave(
      effects.changes, scope, contextName: effects.changes.contextName, isInStore: isInStore)
    keys = effects.keys
  }

  /// The number of objects that the batch itself inserted, changed or deleted. An object that has the new values
  /// already is not changed.
  public var count: Int { keys.count }

  /// The ids of the objects that the batch itself inserted, changed or deleted.
  public var objectIDs: [ManagedObjectID] {
    keys.map { ManagedObjectID(key: $0, scope: save.scope) }
  }

  /// The ids of all objects that changed, with those that delete rules reached.
  public var changes: ObjectIDChanges { save.changes }
}
