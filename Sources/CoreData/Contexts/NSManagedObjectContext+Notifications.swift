// SPDX-License-Identifier: MIT
// swift-format-ignore-file: AlwaysUseLowerCamelCase, NoLeadingUnderscores

public import Foundation
import SporadesChain
import SporadesGraph
import SporadesModel

public let NSInsertedObjectsKey = "inserted"
public let NSUpdatedObjectsKey = "updated"
public let NSDeletedObjectsKey = "deleted"
public let NSRefreshedObjectsKey = "refreshed"
public let NSInvalidatedObjectsKey = "invalidated"
public let NSInvalidatedAllObjectsKey = "invalidatedAll"
public let NSInsertedObjectIDsKey = "inserted_objectIDs"
public let NSUpdatedObjectIDsKey = "updated_objectIDs"
public let NSDeletedObjectIDsKey = "deleted_objectIDs"
public let NSRefreshedObjectIDsKey = "refreshed_objectIDs"
public let NSInvalidatedObjectIDsKey = "invalidated_objectIDs"
public let NSManagedObjectContextQueryGenerationKey = "newQueryGeneration"

extension Notification.Name {
  /// A context is about to save.
  public static let NSManagedObjectContextWillSave = Notification.Name(
    "NSManagingContextWillSaveChangesNotification")
  /// A context has saved.
  public static let NSManagedObjectContextDidSave = Notification.Name(
    "NSManagingContextDidSaveChangesNotification")
  /// Objects of a context were inserted, changed, deleted or refreshed.
  public static let NSManagedObjectContextObjectsDidChange = Notification.Name(
    "NSObjectsChangedInManagingContextNotification")
  /// A context has saved; the notification has ids alone.
  public static let NSManagedObjectContextDidSaveObjectIDs = Notification.Name(
    "NSManagedObjectContextDidSaveObjectIDsNotification")
  /// A context has merged changes of others; the notification has ids alone.
  public static let NSManagedObjectContextDidMergeChangesObjectIDs = Notification.Name(
    "NSManagedObjectContextDidMergeChangesObjectIDsNotification")
}

extension NSManagedObjectContext {
  public static let willSaveObjectsNotification = Notification.Name.NSManagedObjectContextWillSave
  public static let didSaveObjectsNotification = Notification.Name.NSManagedObjectContextDidSave
  public static let didChangeObjectsNotification = Notification.Name
    .NSManagedObjectContextObjectsDidChange
  public static let didSaveObjectIDsNotification = Notification.Name
    .NSManagedObjectContextDidSaveObjectIDs
  public static let didMergeChangesObjectIDsNotification = Notification.Name
    .NSManagedObjectContextDidMergeChangesObjectIDs

  /// The keys of notifications, by the names of newer code.
  public enum NotificationKey: String, Sendable {
    case sourceContext = "managedObjectContext"
    case queryGeneration = "newQueryGeneration"
    case invalidatedAllObjects = "invalidatedAll"
    case insertedObjects = "inserted"
    case updatedObjects = "updated"
    case deletedObjects = "deleted"
    case refreshedObjects = "refreshed"
    case invalidatedObjects = "invalidated"
    case insertedObjectIDs = "inserted_objectIDs"
    case updatedObjectIDs = "updated_objectIDs"
    case deletedObjectIDs = "deleted_objectIDs"
    case refreshedObjectIDs = "refreshed_objectIDs"
    case invalidatedObjectIDs = "invalidated_objectIDs"
  }

  /// The key of the save itself, which a context of the same stack can merge whole.
  private static let saveKey = "SporadesDidSave"

  /// Posts the events of the library's context under Core Data's names.
  func notifications(of context: ManagedObjectContext) -> ContextObservation {
    context.observeObjects { [weak self] change in self?.post(change) }
  }

  private func post(_ change: ContextChange) {
    var objects: [AnyHashable: Any] = [:]
    func add(_ key: String, _ set: Set<ManagedObject>) {
      if !set.isEmpty { objects[key] = own(set) }
    }
    func addChanges() {
      add(NSInsertedObjectsKey, change.insertedObjects)
      add(NSUpdatedObjectsKey, change.updatedObjects)
      add(NSDeletedObjectsKey, change.deletedObjects)
    }
    switch change.name {
    case .willSave: post(.NSManagedObjectContextWillSave, [:])
    case .didSave:
      addChanges()
      objects[Self.saveKey] = change.notification.didSave
      objects["managedObjectContext"] = self
      if parent == nil { persistentStoreCoordinator?.announce(change.ids) }
      post(.NSManagedObjectContextDidSave, objects)
      post(.NSManagedObjectContextDidSaveObjectIDs, ids(change.ids))
    case .objectsDidChange:
      addChanges()
      add(NSRefreshedObjectsKey, change.refreshedObjects)
      add(NSInvalidatedObjectsKey, change.invalidatedObjects)
      post(.NSManagedObjectContextObjectsDidChange, objects)
    case .didMergeChanges:
      post(.NSManagedObjectContextDidMergeChangesObjectIDs, ids(change.ids))
    case .invalidatedAllObjects:
      objects[NSInvalidatedAllObjectsKey] = Array(registeredObjects)
      post(.NSManagedObjectContextObjectsDidChange, objects)
    }
  }

  private func post(_ name: Notification.Name, _ info: [AnyHashable: Any]) {
    NotificationCenter.default.post(name: name, object: self, userInfo: info)
  }

  private func ids(_ changes: ObjectIDChanges) -> [AnyHashable: Any] {
    let all = [
      (NSInsertedObjectIDsKey, changes.insertedObjectIDs),
      (NSUpdatedObjectIDsKey, changes.updatedObjectIDs),
      (NSDeletedObjectIDsKey, changes.deletedObjectIDs),
      (NSRefreshedObjectIDsKey, changes.refreshedObjectIDs),
      (NSInvalidatedObjectIDsKey, changes.invalidatedObjectIDs),
    ]
    var info: [AnyHashable: Any] = ["managedObjectContext": self]
    for (key, ids) in all where !ids.isEmpty { info[key] = ids }
    return info
  }

  // MARK: - Merging

  /// Merges what another context has saved.
  public func mergeChanges(fromContextDidSave notification: Notification) {
    let info = notification.userInfo ?? [:]
    do {
      try queue.performHere { context in
        if let save = info[Self.saveKey] as? DidSave, save.isInStore || parent != nil {
          try context.mergeChanges(from: save)
        } else {
          try context.mergeChanges(fromRemote: changes(info))
        }
        context.processPendingChanges()
      }
    } catch {
      trap("A context cannot merge what another one has saved: \(error)")
    }
  }

  /// Merges changes of another process or of a batch into contexts.
  public class func mergeChanges(
    fromRemoteContextSave changeNotificationData: [AnyHashable: Any],
    into contexts: [NSManagedObjectContext]
  ) {
    var done: Set<ObjectIdentifier> = []
    for context in contexts {
      // A parent merges before its children, because they show its rows.
      let line = sequence(first: context, next: \.parent)
      for context in line.reversed() where done.insert(ObjectIdentifier(context)).inserted {
        context.performAndWait {
          do {
            try context.held.mergeChanges(fromRemote: context.changes(changeNotificationData))
          } catch {
            trap("A context cannot merge changes of another one: \(error)")
          }
        }
      }
    }
  }

  /// The ids in the information of a notification, whose objects may be of any context.
  private func changes(_ info: [AnyHashable: Any]) -> ObjectIDChanges {
    func ids(_ keys: String...) -> Set<ManagedObjectID> {
      Set(keys.flatMap { key in (info[key].map(Self.identifiers)) ?? [] }.map(current))
    }
    return ObjectIDChanges(
      inserted: ids(NSInsertedObjectsKey, NSInsertedObjectIDsKey),
      updated: ids(NSUpdatedObjectsKey, NSUpdatedObjectIDsKey),
      deleted: ids(NSDeletedObjectsKey, NSDeletedObjectIDsKey),
      refreshed: ids(NSRefreshedObjectsKey, NSRefreshedObjectIDsKey))
  }

  private static func identifiers(_ value: Any) -> [ManagedObjectID] {
    switch value {
    case let id as ManagedObjectID: [id]
    case let object as NSManagedObject: [object.objectID]
    case let ids as Set<ManagedObjectID>: Array(ids)
    case let ids as [ManagedObjectID]: ids
    case let objects as Set<NSManagedObject>: objects.map(\.objectID)
    case let objects as [Any]: objects.flatMap(identifiers)
    case let objects as NSSet: objects.flatMap(identifiers)
    case let objects as Set<AnyHashable>: objects.flatMap { identifiers($0.base) }
    default: []
    }
  }
}
