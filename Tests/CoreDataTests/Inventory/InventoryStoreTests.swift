// SPDX-License-Identifier: MIT
import CoreData
import Foundation
import Testing

/// Chapter 1.7 of the inventory: coordinators and their stores.
@Suite struct InventoryStoreTests {
  typealias Coordinator = NSPersistentStoreCoordinator
  typealias Options = [AnyHashable: Any]
  let folder: TemporaryFolder
  let url: URL
  let coordinator = Coordinator(managedObjectModel: Notes.model())

  init() throws {
    folder = try TemporaryFolder()
    url = folder.file("notes.sqlite")
  }

  // MARK: - Coordinators

  @Test func storesAreAddedAndFound() throws {
    let _: (Coordinator) -> (String, String?, URL?, Options?) throws -> NSPersistentStore =
      Coordinator.addPersistentStore(ofType:configurationName:at:options:)
    let _:
      (Coordinator) -> (NSPersistentStore.StoreType, String?, URL, Options?) throws ->
        NSPersistentStore = Coordinator.addPersistentStore(type:configuration:at:options:)
    let _:
      (Coordinator) -> (
        NSPersistentStoreDescription, @escaping (NSPersistentStoreDescription, (any Error)?) -> Void
      ) -> Void = Coordinator.addPersistentStore(with:completionHandler:)
    let _: (Coordinator) -> (NSPersistentStore) throws -> Void = Coordinator.remove
    let model: NSManagedObjectModel = coordinator.managedObjectModel
    let name: String? = coordinator.name
    #expect(model.entities.count == 3 && name == nil)
    let store = try coordinator.addPersistentStore(
      ofType: NSSQLiteStoreType, configurationName: nil, at: url)
    let stores: [NSPersistentStore] = coordinator.persistentStores
    let place: URL = coordinator.url(for: store)
    let found: NSPersistentStore? = coordinator.persistentStore(for: url)
    #expect(stores == [store] && place == url && found === store)
    try coordinator.remove(store)
    #expect(coordinator.persistentStores.isEmpty && store.persistentStoreCoordinator == nil)
  }

  @Test func metadataAreReadAndSet() throws {
    let store = try coordinator.addPersistentStore(type: .sqlite, at: url)
    var metadata: [String: Any] = coordinator.metadata(for: store)
    metadata["own"] = "A"
    coordinator.setMetadata(metadata, for: store)
    #expect(coordinator.metadata(for: store)["own"] as? String == "A")
    try coordinator.remove(store)
    let reads: [[String: Any]] = [
      try Coordinator.metadataForPersistentStore(ofType: NSSQLiteStoreType, at: url, options: nil),
      try Coordinator.metadataForPersistentStore(type: .sqlite, at: url),
      try NSPersistentStore.metadataForPersistentStore(with: url),
    ]
    #expect(reads.allSatisfy { $0["own"] as? String == "A" })
    #expect(reads.allSatisfy { $0[NSStoreTypeKey] as? String == NSSQLiteStoreType })
    metadata["own"] = "B"
    try Coordinator.setMetadata(
      metadata, forPersistentStoreOfType: NSSQLiteStoreType, at: url, options: nil)
    #expect(try read() == "B")
    metadata["own"] = "C"
    try Coordinator.setMetadata(metadata, type: .sqlite, at: url)
    #expect(try read() == "C")
    metadata["own"] = "D"
    try NSPersistentStore.setMetadata(metadata, forPersistentStoreAt: url)
    #expect(try read() == "D")
  }

  private func read() throws -> String? {
    try NSPersistentStore.metadataForPersistentStore(with: url)["own"] as? String
  }

  @Test func idsAreFoundByTheirURIs() throws {
    try coordinator.addPersistentStore(type: .sqlite, at: url)
    let context = NSManagedObjectContext(.privateQueue)
    context.persistentStoreCoordinator = coordinator
    let note = Note(context: context)
    try context.save()
    let uri = note.objectID.uriRepresentation()
    let byURL: NSManagedObjectID? = coordinator.managedObjectID(forURIRepresentation: uri)
    let byText: NSManagedObjectID? = coordinator.managedObjectID(for: uri.absoluteString)
    #expect(byURL == note.objectID && byText == note.objectID)
    #expect(coordinator.managedObjectID(for: "x-coredata://none/Note/p1") == nil)
    let results = try coordinator.execute(NSFetchRequest<Note>(entityName: "Note"), with: context)
    #expect(results as? [Note] == [note])
  }

  @Test func storesAreMovedReplacedAndDestroyed() throws {
    typealias Store = NSPersistentStore
    let _: (Coordinator) -> (Store, URL, Options?, String) throws -> Store =
      Coordinator.migratePersistentStore(_:to:options:withType:)
    let _: (Coordinator) -> (URL, String, Options?) throws -> Void =
      Coordinator.destroyPersistentStore(at:ofType:options:)
    let _: (Coordinator) -> (URL, Options?, URL, Options?, String) throws -> Void =
      Coordinator.replacePersistentStore(
        at:destinationOptions:withPersistentStoreFrom:sourceOptions:ofType:)
    let store = try coordinator.addPersistentStore(type: .sqlite, at: url)
    let (second, third) = (folder.file("second.sqlite"), folder.file("third.sqlite"))
    let moved = try coordinator.migratePersistentStore(store, to: second, type: .sqlite)
    #expect(moved.url == second && coordinator.persistentStores == [moved])
    try coordinator.remove(moved)
    try coordinator.replacePersistentStore(
      at: third, withPersistentStoreFrom: second, type: .sqlite)
    #expect(FileManager.default.fileExists(atPath: third.path))
    try coordinator.destroyPersistentStore(at: third, type: .sqlite)
    let metadata = Result { try NSPersistentStore.metadataForPersistentStore(with: third) }
    #expect(throws: (any Error).self) { try metadata.get() }
  }

  @Test func blocksRunAndUpkeepIsDone() async throws {
    let later: (Coordinator) -> (@escaping () -> Void) -> Void = Coordinator.perform(_:)
    await withCheckedContinuation { done in later(coordinator)({ done.resume() }) }
    #expect(coordinator.performAndWait { 3 } == 3)
    #expect(await coordinator.perform { 4 } == 4)
    await #expect(throws: CocoaError.self) {
      try await coordinator.perform { throw CocoaError(.userCancelled) }
    }
    try coordinator.finishDeferredLightweightMigration()
    try coordinator.finishDeferredLightweightMigrationTask()
    let token: NSPersistentHistoryToken? = coordinator.currentPersistentHistoryToken(
      fromStores: nil)
    #expect(token == nil)
  }

  @available(*, deprecated)
  @Test func formerLocksAreThere() {
    coordinator.lock()
    #expect(coordinator.tryLock())
    coordinator.unlock()
    coordinator.unlock()
  }

  // MARK: - Stores

  @Test func aStoreHasItsParts() throws {
    let store = try coordinator.addPersistentStore(
      type: .sqlite, at: url, options: [NSReadOnlyPersistentStoreOption: false])
    let owner: NSPersistentStoreCoordinator? = store.persistentStoreCoordinator
    let (type, configuration): (String, String) = (store.type, store.configurationName)
    let (options, place): (Options?, URL?) = (store.options, store.url)
    let identifier: String = store.identifier
    let isReadOnly: Bool = store.isReadOnly
    let metadata: [String: Any] = store.metadata
    #expect(owner === coordinator && type == NSSQLiteStoreType && place == url && !isReadOnly)
    #expect(configuration == "PF_DEFAULT_CONFIGURATION_NAME" && options?.count == 1)
    #expect(metadata[NSStoreUUIDKey] as? String == identifier)
    try store.loadMetadata()
    let manager: AnyClass = NSPersistentStore.migrationManagerClass()
    #expect(ObjectIdentifier(manager) == ObjectIdentifier(NSMigrationManager.self))
  }

  // MARK: - Descriptions

  @Test func aNewDescriptionHasCoreDatasDefaults() {
    let description = NSPersistentStoreDescription(url: url)
    let (type, configuration): (String, String?) = (description.type, description.configuration)
    let place: URL? = description.url
    let (options, pragmas): ([String: NSObject], [String: NSObject]) = (
      description.options, description.sqlitePragmas
    )
    let timeout: TimeInterval = description.timeout
    #expect(type == NSSQLiteStoreType && configuration == nil && place == url)
    #expect(options.count == 2 && pragmas.isEmpty && timeout == 240)
    let flags: [Bool] = [
      description.isReadOnly, description.shouldAddStoreAsynchronously,
      description.shouldMigrateStoreAutomatically, description.shouldInferMappingModelAutomatically,
    ]
    #expect(flags == [false, false, true, true])
    description.setOption(true as NSNumber, forKey: NSPersistentHistoryTrackingKey)
    description.setValue("OFF" as NSString, forPragmaNamed: "foreign_keys")
    #expect(description.options[NSPersistentHistoryTrackingKey] == true as NSNumber)
    #expect(description.sqlitePragmas == ["foreign_keys": "OFF" as NSString])
    #expect(description.copy() as? NSPersistentStoreDescription == description)
  }

  // MARK: - Containers

  @Test func aContainerHoldsTheStack() async throws {
    let _: (String) -> NSPersistentContainer = NSPersistentContainer.init(name:)
    let _: (NSPersistentContainer) -> () -> NSManagedObjectContext =
      NSPersistentContainer.newBackgroundContext
    let container = try Notes.container()
    let name: String = container.name
    let model: NSManagedObjectModel = container.managedObjectModel
    let owner: NSPersistentStoreCoordinator = container.persistentStoreCoordinator
    let view: NSManagedObjectContext = container.viewContext
    let stores: [NSPersistentStoreDescription] = container.persistentStoreDescriptions
    #expect(name == "Notes" && owner.managedObjectModel === model && stores.count == 1)
    #expect(view.concurrencyType == .mainQueueConcurrencyType)
    #expect(view.persistentStoreCoordinator === owner)
    let usual: URL = NSPersistentContainer.defaultDirectoryURL()
    #expect(usual.isFileURL)
    let later: (NSPersistentContainer) -> (@escaping (NSManagedObjectContext) -> Void) -> Void =
      NSPersistentContainer.performBackgroundTask(_:)
    let kind = await withCheckedContinuation { done in
      later(container)({ context in done.resume(returning: context.concurrencyType) })
    }
    #expect(kind == .privateQueueConcurrencyType)
    let count = try await container.performBackgroundTask { context in
      try context.count(for: NSFetchRequest<Note>(entityName: "Note"))
    }
    #expect(count == 0)
  }
}
