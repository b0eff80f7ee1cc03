// SPDX-License-Identifier: MIT
public import SporadesModel

/// The ids of objects that were inserted, updated, deleted or refreshed, under Core Data's names.
public struct ObjectIDChanges: Hashable, Sendable {
  public var insertedObjectIDs: Set<ManagedObjectID>
  public var updatedObjectIDs: Set<ManagedObjectID>
  public var deletedObjectIDs: Set<ManagedObjectID>
  /// Objects that show other values without having been changed in their context.
  public var refreshedObjectIDs: Set<ManagedObjectID>
  /// Objects that forgot their values and changes because their context was told to, and objects of a store
  /// that was removed, which are deleted too.
  public var invalidatedObjectIDs: Set<ManagedObjectID>

  public init(
    inserted: Set<ManagedObjectID> = [], updated: Set<ManagedObjectID> = [],
    deleted: Set<ManagedObjectID> = [], refreshed: Set<ManagedObjectID> = [],
    invalidated: Set<ManagedObjectID> = []
  ) {
    insertedObjectIDs = inserted
    updatedObjectIDs = updated
    deletedObjectIDs = deleted
    refreshedObjectIDs = refreshed
    invalidatedObjectIDs = invalidated
  }

  public var isEmpty: Bool {
    insertedObjectIDs.isEmpty && updatedObjectIDs.isEmpty && deletedObjectIDs.isEmpty
      && refreshedObjectIDs.isEmpty && invalidatedObjectIDs.isEmpty
  }
}
