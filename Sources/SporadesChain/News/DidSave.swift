// SPDX-License-Identifier: MIT
public import SporadesModel
package import SporadesStore

/// One save as other contexts take it over. It holds the changed rows, so merging reads nothing.
public struct DidSave: Sendable, Posted {
  package let changeSet: ChangeSet
  package let scope: StoreScope
  /// The save reached the store, and not only a context over it.
  package let isInStore: Bool
  /// The name of the context that saved.
  public let contextName: String?
  /// The number of saves right before this one that were dropped because the consumer was too slow.
  public package(set) var missed = 0

  package init(
    _ changeSet: ChangeSet, _ scope: StoreScope, contextName: String?, isInStore: Bool = true
  ) {
    self.isInStore = isInStore
    self.changeSet = changeSet
    self.scope = scope
    self.contextName = contextName
  }

  public var insertedObjectIDs: Set<ManagedObjectID> { ids(changeSet.inserted) }
  public var updatedObjectIDs: Set<ManagedObjectID> { ids(changeSet.updated.map(\.page)) }
  public var deletedObjectIDs: Set<ManagedObjectID> {
    Set(changeSet.deleted.map { ManagedObjectID(key: $0.key, scope: scope) })
  }

  /// All sets of ids as one value.
  public var changes: ObjectIDChanges {
    ObjectIDChanges(
      inserted: insertedObjectIDs, updated: updatedObjectIDs, deleted: deletedObjectIDs)
  }

  private func ids(_ pages: [RowPage]) -> Set<ManagedObjectID> {
    var ids = Set<ManagedObjectID>(minimumCapacity: pages.reduce(0) { $0 + $1.count })
    for page in pages {
      for index in 0..<page.count {
        ids.insert(ManagedObjectID(key: page.key(index), scope: scope))
      }
    }
    return ids
  }
}
