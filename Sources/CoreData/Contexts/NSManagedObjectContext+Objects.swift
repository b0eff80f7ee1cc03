// SPDX-License-Identifier: MIT
import Foundation
public import SporadesGraph
public import SporadesModel

// The objects of a context: what it has, finds, changes and saves.
extension NSManagedObjectContext {
  // MARK: - Objects

  /// The object with an id, which may be a fault that leads nowhere.
  public func object(with objectID: NSManagedObjectID) -> NSManagedObject {
    do {
      return own(try held.object(with: current(objectID)))
    } catch {
      trap("\(error)")
    }
  }

  /// The object with an id; an error if there is none.
  public func existingObject(with objectID: NSManagedObjectID) throws -> NSManagedObject {
    let id = current(objectID)
    return own(try work { try $0.existingObject(with: id) })
  }

  /// The object with an id that the context has in memory.
  public func registeredObject(for objectID: NSManagedObjectID) -> NSManagedObject? {
    held.registeredObject(for: current(objectID)).map(own)
  }

  /// The objects that the context has in memory.
  public var registeredObjects: Set<NSManagedObject> { own(held.registeredObjects) }
  /// The objects that the next save inserts.
  public var insertedObjects: Set<NSManagedObject> { own(held.insertedObjects) }
  /// The objects that the next save changes.
  public var updatedObjects: Set<NSManagedObject> { own(held.updatedObjects) }
  /// The objects that the next save deletes.
  public var deletedObjects: Set<NSManagedObject> { own(held.deletedObjects) }
  /// Whether there is something to save.
  public var hasChanges: Bool { persistentStoreCoordinator != nil && held.hasChanges }

  /// Marks an object for deletion by the next save.
  public func delete(_ object: NSManagedObject) { held.delete(object) }

  /// Drops or renews the values of an object.
  public func refresh(_ object: NSManagedObject, mergeChanges flag: Bool) {
    if !flag { object.unstored = [:] }
    held.refresh(object, mergeChanges: flag)
  }

  /// Renews the values of all objects, and keeps the changes.
  public func refreshAllObjects() { held.refreshAllObjects() }

  /// Makes the next save fail if others change the object meanwhile.
  public func detectConflicts(for object: NSManagedObject) { held.detectConflicts(for: object) }

  /// Gives new objects the ids that they have in the store.
  public func obtainPermanentIDs(for objects: [NSManagedObject]) throws {
    try work { try $0.obtainPermanentIDs(for: objects) }
  }

  /// Chooses the store of a new object.
  public func assign(_ object: Any, to store: NSPersistentStore) {
    guard let object = object as? NSManagedObject else {
      trap("\(object) was assigned to a store, and is no managed object.")
    }
    do { try held.assign(object, to: store.opened) } catch { trap("\(error)") }
  }

  func own(_ object: ManagedObject) -> NSManagedObject {
    guard let object = object as? NSManagedObject else {
      trap("\(type(of: object)) is no NSManagedObject, and stands in a context of Core Data.")
    }
    return object
  }

  func own(_ objects: Set<ManagedObject>) -> Set<NSManagedObject> {
    // because each class of the context's stack is an NSManagedObject, whose hash is that of ManagedObject, and all sets of class
    // instances have the same layout
    unsafe unsafeBitCast(objects, to: Set<NSManagedObject>.self)
  }

  // MARK: - Changes

  /// Saves all changes into the parent, or into the stores.
  public func save() throws {
    guard persistentStoreCoordinator != nil else {
      throw NSError.coreData(
        .general,
        "A context without a coordinator and a parent was saved. Set one of them.")
    }
    // A child that saves meanwhile adds ids whose objects the next save takes.
    let former = adopted.withLock { $0 }
    // The ids are read before the save, which gives the objects permanent ones.
    let inserted = parent == nil ? [] : held.insertedObjects.filter(\.objectID.isTemporaryID)
    let temporary = inserted.map { ($0.objectID, $0) }
    try work { try $0.save() }
    parent?.adopted.withLock { ids in
      ids.merge(former) { _, new in new }
      for (id, object) in temporary { ids[id] = object.objectID }
    }
    if !former.isEmpty { adopted.withLock { for id in former.keys { $0[id] = nil } } }
  }

  /// The id by which the context knows an object.
  ///
  /// 1. For a temporary id of a child, that is the permanent one.
  /// 2. For an id of another coordinator over the same store, that is the one of the own coordinator.
  func current(_ id: NSManagedObjectID) -> NSManagedObjectID {
    if id.isTemporaryID { return adopted.withLock { $0[id] } ?? id }
    guard let coordinator = persistentStoreCoordinator, !held.owns(id) else { return id }
    return coordinator.managedObjectID(forURIRepresentation: id.uriRepresentation()) ?? id
  }

  /// Drops all changes.
  public func rollback() {
    undoManager?.removeAllActions(withTarget: self)
    held.rollback()
    held.processPendingChanges()
  }

  /// Forgets all objects.
  public func reset() {
    undoManager?.removeAllActions(withTarget: self)
    adopted.withLock { $0 = [:] }
    held.reset()
  }

  /// Ends the current event: the notification of changes is posted.
  public func processPendingChanges() { queue.performHere { $0.processPendingChanges() } }

  // MARK: - Fetches

  /// The objects, ids, dictionaries or numbers that satisfy a request.
  public func fetch<T>(_ request: NSFetchRequest<T>) throws -> [T] { try typed(of: request) }

  /// The results of a request, as those of a type.
  func typed<T>(of request: any UntypedFetchRequest) throws -> [T] {
    if request.resultType == .managedObjectResultType {
      let asked = try request.request()
      let objects = try work { try $0.fetch(asked) }
      if let results = objects.allOf(T.self) { return results }
      return try refuse(objects, of: request)
    }
    let results = try results(of: request)
    if let results = results as? [T] { return results }
    return try refuse(results, of: request)
  }

  private func refuse<T>(_ results: [Any], of request: any UntypedFetchRequest) throws -> [T] {
    let other = results.first { !($0 is T) }
    throw NSError.coreData(
      .general,
      "\(request) was to find \(T.self), and found \(other.map { "\(type(of: $0))" } ?? "nothing"). Set its resultType, or name the other type."
    )
  }

  /// The number of objects that satisfy a request.
  public func count<T>(for request: NSFetchRequest<T>) throws -> Int {
    let request = try request.request()
    return try work { try $0.count(request) }
  }

  func results(of request: any UntypedFetchRequest) throws -> [Any] {
    let (asked, type) = (try request.request(), request.resultType)
    return try work { context in
      if type.contains(.countResultType) { return [NSNumber(value: try context.count(asked))] }
      if type.contains(.dictionaryResultType) {
        return try Self.dictionaries(asked, context)
      }
      if type.contains(.managedObjectIDResultType) { return try context.fetchIDs(asked) }
      return try context.fetch(asked)
    }
  }

  private static func dictionaries(
    _ request: FetchRequest, _ context: ManagedObjectContext
  ) throws -> [NSDictionary] {
    let shape = context.model.shape(named: request.entityName)
    return try context.fetchDictionaries(request).map { row in
      let values = NSMutableDictionary()
      for (name, value) in row.dictionary {
        guard let plain = plain(value, name, shape) else { continue }
        values[name as NSString] = plain
      }
      return values
    }
  }

  private static func plain(_ value: Value, _ name: String, _ shape: EntityShape?) -> Any? {
    guard case .attribute(let attribute)? = shape?[name] else { return ValueCoding.plain(value) }
    return ValueCoding(attribute.description).plain(value)
  }
}

extension [ManagedObject] {
  /// The same objects as those of a type; nil if one of them is no such object.
  fileprivate func allOf<T>(_ type: T.Type) -> [T]? {
    guard T.self is AnyObject.Type else { return self as? [T] }
    var known: ManagedObject.Type?
    for object in self where Swift.type(of: object) != known {
      guard object is T else { return nil }
      known = Swift.type(of: object)
    }
    // because all arrays of class instances have the same layout
    return unsafe unsafeBitCast(self, to: [T].self)
  }
}
