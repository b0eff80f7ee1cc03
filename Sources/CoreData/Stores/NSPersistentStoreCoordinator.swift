// SPDX-License-Identifier: MIT
public import Foundation
import SporadesContainers
import SporadesGraph
import SporadesMissingFoundation
public import SporadesModel
import SporadesSQLite
import SporadesStore

/// The stores under a model's contexts.
open class NSPersistentStoreCoordinator: NSObject, @unchecked Sendable {
  // @unchecked: a lock guards the list of stores, and all else is constant.

  /// The model, which cannot be changed any more.
  public let managedObjectModel: NSManagedObjectModel
  /// The library's stores and contexts.
  let coordinator: PersistentStoreCoordinator
  let stack: DataStack
  private let types: [ObjectIdentifier: NSEntityDescription]
  private let stores = Guarded<[NSPersistentStore]>([])
  /// The lock of code that was written before coordinators had queues.
  let formerLock = NSRecursiveLock()

  /// Makes a coordinator without stores.
  public convenience init(managedObjectModel model: NSManagedObjectModel) {
    self.init(managedObjectModel: model, isListed: true)
  }

  /// Ends the program, as Core Data does: a coordinator is made for a model.
  public convenience override init() {
    trap("A coordinator was made without a model. Call init(managedObjectModel:).")
  }

  init(managedObjectModel model: NSManagedObjectModel, isListed: Bool) {
    NSPredicate.prepareCompounds()
    managedObjectModel = model
    let built = model.built(for: "The model of a coordinator has mistakes")
    coordinator = PersistentStoreCoordinator(model: built)
    let entities = model.entitiesByName
    var types: [ObjectIdentifier: NSEntityDescription] = [:]
    stack = DataStack(holding: coordinator) { shape in
      guard let entity = entities[shape.name] else {
        trap("The model has no entity \(shape.name), of which it was made.")
      }
      let type = ClassNames.type(named: entity.managedObjectClassName, of: shape.name)
      if type != NSManagedObject.self { types[ObjectIdentifier(type)] = entity }
      return EntityClass(
        type, entity: BoundEntity(entity, shape),
        validatedProperties: OwnChecks.properties(of: entity, type))
    }
    self.types = types
    super.init()
    if isListed { LoadedEntities.add(self) }
  }

  /// A name for logs and debugging.
  public var name: String? {
    get { coordinator.name }
    set { coordinator.name = newValue }
  }

  /// The stores, in the order in which they were added.
  public var persistentStores: [NSPersistentStore] { stores.withLock { $0 } }

  // MARK: - Entities

  /// The entity of the class; nil if the model has none.
  func knownEntity(of type: NSManagedObject.Type) -> NSEntityDescription? {
    types[ObjectIdentifier(type)]
  }

  func entity(of type: NSManagedObject.Type) -> NSEntityDescription {
    if let known = types[ObjectIdentifier(type)] { return known }
    let named = managedObjectModel.entitiesByName["\(type)"]
    if let named,
      ClassNames.type(named: named.managedObjectClassName, of: named.requiredName) == type
    {
      return named
    }
    trap(
      "The model has no entity of the class \(type). Name the class in the model, or make the object with init(entity:insertInto:)."
    )
  }

  // MARK: - Stores

  /// Opens or makes a store, and adds it.
  @discardableResult
  public func addPersistentStore(
    ofType storeType: String, configurationName configuration: String?, at storeURL: URL?,
    options: [AnyHashable: Any]? = nil
  ) throws -> NSPersistentStore {
    do {
      let parsed = try StoreOptions(
        type: storeType, configuration: configuration, url: storeURL, options: options,
        model: managedObjectModel)
      try MappedMigration(storeURL, managedObjectModel, parsed.description)?.run()
      let opened = try coordinator.addPersistentStore(with: parsed.description)
      let store = NSPersistentStore(
        opened, type: storeType, configuration: configuration,
        url: storeURL ?? URL(fileURLWithPath: "/dev/null"), options: options, of: self)
      stores.withLock { $0.append(store) }
      hearOthers(in: store)
      post(.NSPersistentStoreCoordinatorStoresDidChange, [NSAddedPersistentStoresKey: [store]])
      return store
    } catch {
      throw NSError.coreData(error)
    }
  }

  /// Adds a store that is open already.
  func add(_ opened: any PersistentStore, at url: URL) throws -> NSPersistentStore {
    try coordinator.addPersistentStore(opened)
    let store = NSPersistentStore(
      opened, type: NSSQLiteStoreType, configuration: opened.configurationName, url: url,
      options: nil, of: self)
    stores.withLock { $0.append(store) }
    return store
  }

  /// Opens or makes a store, and adds it.
  @discardableResult
  public func addPersistentStore(
    type: NSPersistentStore.StoreType, configuration: String? = nil, at storeURL: URL,
    options: [AnyHashable: Any]? = nil
  ) throws -> NSPersistentStore {
    try addPersistentStore(
      ofType: type.rawValue, configurationName: configuration, at: storeURL, options: options)
  }

  /// Opens or makes the store of a description, and tells the outcome.
  public func addPersistentStore(
    with description: NSPersistentStoreDescription,
    completionHandler block: @escaping (NSPersistentStoreDescription, (any Error)?) -> Void
  ) {
    let add = UncheckedBlock(run: {
      do {
        try self.add(description)
        block(description, nil)
      } catch {
        block(description, error)
      }
    })
    guard description.shouldAddStoreAsynchronously else { return add.run() }
    DispatchQueue.global().async { add.run() }
  }

  /// Opens or makes the store of a description.
  func add(_ description: NSPersistentStoreDescription) throws {
    try addPersistentStore(
      ofType: description.type, configurationName: description.configuration,
      at: description.url, options: description.optionsWithPragmas())
  }

  /// Commits and removes a store.
  public func remove(_ store: NSPersistentStore) throws {
    post(.NSPersistentStoreCoordinatorWillRemoveStore, [NSRemovedPersistentStoresKey: [store]])
    do { try coordinator.remove(store.opened) } catch { throw NSError.coreData(error) }
    stores.withLock { $0.removeAll { $0 === store } }
    store.persistentStoreCoordinator = nil
    post(.NSPersistentStoreCoordinatorStoresDidChange, [NSRemovedPersistentStoresKey: [store]])
  }

  private func post(_ name: Notification.Name, _ info: [String: Any]) {
    NotificationCenter.default.post(name: name, object: self, userInfo: info)
  }

  /// The file of a store.
  public func url(for store: NSPersistentStore) -> URL {
    guard let url = store.url else { trap("\(store) lies in no file.") }
    return url
  }

  /// The store in a file.
  public func persistentStore(for url: URL) -> NSPersistentStore? {
    persistentStores.first { $0.url?.standardizedFileURL == url.standardizedFileURL }
  }

  /// The id that a URI stands for; nil if no store of the coordinator has it.
  public func managedObjectID(forURIRepresentation url: URL) -> NSManagedObjectID? {
    coordinator.managedObjectID(forURIRepresentation: url)
  }

  /// Copies a store to another place or another type, and replaces it by the copy. Objects keep their ids.
  @discardableResult
  public func migratePersistentStore(
    _ store: NSPersistentStore, to url: URL, options: [AnyHashable: Any]? = nil,
    withType storeType: String
  ) throws -> NSPersistentStore {
    do {
      let parsed = try StoreOptions(
        type: storeType, configuration: store.configurationName, url: url, options: options)
      let opened = try coordinator.migratePersistentStore(
        store.opened, to: url, type: parsed.description.type,
        options: parsed.description.sqliteOptions)
      let new = NSPersistentStore(
        opened, type: storeType, configuration: store.configurationName, url: url, options: options,
        of: self)
      stores.withLock { stores in
        if let place = stores.firstIndex(where: { $0 === store }) { stores[place] = new }
      }
      hearOthers(in: new)
      store.persistentStoreCoordinator = nil
      return new
    } catch {
      throw NSError.coreData(error)
    }
  }

  /// Copies a store to another place or another type, and replaces it by the copy. Objects keep their ids.
  @discardableResult
  public func migratePersistentStore(
    _ store: NSPersistentStore, to url: URL, options: [AnyHashable: Any]? = nil,
    type: NSPersistentStore.StoreType
  ) throws -> NSPersistentStore {
    try migratePersistentStore(store, to: url, options: options, withType: type.rawValue)
  }

  /// Removes the store in a file, which leaves the coordinator if it has it.
  public func destroyPersistentStore(
    at url: URL, ofType storeType: String, options: [AnyHashable: Any]? = nil
  ) throws {
    do {
      if let own = persistentStore(for: url) { try remove(own) }
      guard FileManager.default.fileExists(atPath: url.path) else { return }
      try PersistentStoreCoordinator.destroyPersistentStore(at: url)
    } catch {
      throw NSError.coreData(error)
    }
  }

  /// Removes the store in a file.
  public func destroyPersistentStore(
    at url: URL, type: NSPersistentStore.StoreType, options: [AnyHashable: Any]? = nil
  ) throws {
    try destroyPersistentStore(at: url, ofType: type.rawValue, options: options)
  }

  /// Replaces the store in a file by a copy of another one.
  public func replacePersistentStore(
    at destinationURL: URL, destinationOptions: [AnyHashable: Any]? = nil,
    withPersistentStoreFrom sourceURL: URL, sourceOptions: [AnyHashable: Any]? = nil,
    ofType storeType: String
  ) throws {
    do {
      if let own = persistentStore(for: destinationURL) { try remove(own) }
      try PersistentStoreCoordinator.replacePersistentStore(
        at: destinationURL, withPersistentStoreFrom: sourceURL)
    } catch {
      throw NSError.coreData(error)
    }
  }

  /// Replaces the store in a file by a copy of another one.
  public func replacePersistentStore(
    at destinationURL: URL, destinationOptions: [AnyHashable: Any]? = nil,
    withPersistentStoreFrom sourceURL: URL, sourceOptions: [AnyHashable: Any]? = nil,
    type: NSPersistentStore.StoreType
  ) throws {
    try replacePersistentStore(
      at: destinationURL, withPersistentStoreFrom: sourceURL, ofType: type.rawValue)
  }

  // MARK: - Metadata

  /// The entries of a store's property list.
  public func metadata(for store: NSPersistentStore) -> [String: Any] { store.metadata }
  /// Replaces the entries of a store's property list.
  public func setMetadata(_ metadata: [String: Any]?, for store: NSPersistentStore) {
    store.metadata = metadata
  }

  /// The entries of the property list of a store that is not open.
  public class func metadataForPersistentStore(
    ofType storeType: String, at url: URL, options: [AnyHashable: Any]? = nil
  ) throws -> [String: Any] {
    do {
      var metadata = StoreMetadataCoding.plain(try SQLiteStore.metadata(ofStoreAt: url))
      metadata[NSStoreTypeKey] = storeType
      return metadata
    } catch {
      throw NSError.coreData(error)
    }
  }

  /// The entries of the property list of a store that is not open.
  public class func metadataForPersistentStore(
    type: NSPersistentStore.StoreType, at url: URL, options: [AnyHashable: Any]? = nil
  ) throws -> [String: Any] {
    try metadataForPersistentStore(ofType: type.rawValue, at: url, options: options)
  }

  /// Replaces the entries of the property list of a store that is not open.
  public class func setMetadata(
    _ metadata: [String: Any]?, forPersistentStoreOfType storeType: String, at url: URL,
    options: [AnyHashable: Any]? = nil
  ) throws {
    do {
      try SQLiteStore.setMetadata(try StoreMetadataCoding.values(metadata ?? [:]), ofStoreAt: url)
    } catch {
      throw NSError.coreData(error)
    }
  }

  // MARK: - Blocks

  /// Runs a block, later and on another thread.
  public func perform(_ block: @escaping () -> Void) {
    let block = UncheckedBlock(run: block)
    DispatchQueue.global().async { block.run() }
  }

  /// Runs a block, and waits for it.
  public func performAndWait<T>(_ block: () throws -> T) rethrows -> T { try block() }
}
