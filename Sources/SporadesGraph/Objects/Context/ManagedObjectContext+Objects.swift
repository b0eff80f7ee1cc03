// SPDX-License-Identifier: MIT
import FoundationEssentials
import SporadesChain
public import SporadesModel
package import SporadesStore

extension ManagedObjectContext {
  // MARK: - The identity map

  func map(_ root: Int, _ key: RowKey) -> ObjectMap {
    let place = stack.mapPlace(root, key)
    if place < maps.count, let map = maps[place] { return map }
    return makeMap(place)
  }

  private func makeMap(_ place: Int) -> ObjectMap {
    while place >= maps.count { unsafe maps += stack.initialMaps }
    let map = ObjectMap()
    maps[place] = map
    return map
  }

  /// Drops the empty maps of a store.
  func dropMaps(ofStore number: Int) {
    let (first, count) = (number * stack.roots.count, stack.roots.count)
    guard number > 0, first < maps.count else { return }
    for place in first..<first + count where maps[place]?.count == 0 { maps[place] = nil }
    while maps.count > count, maps.suffix(count).allSatisfy({ $0 == nil }) {
      maps.removeLast(count)
    }
  }

  /// The maps of a tree, one for each store.
  func maps(ofRoot root: Int) -> [ObjectMap] { mapPlaces(ofRoot: root).compactMap { maps[$0] } }

  func mapPlaces(ofRoot root: Int) -> StrideTo<Int> {
    stride(from: root - 1, to: maps.count, by: stack.roots.count)
  }

  func registered(_ key: RowKey) -> ManagedObject? {
    let place = stack.mapPlace(stack.roots[key.entity - 1], key)
    return place < maps.count ? maps[place]?[key.primaryKey] : nil
  }

  func register(_ object: ManagedObject) {
    guard !object.state.contains(.registered) else { return }
    object.state.insert(.registered)
    map(object.home.shape.rootNumber, object.key).insert(object)
  }

  func unregister(_ object: ManagedObject) {
    guard object.state.contains(.registered) else { return }
    object.state.remove(.registered)
    map(object.home.shape.rootNumber, object.key).remove(object.primaryKey)
  }

  /// The object with the key, as a fault if it is not in memory.
  package func object(forKey key: RowKey) -> ManagedObject {
    if let known = registered(key) { return known }
    let home = home(numbered: key.entity)
    let object = home.makeObject(ObjectSeed(home: home, key: key))
    register(object)
    noteFault(key, root: home.shape.rootNumber)
    return object
  }

  /// The object of a fetched row. It shows the row, unless it already has changes or the same
  /// version.
  func object(showing page: RowPage, _ index: Int) -> ManagedObject {
    object(page.key(index), showing: page, index)
  }

  /// The object of a fetched row whose key the caller knows, so that the row's memory is not
  /// touched.
  func object(_ key: RowKey, showing page: RowPage, _ index: Int) -> ManagedObject {
    let home = home(numbered: key.entity)
    return object(key, showing: page, index, home, map(home.shape.rootNumber, key))
  }

  /// Appends the objects of a page's rows. Homes and maps are looked up once per entity and store, because threads
  /// that count references to the same entity at once slow each other down.
  func appendObjects(of page: RowPage, to objects: inout [ManagedObject]) {
    guard page.count > 0 else { return }
    let root = page.layout.rootEntity
    var last = page.key(0)
    var map = map(root, last)
    var references = CountedReferences(home(numbered: last.entity), page, count: page.count)
    for index in 0..<page.count {
      let key = page.key(index)
      // A coordinator's page may hold rows of several stores.
      if key.entity != last.entity || key.store != last.store {
        map = self.map(root, key)
        references = CountedReferences(home(numbered: key.entity), page, count: page.count - index)
        last = key
      }
      objects.append(object(key, showing: page, index, &references, map))
    }
  }

  /// A fetch calls this for each row.
  @inline(__always)
  private func object(
    _ key: RowKey, showing page: RowPage, _ index: Int, _ references: inout CountedReferences,
    _ map: ObjectMap
  ) -> ManagedObject {
    if let known = map[key.primaryKey] {
      refresh(known, showing: page, index)
      return known
    }
    let object = references.makeObject(key, showing: index)
    finish(object, in: map)
    return object
  }

  private func object(
    _ key: RowKey, showing page: RowPage, _ index: Int, _ home: ObjectHome, _ map: ObjectMap
  ) -> ManagedObject {
    if let known = map[key.primaryKey] {
      refresh(known, showing: page, index)
      return known
    }
    return newObject(home, key, showing: page, index, in: map)
  }

  /// Shows the row in an object that the map has, unless the object has changes or the same version.
  @inline(__always)
  private func refresh(_ known: ManagedObject, showing page: RowPage, _ index: Int) {
    if known.isFault || (!known.isRowChanged && known.version != page.version(index)) {
      present(page, index, in: known)
    }
  }

  /// Makes the object of a row that the map does not have.
  private func newObject(
    _ home: ObjectHome, _ key: RowKey, showing page: RowPage, _ index: Int, in map: ObjectMap
  ) -> ManagedObject {
    let object = home.makeObject(ObjectSeed(home: home, key: key))
    object.show(page, index)
    finish(object, in: map)
    return object
  }

  /// Registers a new object that shows its row.
  @inline(__always)
  private func finish(_ object: ManagedObject, in map: ObjectMap) {
    object.state.insert(.registered)
    map.insert(object)
    callHook { object.awakeFromFetch() }
  }

  private func present(_ page: RowPage, _ index: Int, in object: ManagedObject) {
    let wasFault = object.isFault
    object.show(page, index)
    object.state.remove(.gone)
    if wasFault {
      callHook { object.awakeFromFetch() }
    } else {
      // Members that were added or removed here stay so, whoever saved the row.
      object.extras?.toMany.removeAll { !$0.isChanged }
      for links in object.extras?.toMany ?? [] { links.invalidate() }
    }
  }

  /// Reserves space in the map for the objects of some pages.
  func reserveSpace(for pages: [RowPage]) {
    guard let first = pages.first, first.count > 0 else { return }
    map(first.layout.rootEntity, first.key(0)).reserve(pages.reduce(0) { $0 + $1.count })
  }

  // MARK: - New objects

  func insertRow(of object: ManagedObject) {
    let home = object.home
    let page = home.insertPage
    let row = unsafe page.openRow(object.key)
    if !home.binding.largeDefaults.isEmpty { unsafe setLargeDefaults(of: row, in: page, home) }
    unsafe object.showCounted(Unmanaged.passRetained(page), page.count - 1)
    object.state.formUnion([.inserted, .open])
    changes.list(object)
    if !home.binding.freshDefaults.isEmpty { setFreshDefaults(of: object) }
    if saving.callsHooks { callHook { object.awakeFromInsert() } }
  }

  /// Begins the row of a further new object, which one object of a batch shows after the other.
  func beginRow(of object: ManagedObject) {
    let home = object.home
    let page = home.insertPage
    let row = unsafe page.openRow(object.key)
    if !home.binding.largeDefaults.isEmpty { unsafe setLargeDefaults(of: row, in: page, home) }
    object.show(page, page.count - 1)
    object.state.formUnion([.inserted, .open])
    if !home.binding.freshDefaults.isEmpty { setFreshDefaults(of: object) }
  }

  private func setLargeDefaults(of row: PackedRow, in page: RowPage, _ home: ObjectHome) {
    for (slot, bytes) in home.binding.largeDefaults {
      let place = unsafe page.openLarge(Data(bytes), for: slot, of: row)
      unsafe row.set(slot, to: place.rawValue, home.slots)
    }
  }

  private func setFreshDefaults(of object: ManagedObject) {
    for (attribute, make) in object.home.binding.freshDefaults { object.set(make(), of: attribute) }
  }

  /// Inserts a new object of the entity.
  public func insert(entityNamed name: String) throws(ContextError) -> ManagedObject {
    checkQueue()
    guard let shape = model.shape(named: name) else {
      throw .unknownEntity(name, known: model.shapes.map(\.name))
    }
    guard !shape.isAbstract else { throw .abstractEntity(name) }
    let home = home(numbered: shape.number)
    let object = home.makeObject(ObjectSeed(home: home, key: nextTemporaryKey))
    insertRow(of: object)
    return object
  }

  // MARK: - Changed objects

  /// Copies the object's row to an open page, so that it can change.
  func openRow(of object: ManagedObject) {
    guard let page = object.page else { return }
    if !object.state.contains(.open) {
      let open = object.home.updatePage
      unsafe _ = open.openCopy(of: object.rowIndex, in: page)
      object.show(open, open.count - 1)
      object.state.formUnion([.open, .updated])
    }
    changes.list(object)
  }

  // MARK: - By id

  /// The object with the id, as a fault if it is not in memory. The store is not asked whether its
  /// row exists.
  public func object(with id: ManagedObjectID) throws(ContextError) -> ManagedObject {
    checkQueue()
    guard id.scope == stack.scope else { throw .foreignObject(id) }
    let id = permanentID(of: id)
    guard id.isTemporaryID else { return object(forKey: id.key) }
    guard let new = newObject(id.key) else { throw .objectNotFound(id) }
    return new
  }

  /// The new object with a temporary key.
  ///
  /// Most new objects are never looked up, so the map takes them only here, all at once.
  private func newObject(_ key: RowKey) -> ManagedObject? {
    if let known = registered(key) { return known }
    for object in changes.takeNewlyListed() where object.key.isTemporary { register(object) }
    return registered(key)
  }

  /// Refuses a condition with the id of an object that this context can never find: one of another stack, or a
  /// temporary id of another context.
  func checkIDs(in predicate: FetchPredicate) throws(ContextError) {
    let wrong = predicate.firstID { id in
      id.scope != stack.scope
        || id.isTemporaryID && permanentID(of: id).isTemporaryID && newObject(id.key) == nil
    }
    guard let wrong else { return }
    throw wrong.scope == stack.scope ? .objectNotFound(wrong) : .foreignObject(wrong)
  }

  /// The object with the id, if the context has it in memory.
  public func registeredObject(for id: ManagedObjectID) -> ManagedObject? {
    checkQueue()
    guard id.scope == stack.scope else { return nil }
    let id = permanentID(of: id)
    let known =
      id.isTemporaryID
      ? newObject(id.key) : registered(id.key) ?? changes.listed.first { $0.key == id.key }
    return known.flatMap { $0.state.contains(.gone) && !$0.isDeleted ? nil : $0 }
  }

  /// The object with the id and its values. Throws if there is none.
  public func existingObject(with id: ManagedObjectID) throws -> ManagedObject {
    checkQueue()
    let known = id.scope == stack.scope && !id.isTemporaryID ? registered(id.key) : nil
    let object = try known ?? unregistered(id)
    if object.isFault && !object.state.contains(.gone) { try read([object.key], for: object, nil) }
    guard !object.state.contains(.gone), !object.isDeleted else {
      throw ContextError.objectNotFound(id)
    }
    return object
  }

  /// Reads the object of an id that the context does not have in memory. The object never is a fault,
  /// unless its row is missing.
  private func unregistered(_ id: ManagedObjectID) throws -> ManagedObject {
    guard id.scope == stack.scope, !id.isTemporaryID else { return try object(with: id) }
    for page in try source.rows(for: [id.key]) where page.count > 0 {
      // An id may name a superentity of the row's own entity.
      guard page.key(0).entity == id.key.entity else { return try object(with: id) }
      let home = home(numbered: id.key.entity)
      let map = map(home.shape.rootNumber, id.key)
      return newObject(home, id.key, showing: page, 0, in: map)
    }
    let missing = object(forKey: id.key)
    noteMissingRow(of: missing, nil)
    return missing
  }

  // MARK: - Faults

  /// Turns an object into a fault. Members that other objects added to its relationships stay.
  func dropRow(of object: ManagedObject) {
    let links = object.extras?.toMany.filter(\.isChanged) ?? []
    for links in links { links.invalidate() }
    object.becomeFault()
    noteFault(object.key, root: object.home.shape.rootNumber)
    guard !links.isEmpty else { return }
    object.extras = ObjectExtras()
    object.extras?.toMany = links
  }

  /// Reads the values of a fault. If that fails, the context reports it.
  func fulfil(_ object: ManagedObject, for slot: Int? = nil) {
    do {
      try readWithSiblings(object, slot)
    } catch {
      report(.unfulfilled(object.objectID, error))
    }
  }

  /// Reads the values of many faults together.
  package func fulfil(_ objects: [ManagedObject]) throws(StoreError) {
    let faults = objects.filter { $0.isFault && !$0.state.contains(.gone) }
    let byTree = Dictionary(grouping: faults) { $0.home.shape.rootNumber }
    for (_, faults) in byTree {
      for page in try source.rows(for: faults.map(\.key)) {
        for index in 0..<page.count { _ = object(showing: page, index) }
      }
      for fault in faults where fault.isFault { fault.state.insert(.gone) }
    }
  }

  // MARK: - What is in the context

  /// Whether the context has unsaved changes.
  public var hasChanges: Bool {
    checkQueue()
    return !changes.isEmpty
  }
  /// The new objects since the last save.
  public var insertedObjects: Set<ManagedObject> { listed(\.isInserted) }
  /// The changed objects since the last save.
  public var updatedObjects: Set<ManagedObject> { listed(\.isUpdated) }
  /// The objects that the next save deletes.
  public var deletedObjects: Set<ManagedObject> { listed { $0.isRemoved && !$0.isNew } }
  /// The objects of the context that have changes or that somebody holds. With
  /// ``retainsRegisteredObjects``, the context holds them all.
  public var registeredObjects: Set<ManagedObject> {
    if !retainsRegisteredObjects { sweep() }
    var all = listed(\.hasChanges)
    for map in maps { map?.visit { if !$0.state.contains(.gone) { all.insert($0) } } }
    return all
  }

  /// A copy of the maps' objects, because their hooks may register other objects.
  var objectsInMaps: [ManagedObject] {
    var all: [ManagedObject] = []
    for map in maps { map?.visit { all.append($0) } }
    return all
  }

  private func listed(_ condition: (ManagedObject) -> Bool) -> Set<ManagedObject> {
    checkQueue()
    return Set(changes.listed.filter(condition))
  }

  /// Releases the unchanged objects that nobody holds. The objects that they led to are released
  /// after them.
  package func sweep() {
    var former = Int.max
    while case let count = maps.reduce(0, { $0 + ($1?.count ?? 0) }), count < former {
      former = count
      for map in maps { map?.sweep() }
    }
  }

  /// Sweeps the maps that have grown much since their last sweep.
  func sweepIfGrown() {
    for map in maps { map?.sweepIfGrown() }
    for index in faults.indices { faults[index].releaseOrigin() }
  }
}

extension ManagedObject {
  /// The version of the object's row; 0 for a fault.
  final var version: Int64 {
    guard let row = unsafe row else { return 0 }
    return unsafe row.version
  }
}
