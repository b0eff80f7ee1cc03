// SPDX-License-Identifier: MIT
public import SporadesModel

// Access to values without change tracking.
extension ManagedObject {
  /// The value in memory. A fault stays a fault and answers null.
  @_disfavoredOverload
  public final func primitiveValue(forKey name: String) -> Value {
    if home.checksQueue { home.checkQueue(self, name) }
    guard !isFault else { return .null }
    if case .relationship(let relationship)? = home.shape[name], relationship.isToMany {
      return .list(primitiveObjects(forKey: name).map { .objectID($0.objectID) })
    }
    return value(forKey: name)
  }

  final func changePrimitive(_ name: String, to value: Any?) {
    if home.checksQueue { home.checkQueue(self, name) }
    guard case .attribute(let attribute)? = home.shape[name] else {
      trap(
        "\(home.shape.name).\(name) is a relationship. Set it with setPrimitiveObject(s)(_:forKey:)."
      )
    }
    let value = converted(value, name)
    if !home.binding.enumChecks.isEmpty { checkRawValue(value, [name], attribute) }
    if attribute.description.isTransient { return set(value, of: attribute) }
    changeWithoutTracking { set(value, of: attribute) }
  }

  /// Changes the row without change tracking.
  private final func changeWithoutTracking(_ change: () -> Void) {
    if home.isOfEndedBlock { return refuseChange() }
    if isNew || state.contains(.open) { return change() }
    guard unsafe loadRow() != nil, let page else { return refuseChange() }
    if hasChangedLinks {
      // because an updated object keeps what its `willSave` sets
      noteChange()
      return change()
    }
    // The object gets a new row. The usual setters change it, and the page is sealed before
    // anyone else reads it.
    let own = RowPage(openForChangedRowsOf: page.layout, capacity: 1)
    let version = version
    unsafe own.openCopy(of: rowIndex, in: page).version = version
    show(own, 0)
    state.insert(.open)
    change()
    state.remove(.open)
    own.seal()
  }

  /// The object in memory of a to-one relationship; nil for a fault.
  public final func primitiveObject(forKey name: String) -> ManagedObject? {
    if home.checksQueue { home.checkQueue(self, name) }
    return isFault ? nil : object(forKey: name)
  }

  /// Sets one side of a to-one relationship without change tracking: the other side does not
  /// change, and the object does not count as changed.
  public final func setPrimitiveObject(_ object: ManagedObject?, forKey name: String) {
    if home.checksQueue { home.checkQueue(self, name) }
    guard case .relationship(let relationship)? = home.shape[name], !relationship.isToMany else {
      refuseAccess(to: name)
    }
    if let object { checkDestination(object, relationship) }
    guard case .reference(let slot, let position) = relationship.storage else {
      return replaceTransients(object.map { [$0] } ?? [], relationship)
    }
    // because a save replaces temporary keys only in the rows that it writes
    if object?.key.isTemporary == true { noteChange() }
    changeWithoutTracking { setReference(slot, position, object) }
  }

  /// The objects in memory of a to-many relationship. The store is not asked.
  public final func primitiveObjects(forKey name: String) -> [ManagedObject] {
    if home.checksQueue { home.checkQueue(self, name) }
    let relationship = toManyRelationship(name)
    guard relationship.isStored else { return transientMembers(relationship) }
    let links = knownToMany(relationship)
    return links.map { $0.isLoaded ? $0.members : $0.added } ?? []
  }

  /// Shows other members in a to-many relationship without change tracking: the other sides do not
  /// change, and no save writes the members. `refresh` drops them.
  public final func setPrimitiveObjects(_ objects: [ManagedObject], forKey name: String) {
    if home.checksQueue { home.checkQueue(self, name) }
    let relationship = toManyRelationship(name)
    for object in objects { checkDestination(object, relationship) }
    guard relationship.isStored else { return replaceTransients(objects, relationship) }
    toMany(relationship).show(objects)
  }
}
