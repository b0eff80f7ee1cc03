// SPDX-License-Identifier: MIT
import CoreData
import Foundation
import Testing

/// A note that checks its values.
final class CheckedNote: NSManagedObject {
  override func validateValue(
    _ value: AutoreleasingUnsafeMutablePointer<AnyObject?>, forKey key: String
  ) throws {
    try unsafe super.validateValue(value, forKey: key)
    guard key == "title", let title = unsafe value.pointee as? String else { return }
    if title == "forbidden" {
      throw NSError(domain: "CheckedNote", code: 7)
    }
    unsafe value.pointee = title.uppercased() as AnyObject
  }
}

/// Chapter 1.4 of the inventory: objects and their ids.
@Suite struct InventoryObjectTests {
  let context: NSManagedObjectContext
  let note: Note

  init() throws {
    context = try Notes.container().newBackgroundContext()
    note = Note(context: context)
  }

  // MARK: - What an object is

  @Test func objectsAreMadeByClassesAndEntities() throws {
    let _: (NSEntityDescription, NSManagedObjectContext?) -> NSManagedObject =
      NSManagedObject.init(entity:insertInto:)
    let _: (NSManagedObjectContext) -> NSManagedObject = NSManagedObject.init(context:)
    let ignores: Bool = NSManagedObject.contextShouldIgnoreUnmodeledPropertyChanges
    let entity: NSEntityDescription = Note.entity()
    let request: NSFetchRequest<any NSFetchRequestResult> = Note.fetchRequest()
    #expect(ignores && entity.name == "Note" && request.entityName == "Note")
    let other = Note(entity: entity, insertInto: nil)
    #expect(other.managedObjectContext == nil)
  }

  @Test func anObjectKnowsItsPlaceAndState() throws {
    let place: NSManagedObjectContext? = note.managedObjectContext
    let entity: NSEntityDescription = note.entity
    let id: NSManagedObjectID = note.objectID
    #expect(place === context && entity.name == "Note" && id.isTemporaryID)
    note.title = "A"
    let states: [Bool] = [
      note.isInserted, note.isUpdated, note.isDeleted, note.hasChanges,
      note.hasPersistentChangedValues, note.isFault,
    ]
    #expect(states == [true, false, false, true, true, false])
    let faulting: Int = note.faultingState
    #expect(faulting == 0)
    try context.save()
    context.refresh(note, mergeChanges: false)
    #expect(note.isFault && note.faultingState != 0 && !note.hasChanges)
  }

  @Test func relationshipsAreAskedForFaultsAndIDs() throws {
    let _: (NSManagedObject) -> (String) -> Bool = NSManagedObject.hasFault(
      forRelationshipNamed:)
    let _: (NSManagedObject) -> (String) -> [NSManagedObjectID] =
      NSManagedObject.objectIDs(forRelationshipNamed:)
    let folder = Folder(context, name: "A")
    folder.notes = [note]
    try context.save()
    #expect(folder.objectIDs(forRelationshipNamed: "notes") == [note.objectID])
    #expect(!folder.hasFault(forRelationshipNamed: "notes"))
  }

  // MARK: - Values

  @Test func valuesAreReadAndSetByName() {
    let _: (NSManagedObject) -> (String?) -> Void = NSManagedObject.willAccessValue(forKey:)
    let _: (NSManagedObject) -> (String?) -> Void = NSManagedObject.didAccessValue(forKey:)
    let _: (NSManagedObject) -> (String) -> Void = NSManagedObject.willChangeValue(forKey:)
    let _: (NSManagedObject) -> (String) -> Void = NSManagedObject.didChangeValue(forKey:)
    let _: (NSManagedObject) -> (String) -> Any? = NSManagedObject.value(forKey:)
    let _: (NSManagedObject) -> (Any?, String) -> Void = NSManagedObject.setValue(_:forKey:)
    let _: (NSManagedObject) -> (String) -> Any? = NSManagedObject.primitiveValue(forKey:)
    let _: (NSManagedObject) -> (Any?, String) -> Void = NSManagedObject.setPrimitiveValue(
      _:forKey:)
    note.setValue("A", forKey: "title")
    #expect(note.value(forKey: "title") as? String == "A")
    note.willChangeValue(forKey: "rank")
    note.setPrimitiveValue(4, forKey: "rank")
    note.didChangeValue(forKey: "rank")
    note.willAccessValue(forKey: "rank")
    #expect(note.primitiveValue(forKey: "rank") as? Int == 4)
    note.didAccessValue(forKey: "rank")
  }

  @Test func aChangeOfASetIsAnnounced() throws {
    typealias Change =
      (NSManagedObject) -> (String, NSKeyValueSetMutationKind, Set<AnyHashable>) -> Void
    let _: Change = NSManagedObject.willChangeValue(forKey:withSetMutation:using:)
    let _: Change = NSManagedObject.didChangeValue(forKey:withSetMutation:using:)
    let folder = Folder(context, name: "A")
    try context.save()
    #expect(!folder.hasChanges)
    folder.willChangeValue(forKey: "notes", withSetMutation: .union, using: [note])
    folder.setPrimitiveValue(NSSet(object: note), forKey: "notes")
    folder.didChangeValue(forKey: "notes", withSetMutation: .union, using: [note])
    #expect(folder.hasChanges && folder.notes == [note])
    let kinds: [NSKeyValueSetMutationKind] = [.union, .minus, .intersect, .set]
    #expect(kinds.map(\.rawValue) == [1, 2, 3, 4])
  }

  @Test func setsAreChangedByProxies() {
    let tags: NSMutableSet = note.mutableSetValue(forKey: "tags")
    let tag = NSEntityDescription.insertNewObject(forEntityName: "Tag", into: context)
    tags.add(tag)
    #expect(note.tags?.contains(tag) == true)
    let _: (NSManagedObject) -> (String) -> NSMutableOrderedSet =
      NSManagedObject.mutableOrderedSetValue(forKey:)
  }

  @Test func changesAreListed() throws {
    note.title = "A"
    try context.save()
    note.title = "B"
    let changed: [String: Any] = note.changedValues()
    let committed: [String: Any] = note.committedValues(forKeys: ["title"])
    let event: [String: Any] = note.changedValuesForCurrentEvent()
    #expect(changed as? [String: String] == ["title": "B"])
    #expect(committed as? [String: String] == ["title": "A"])
    #expect(event as? [String: String] == ["title": "A"])
  }

  // MARK: - Moments

  @Test func momentsAreMethodsToOverride() {
    let moments: [(NSManagedObject) -> () -> Void] = [
      NSManagedObject.awakeFromFetch, NSManagedObject.awakeFromInsert,
      NSManagedObject.prepareForDeletion, NSManagedObject.willSave, NSManagedObject.didSave,
      NSManagedObject.willTurnIntoFault, NSManagedObject.didTurnIntoFault,
    ]
    let _: (NSManagedObject) -> (NSSnapshotEventType) -> Void =
      NSManagedObject.awake(fromSnapshotEvents:)
    #expect(moments.count == 7 && note.awakenings == 1)
    let events: [NSSnapshotEventType] = [
      .undoInsertion, .undoDeletion, .undoUpdate, .rollback, .refresh, .mergePolicy,
    ]
    #expect(events.map(\.rawValue) == [2, 4, 8, 16, 32, 64])
  }

  // MARK: - Checks

  @Test func checksThrowCoreDatasErrors() throws {
    let checks: [(NSManagedObject) -> () throws -> Void] = [
      NSManagedObject.validateForInsert, NSManagedObject.validateForUpdate,
      NSManagedObject.validateForDelete,
    ]
    #expect(checks.count == 3)
    note.setValue(nil, forKey: "title")
    let error = #expect(throws: (any Error).self) { try note.validateForInsert() } as NSError?
    #expect(error?.domain == NSCocoaErrorDomain)
    #expect(error?.code == NSValidationMissingMandatoryPropertyError)
    #expect(error?.userInfo[NSValidationKeyErrorKey] as? String == "title")
    try Note(context: context).validateForUpdate()
  }

  @Test func aValueIsCheckedByPointer() throws {
    typealias Check =
      (NSManagedObject) -> (AutoreleasingUnsafeMutablePointer<AnyObject?>, String) throws -> Void
    let _: Check = unsafe NSManagedObject.validateValue(_:forKey:)
    var value: AnyObject? = "A" as AnyObject
    try unsafe note.validateValue(&value, forKey: "title")
    value = note.folder
    try unsafe note.validateValue(&value, forKey: "folder")
    value = nil
    let error =
      #expect(throws: (any Error).self) {
        try unsafe note.validateValue(&value, forKey: "title")
      } as NSError?
    #expect(error?.code == NSValidationMissingMandatoryPropertyError)
  }

  @Test func aSaveChecksValuesByAnOverride() throws {
    let model = Notes.model()
    model.entitiesByName["Note"]?.managedObjectClassName = NSStringFromClass(CheckedNote.self)
    let context = try Notes.container(model).newBackgroundContext()
    let note = try #require(
      NSEntityDescription.insertNewObject(forEntityName: "Note", into: context) as? CheckedNote)
    var value: AnyObject? = "a" as AnyObject
    try unsafe note.validateValue(&value, forKey: "title")
    #expect(value as? String == "A")
    note.setValue("forbidden", forKey: "title")
    let error = #expect(throws: (any Error).self) { try context.save() } as NSError?
    #expect(error?.domain == "CheckedNote" && error?.code == 7)
    note.setValue("allowed", forKey: "title")
    try context.save()
    #expect(note.value(forKey: "title") as? String == "allowed")
  }

  @Test func otherClassesAreNotAskedForEachProperty() {
    let entity = Note.entity()
    #expect(OwnChecks.properties(of: entity, Note.self).isEmpty)
    #expect(OwnChecks.properties(of: entity, NSManagedObject.self).isEmpty)
    #expect(OwnChecks.properties(of: entity, CheckedNote.self).count == entity.properties.count)
  }

  // MARK: - Ids

  @Test func anIDNamesItsEntityAndStore() throws {
    let temporary: URL = note.objectID.uriRepresentation()
    #expect(temporary.scheme == "x-coredata" && temporary.lastPathComponent.hasPrefix("t"))
    try context.save()
    let id = note.objectID
    let entity: NSEntityDescription = id.entity
    let store: NSPersistentStore? = id.persistentStore
    let isTemporary: Bool = id.isTemporaryID
    #expect(entity.name == "Note" && store != nil && !isTemporary)
    let uri = id.uriRepresentation()
    #expect(uri.host == store?.identifier && uri.pathComponents.dropFirst().first == "Note")
    #expect(uri.lastPathComponent.hasPrefix("p"))
    #expect(context.persistentStoreCoordinator?.managedObjectID(forURIRepresentation: uri) == id)
  }
}
