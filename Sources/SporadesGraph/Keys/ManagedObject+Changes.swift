// SPDX-License-Identifier: MIT
public import SporadesModel

// The differences between an object and the last save. A changed row knows the row it was copied
// from, so an object records nothing else for these answers.
extension ManagedObject {
  /// The persistent properties whose values differ from the last save, with their present values.
  /// For a new object: the properties whose values differ from the defaults.
  @_disfavoredOverload
  public final func changedValues() -> [String: Value] {
    if home.checksQueue { home.checkQueue(self) }
    var all: [String: Value] = [:]
    for property in home.shape.properties where isChanged(property) {
      all[property.name] = value(forKey: property.name)
    }
    return all
  }

  /// Whether a save would write a value that differs from the stored one. A property that was
  /// changed and then changed back still counts the object as updated, but does not make this true.
  public final var hasPersistentChangedValues: Bool {
    if home.checksQueue { home.checkQueue(self) }
    return home.shape.properties.contains(where: isChanged)
  }

  /// The values of the last save or fetch, for the named properties; without `names`, for all
  /// persistent properties. All values of a new object are null.
  @_disfavoredOverload
  public final func committedValues(forKeys names: [String]? = nil) -> [String: Value] {
    if home.checksQueue { home.checkQueue(self) }
    for name in names ?? [] where home.shape[name] == nil {
      trap(home.shape.describeMissingProperty(name))
    }
    var all: [String: Value] = [:]
    for property in home.shape.properties where names?.contains(property.name) ?? true {
      if let value = committedValue(property) { all[property.name] = value }
    }
    return all
  }

  // MARK: - One property

  /// The next save inserts the object.
  private final var isPendingInsert: Bool { isNew && !isRemoved }

  private final func isChanged(_ property: PropertyShape) -> Bool {
    switch property {
    case .attribute(let attribute): isChanged(attribute)
    case .relationship(let relationship):
      if case .reference(let slot, _) = relationship.storage {
        isPendingInsert ? referenceInMemory(slot) != nil : differsFromBase(slot)
      } else {
        knownToMany(relationship)?.isChanged == true
      }
    case .fetched: false
    }
  }

  private final func isChanged(_ attribute: AttributeShape) -> Bool {
    guard let slot = attribute.slot else { return attribute.elements.contains(where: isChanged) }
    guard isPendingInsert else { return differsFromBase(slot) }
    let start = home.binding.defaults[slot] ?? Cell(.null, as: attribute.type)
    return Cell(value(of: attribute), as: attribute.type) != start
  }

  private final func committedValue(_ property: PropertyShape) -> Value? {
    switch property {
    case .attribute(let attribute):
      guard !attribute.description.isTransient else { return nil }
      return committedRow.map { $0.page.value($0.index, of: attribute, for: self) } ?? .null
    case .relationship(let relationship):
      guard relationship.isStored else { return nil }
      if case .reference(let slot, _) = relationship.storage {
        let key = committedRow.flatMap { $0.page.reference($0.index, slot: slot) }
        return key.map { .objectID(ManagedObjectID(key: $0, scope: home.scope)) } ?? .null
      }
      return .list(committedMembers(relationship).map { .objectID($0.objectID) })
    case .fetched: return nil
    }
  }

  private final var committedRow: (page: RowPage, index: Int)? {
    guard !isNew, unsafe loadRow() != nil, let page else { return nil }
    return base ?? (page, rowIndex)
  }

  final func committedMembers(_ relationship: RelationshipShape) -> [ManagedObject] {
    guard !isNew else { return [] }
    guard let links = knownToMany(relationship), links.isChanged else {
      return memberFaults(relationship)
    }
    if !links.hasChanges, let order = links.formerOrder { return order }
    if relationship.isOrdered { return home.context?.storedMembers(relationship, of: self) ?? [] }
    let added = Set(links.added.map(ObjectIdentifier.init))
    return memberFaults(relationship).filter { !added.contains(ObjectIdentifier($0)) }
      + links.removed + links.droppedDeleted
  }
}

extension ManagedObjectContext {
  /// The members that a to-many relationship has in the store or the parent, without the changes
  /// made in this context.
  final func storedMembers(
    _ relationship: RelationshipShape, of object: ManagedObject
  ) -> [ManagedObject] {
    guard !object.key.isTemporary, !object.isNew else { return [] }
    do {
      return try storedKeys(relationship, object.key).map { self.object(forKey: $0) }
    } catch {
      report(.unloaded(object.objectID, relationship: relationship.name, error))
      return []
    }
  }
}
