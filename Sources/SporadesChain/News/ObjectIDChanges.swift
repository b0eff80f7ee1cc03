// SPDX-License-Identifier: MIT
public import SporadesModel

/// The ids of objects that were inserted, updated, deleted or refreshed, under Core Data's names.
public struct ObjectIDChanges: Hashable, Sendable {
  /// The ids of inserted objects.
  public var insertedObjectIDs: Set<ManagedObjectID>
  /// The ids of changed objects.
  public var updatedObjectIDs: Set<ManagedObjectID>
  /// The ids of deleted objects.
  public var deletedObjectIDs: Set<ManagedObjectID>
  /// The ids of objects whose values changed outside of their context.
  public var refreshedObjectIDs: Set<ManagedObjectID>
  /// The ids of objects whose context was asked to forget their values and changes, and of objects whose store
  /// was removed. The latter are among the deleted ones too.
  public var invalidatedObjectIDs: Set<ManagedObjectID>

  /// Makes a value of sets of ids.
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

  /// Every set of ids is empty.
  public var isEmpty: Bool {
    insertedObjectIDs.isEmpty && updatedObjectIDs.isEmpty && deletedObjectIDs.isEmpty
      && refreshedObjectIDs.isEmpty && invalidatedObjectIDs.isEmpty
  }
}
