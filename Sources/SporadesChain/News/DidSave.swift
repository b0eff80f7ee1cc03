// SPDX-License-Identifier: MIT
public import SporadesModel
package import SporadesStore

/// One save, ready to be merged into other contexts. It holds the changed rows, so a merge reads nothing. For a
/// batch that the store carried out it holds keys, and a merge reads the rows of the objects in memory.
public struct DidSave: Sendable, Posted {
  package let changeSet: ChangeSet
  package let scope: StoreScope
  /// The save reached the store. A save that reached only a parent context has false.
  package let isInStore: Bool
  /// The name of the context that saved.
  public let contextName: String?
  /// The number of saves that the sequence dropped right before this one because its consumer was too slow.
  public package(set) var missed = 0

  package init(
    _ changeSet: ChangeSet, _ scope: StoreScope, contextName: String?, isInStore: Bool = true
  ) {
    self.isInStore = isInStore
    self.changeSet = changeSet
    self.scope = scope
    self.contextName = contextName
  }

  /// The ids of the objects that the save inserted.
  public var insertedObjectIDs: Set<ManagedObjectID> { ids(changeSet.inserted) }
  /// The ids of the objects that the save changed. The owner of a to-many relationship is changed by
  /// a member that joins or leaves it.
  public var updatedObjectIDs: Set<ManagedObjectID> {
    ids(changeSet.updated.map(\.page))
      .union(
        changeSet.rewritten.lazy.flatMap(\.keys).map { ManagedObjectID(key: $0, scope: scope) }
      )
      .union(changeSet.relinked.map { ManagedObjectID(key: $0, scope: scope) })
  }
  /// The ids of the objects that the save deleted.
  public var deletedObjectIDs: Set<ManagedObjectID> {
    Set(changeSet.deleted.map { ManagedObjectID(key: $0.key, scope: scope) })
  }

  /// The ids of all objects that the save inserted, changed and deleted.
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
