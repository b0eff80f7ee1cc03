// SPDX-License-Identifier: MIT
public import SporadesModel

// Access below change tracking.
extension ManagedObject {
  /// The value as it is in memory: no fault is fulfilled for it, and a fault answers null.
  public final func primitiveValue(forKey name: String) -> Value {
    if home.checksQueue { home.checkQueue() }
    guard !isFault else { return .null }
    if case .relationship(let relationship)? = home.shape[name], relationship.isToMany {
      return .list(primitiveObjects(forKey: name).map { .objectID($0.objectID) })
    }
    return value(forKey: name)
  }

  /// Sets an attribute as if the store had held the value: the object does not count as changed
  /// for it. The next save writes it if the object counts as changed anyway; `refresh` forgets it.
  public final func setPrimitiveValue(_ value: (any ValueConvertible)?, forKey name: String) {
    if home.checksQueue { home.checkQueue() }
    guard case .attribute(let attribute)? = home.shape[name] else {
      preconditionFailure(
        "\(home.shape.name).\(name) is a relationship; set it with setPrimitiveObject(s)(_:forKey:)."
      )
    }
    let value = value?.value ?? .null
    if !home.binding.enumChecks.isEmpty { checkRawValue(value, [name], attribute) }
    if attribute.description.isTransient { return set(value, of: attribute) }
    untracked { set(value, of: attribute) }
  }

  /// Changes the row as if the store had it so.
  private final func untracked(_ change: () -> Void) {
    if isInserted || state.contains(.open) { return change() }
    guard unsafe loadRow() != nil, let page else { return refuseChange() }
    // a row of its own, changed by the same code as any other and closed before anyone looks
    let own = RowPage(openFor: page.layout, capacity: 1, ofChangedRows: true)
    let version = version
    unsafe own.openCopy(of: rowIndex, in: page).version = version
    show(own, 0)
    state.insert(.open)
    change()
    state.remove(.open)
    own.seal()
  }

  /// The object a to-one relationship leads to as it is in memory; nil for a fault.
  public final func primitiveObject(forKey name: String) -> ManagedObject? {
    if home.checksQueue { home.checkQueue() }
    return isFault ? nil : object(forKey: name)
  }

  /// Sets one side of a to-one relationship, as if the store had it so: the other side hears
  /// nothing, and the object does not count as changed for it.
  public final func setPrimitiveObject(_ object: ManagedObject?, forKey name: String) {
    if home.checksQueue { home.checkQueue() }
    guard case .relationship(let relationship)? = home.shape[name], !relationship.isToMany else {
      preconditionFailure("\(home.shape.name).\(name) is not a to-one relationship.")
    }
    if let object { checkDestination(object, relationship) }
    guard case .reference(let slot, let position) = relationship.storage else {
      return holdTransients(object.map { [$0] } ?? [], relationship)
    }
    // because a save gives new objects their ids in the rows it writes alone
    if object?.key.isTemporary == true { noteChange() }
    untracked { setReference(slot, position, object) }
  }

  /// The objects a to-many relationship leads to as far as they are in memory; the store is not
  /// asked.
  public final func primitiveObjects(forKey name: String) -> [ManagedObject] {
    if home.checksQueue { home.checkQueue() }
    let relationship = toManyRelationship(name)
    guard relationship.isStored else { return transientMembers(relationship) }
    let links = knownToMany(relationship)
    return links.map { $0.isLoaded ? $0.members : $0.added } ?? []
  }

  /// Shows other members in a to-many relationship, as if the store had them: the other sides hear
  /// nothing, and no save writes it. `refresh` forgets it.
  public final func setPrimitiveObjects(_ objects: [ManagedObject], forKey name: String) {
    if home.checksQueue { home.checkQueue() }
    let relationship = toManyRelationship(name)
    for object in objects { checkDestination(object, relationship) }
    guard relationship.isStored else { return holdTransients(objects, relationship) }
    toMany(relationship).load(objects)
  }

  /// The object is about to be changed through ``setPrimitiveValue(_:forKey:)``: it counts as
  /// changed from here on.
  public final func willChangeValue(forKey name: String) {
    if home.checksQueue { home.checkQueue() }
    noteChange()
  }

  /// The counterpart of ``willChangeValue(forKey:)``, for code that has pairs of them.
  public final func didChangeValue(forKey name: String) {}
}
