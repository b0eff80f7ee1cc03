// SPDX-License-Identifier: MIT
public import SporadesModel
import SporadesStore

// Access below change tracking, and questions that load nothing.
extension ManagedObject {
  /// The value as it is in memory: no fault is fulfilled for it, and a fault answers null.
  public final func primitiveValue(forKey name: String) -> Value {
    if home.checksQueue { home.checkQueue() }
    return isFault ? .null : value(forKey: name)
  }

  /// Sets an attribute as if the store had held the value: the object does not count as changed
  /// for it. The next save writes it if the object counts as changed anyway; `refresh` forgets it.
  public final func setPrimitiveValue(_ value: (any ValueConvertible)?, forKey name: String) {
    if home.checksQueue { home.checkQueue() }
    guard case .attribute(let attribute)? = home.shape[name] else {
      preconditionFailure(
        "\(home.shape.name).\(name) is no attribute; only attributes have primitive values.")
    }
    let value = value?.value ?? .null
    if isInserted || state.contains(.open) || attribute.description.isTransient {
      return set(value, of: attribute)
    }
    guard unsafe loadRow() != nil, let page else { return }
    // a row of its own, changed by the same code as any other and closed before anyone looks
    let own = RowPage(openFor: page.layout, capacity: 1, ofChangedRows: true)
    let version = version
    unsafe own.openCopy(of: Int(rowIndex), in: page)[1] = UInt64(bitPattern: version)
    show(own, 0)
    state.insert(.open)
    set(value, of: attribute)
    state.remove(.open)
    own.seal()
  }

  /// The object is about to be changed through ``setPrimitiveValue(_:forKey:)``: it counts as
  /// changed from here on.
  public final func willChangeValue(forKey name: String) {
    if home.checksQueue { home.checkQueue() }
    noteChange()
  }

  /// The counterpart of ``willChangeValue(forKey:)``, for code that has pairs of them.
  public final func didChangeValue(forKey name: String) {}

  /// Whether reading the relationship would have to ask the store.
  public final func hasFault(forRelationshipNamed name: String) -> Bool {
    if home.checksQueue { home.checkQueue() }
    guard case .relationship(let relationship)? = home.shape[name] else {
      preconditionFailure("\(home.shape.name) has no relationship \(name).")
    }
    if isFault { return true }
    guard case .reference(let slot, _) = relationship.storage else {
      return knownToMany(relationship)?.isLoaded != true && !isInserted
    }
    return reference(slot).map { home.context?.registered($0)?.isFault ?? true } ?? false
  }

  /// The ids of the objects a relationship leads to, which stay faults.
  public final func objectIDs(forRelationshipNamed name: String) -> [ManagedObjectID] {
    if home.checksQueue { home.checkQueue() }
    guard case .relationship(let relationship)? = home.shape[name] else {
      preconditionFailure("\(home.shape.name) has no relationship \(name).")
    }
    if case .reference(let slot, _) = relationship.storage {
      return reference(slot).map { [ManagedObjectID(key: $0, scope: home.scope)] } ?? []
    }
    let links = knownToMany(relationship)
    if isInserted || links?.isLoaded == true || links?.hasChanges == true
      || home.context?.hasChanges != false
    {
      return members(relationship).map(\.objectID)
    }
    do {
      let keys = try home.context?.storedKeys(relationship, key) ?? []
      return keys.map { ManagedObjectID(key: $0, scope: home.scope) }
    } catch {
      home.context?.report(.unloaded(objectID, relationship: name, error))
      return []
    }
  }
}

extension ManagedObjectContext {
  /// The keys of the members a to-many relationship has in the store or the parent.
  final func storedKeys(
    _ relationship: RelationshipShape, _ owner: RowKey
  ) throws(StoreError) -> [RowKey] {
    switch relationship.storage {
    case .reference: return []
    case .inverseReference(let slot, let position):
      let pages = try source.rows(
        of: model.shape(numbered: relationship.destination), referencing: [owner], in: slot,
        position: position)
      return pages.flatMap { page in (0..<page.count).map { page.key($0) } }
    case .join: return try source.links(of: relationship, owners: [owner]).map(\.other)
    }
  }
}
