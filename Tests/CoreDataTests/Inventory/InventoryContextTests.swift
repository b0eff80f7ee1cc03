// SPDX-License-Identifier: MIT
import CoreData
import Foundation
import Testing

/// Chapter 1.5 of the inventory: contexts.
@Suite struct InventoryContextTests {
  let context: NSManagedObjectContext

  init() throws {
    context = try Notes.container().newBackgroundContext()
  }

  // MARK: - Making and settings

  @Test func contextsHaveOneOfThreeKinds() {
    let kinds: [NSManagedObjectContextConcurrencyType] = [
      .confinementConcurrencyType, .privateQueueConcurrencyType, .mainQueueConcurrencyType,
    ]
    #expect(kinds.map(\.rawValue) == [0, 1, 2])
    let _: (NSManagedObjectContextConcurrencyType) -> NSManagedObjectContext =
      NSManagedObjectContext.init(concurrencyType:)
    let kind: NSManagedObjectContextConcurrencyType = context.concurrencyType
    #expect(kind == .privateQueueConcurrencyType)
    #expect(NSManagedObjectContext(.mainQueue).concurrencyType == .mainQueueConcurrencyType)
    #expect(NSManagedObjectContext(.privateQueue).concurrencyType == .privateQueueConcurrencyType)
  }

  @Test func aNewContextHasCoreDatasDefaults() {
    let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
    let coordinator: NSPersistentStoreCoordinator? = context.persistentStoreCoordinator
    let parent: NSManagedObjectContext? = context.parent
    let (name, author): (String?, String?) = (context.name, context.transactionAuthor)
    let userInfo: NSMutableDictionary = context.userInfo
    let manager: UndoManager? = context.undoManager
    let policy: Any = context.mergePolicy
    let interval: TimeInterval = context.stalenessInterval
    #expect(coordinator == nil && parent == nil && name == nil && author == nil)
    #expect(userInfo.count == 0 && manager == nil && interval == -1)
    #expect(policy as? NSMergePolicy === NSMergePolicy.error)
    let flags: [Bool] = [
      context.hasChanges, context.automaticallyMergesChangesFromParent,
      context.retainsRegisteredObjects, context.propagatesDeletesAtEndOfEvent,
      context.shouldDeleteInaccessibleFaults,
    ]
    #expect(flags == [false, false, false, true, true])
    let _:
      (NSManagedObjectContext) -> (NSManagedObject, NSManagedObjectID, NSPropertyDescription?) ->
        Bool = NSManagedObjectContext.shouldHandleInaccessibleFault(_:for:triggeredByProperty:)
  }

  // MARK: - Blocks

  @Test func blocksRunOnTheQueue() async throws {
    let later: (NSManagedObjectContext) -> (@escaping () -> Void) -> Void =
      NSManagedObjectContext.perform(_:)
    await withCheckedContinuation { done in later(context)({ done.resume() }) }
    #expect(context.performAndWait { 3 } == 3)
    let schedule: NSManagedObjectContext.ScheduledTaskType = .enqueued
    #expect(await context.perform { 4 } == 4)
    #expect(await context.perform(schedule: schedule) { 5 } == 5)
    #expect(await context.perform(schedule: .immediate) { 6 } == 6)
    await #expect(throws: CocoaError.self) {
      try await context.perform { throw CocoaError(.userCancelled) }
    }
  }

  // MARK: - Objects

  @Test func objectsAreFoundByTheirIDs() throws {
    let _: (NSManagedObjectContext) -> (NSManagedObjectID) -> NSManagedObject =
      NSManagedObjectContext.object(with:)
    let _: (NSManagedObjectContext) -> (NSManagedObjectID) throws -> NSManagedObject =
      NSManagedObjectContext.existingObject(with:)
    let _: (NSManagedObjectContext) -> (NSManagedObjectID) -> NSManagedObject? =
      NSManagedObjectContext.registeredObject(for:)
    let note = Note(context: context)
    #expect(context.object(with: note.objectID) === note)
    #expect(try context.existingObject(with: note.objectID) === note)
    #expect(context.registeredObject(for: note.objectID) === note)
    #expect(context.registeredObject(for: NSManagedObjectID()) == nil)
  }

  @Test func changesAreListedAndSaved() throws {
    let _: (NSManagedObjectContext) -> (NSManagedObject) -> Void = NSManagedObjectContext.insert(_:)
    let _: (NSManagedObjectContext) -> (NSManagedObject) -> Void = NSManagedObjectContext.delete(_:)
    let note = Note(context: context)
    context.insert(note)
    let inserted: Set<NSManagedObject> = context.insertedObjects
    let registered: Set<NSManagedObject> = context.registeredObjects
    #expect(inserted == [note] && registered == [note] && context.hasChanges)
    try context.save()
    note.title = "A"
    let updated: Set<NSManagedObject> = context.updatedObjects
    #expect(updated == [note])
    context.delete(note)
    let deleted: Set<NSManagedObject> = context.deletedObjects
    #expect(deleted == [note] && context.updatedObjects.isEmpty)
  }

  @Test func newObjectsGetIDsAndStores() throws {
    let _: (NSManagedObjectContext) -> ([NSManagedObject]) throws -> Void =
      NSManagedObjectContext.obtainPermanentIDs(for:)
    let _: (NSManagedObjectContext) -> (Any, NSPersistentStore) -> Void =
      NSManagedObjectContext.assign(_:to:)
    let store = try #require(context.persistentStoreCoordinator?.persistentStores.first)
    let note = Note(context: context)
    context.assign(note, to: store)
    try context.obtainPermanentIDs(for: [note])
    #expect(!note.objectID.isTemporaryID && note.objectID.persistentStore === store)
  }

  @Test func fetchesReturnObjectsAndCounts() throws {
    let _: (NSManagedObjectContext) -> (NSFetchRequest<Note>) throws -> [Note] =
      NSManagedObjectContext.fetch
    let _: (NSManagedObjectContext) -> (NSFetchRequest<Note>) throws -> Int =
      NSManagedObjectContext.count(for:)
    let _:
      (NSManagedObjectContext) -> (NSPersistentStoreRequest) throws -> NSPersistentStoreResult =
        NSManagedObjectContext.execute
    let note = Note(context: context)
    let request = NSFetchRequest<Note>(entityName: "Note")
    #expect(try context.fetch(request) == [note] && context.count(for: request) == 1)
    let executed: [Note] = try context.performAndWait { try request.execute() }
    #expect(executed == [note])
  }

  // MARK: - Events and changes

  @Test func changesAreRefreshedUndoneAndDropped() throws {
    let actions: [(NSManagedObjectContext) -> () -> Void] = [
      NSManagedObjectContext.refreshAllObjects, NSManagedObjectContext.processPendingChanges,
      NSManagedObjectContext.undo, NSManagedObjectContext.redo, NSManagedObjectContext.reset,
      NSManagedObjectContext.rollback,
    ]
    let _: (NSManagedObjectContext) -> (NSManagedObject, Bool) -> Void =
      NSManagedObjectContext.refresh(_:mergeChanges:)
    let _: (NSManagedObjectContext) -> (NSManagedObject) -> Void =
      NSManagedObjectContext.detectConflicts(for:)
    #expect(actions.count == 6)
    let note = Note(context: context)
    try context.save()
    note.title = "A"
    context.refresh(note, mergeChanges: true)
    #expect(note.title == "A")
    context.rollback()
    #expect(note.title == "" && !context.hasChanges)
    context.reset()
    #expect(context.registeredObjects.isEmpty)
  }

  @Test func contextsMergeWhatOthersSave() throws {
    let _: (NSManagedObjectContext) -> (Notification) -> Void =
      NSManagedObjectContext.mergeChanges(fromContextDidSave:)
    let _: ([AnyHashable: Any], [NSManagedObjectContext]) -> Void =
      NSManagedObjectContext.mergeChanges(fromRemoteContextSave:into:)
    let note = Note(context: context)
    try context.save()
    let other = NSManagedObjectContext(.privateQueue)
    other.persistentStoreCoordinator = context.persistentStoreCoordinator
    let same = try #require(try other.existingObject(with: note.objectID) as? Note)
    #expect(same.title == "")
    note.title = "A"
    try context.save()
    NSManagedObjectContext.mergeChanges(
      fromRemoteContextSave: [NSUpdatedObjectIDsKey: [note.objectID]], into: [other])
    #expect(same.title == "A")
  }

  @Test func contextsPinGenerations() throws {
    let token: NSQueryGenerationToken? = context.queryGenerationToken
    #expect(token == nil)
    try context.setQueryGenerationFrom(NSQueryGenerationToken.current)
    #expect(context.queryGenerationToken != nil)
    try context.setQueryGenerationFrom(nil)
    #expect(context.queryGenerationToken == nil)
    #expect(NSQueryGenerationToken.current.copy() as? NSQueryGenerationToken == .current)
  }

  @available(*, deprecated)
  @Test func formerLocksAreThere() {
    let context = NSManagedObjectContext()
    #expect(context.concurrencyType == .confinementConcurrencyType)
    context.lock()
    #expect(context.tryLock())
    context.unlock()
    context.unlock()
  }

  // MARK: - Notifications

  @Test func notificationsHaveCoreDatasNames() {
    let names: [(NSNotification.Name, NSNotification.Name, String)] = [
      (
        .NSManagedObjectContextWillSave, NSManagedObjectContext.willSaveObjectsNotification,
        "NSManagingContextWillSaveChangesNotification"
      ),
      (
        .NSManagedObjectContextDidSave, NSManagedObjectContext.didSaveObjectsNotification,
        "NSManagingContextDidSaveChangesNotification"
      ),
      (
        .NSManagedObjectContextObjectsDidChange,
        NSManagedObjectContext.didChangeObjectsNotification,
        "NSObjectsChangedInManagingContextNotification"
      ),
      (
        .NSManagedObjectContextDidSaveObjectIDs,
        NSManagedObjectContext.didSaveObjectIDsNotification,
        "NSManagedObjectContextDidSaveObjectIDsNotification"
      ),
      (
        .NSManagedObjectContextDidMergeChangesObjectIDs,
        NSManagedObjectContext.didMergeChangesObjectIDsNotification,
        "NSManagedObjectContextDidMergeChangesObjectIDsNotification"
      ),
    ]
    for (older, newer, text) in names { #expect(older == newer && older.rawValue == text) }
  }

  @Test func keysOfNotificationsAreCoreDatas() {
    typealias Key = NSManagedObjectContext.NotificationKey
    let keys: [(String, Key, String)] = [
      (NSInsertedObjectsKey, .insertedObjects, "inserted"),
      (NSUpdatedObjectsKey, .updatedObjects, "updated"),
      (NSDeletedObjectsKey, .deletedObjects, "deleted"),
      (NSRefreshedObjectsKey, .refreshedObjects, "refreshed"),
      (NSInvalidatedObjectsKey, .invalidatedObjects, "invalidated"),
      (NSInvalidatedAllObjectsKey, .invalidatedAllObjects, "invalidatedAll"),
      (NSInsertedObjectIDsKey, .insertedObjectIDs, "inserted_objectIDs"),
      (NSUpdatedObjectIDsKey, .updatedObjectIDs, "updated_objectIDs"),
      (NSDeletedObjectIDsKey, .deletedObjectIDs, "deleted_objectIDs"),
      (NSRefreshedObjectIDsKey, .refreshedObjectIDs, "refreshed_objectIDs"),
      (NSInvalidatedObjectIDsKey, .invalidatedObjectIDs, "invalidated_objectIDs"),
      (NSManagedObjectContextQueryGenerationKey, .queryGeneration, "newQueryGeneration"),
    ]
    for (older, newer, text) in keys { #expect(older == newer.rawValue && older == text) }
    #expect(Key.sourceContext.rawValue == "managedObjectContext")
  }
}
