// SPDX-License-Identifier: MIT
import SporadesChain
public import SporadesModel
import SporadesStore

// Questions about relationships that load no objects.
extension ManagedObject {
  /// Whether reading the relationship would ask the store.
  public final func hasFault(forRelationshipNamed name: String) -> Bool {
    if home.checksQueue { home.checkQueue(self, name) }
    guard case .relationship(let relationship)? = home.shape[name] else {
      trap(home.shape.describeMissingRelationship(name))
    }
    guard relationship.isStored else { return false }
    if isFault { return true }
    guard case .reference(let slot, _) = relationship.storage else {
      return knownToMany(relationship)?.isLoaded != true && !isNew
    }
    return reference(slot).map { home.context?.registered($0)?.isFault ?? true } ?? false
  }

  /// The ids of a relationship's objects. Faults stay faults.
  public final func objectIDs(forRelationshipNamed name: String) -> [ManagedObjectID] {
    if unsafe home.hearsReads { home.hear(readOf: self, named: name) }
    guard case .relationship(let relationship)? = home.shape[name] else {
      trap(home.shape.describeMissingRelationship(name))
    }
    if case .reference(let slot, _) = relationship.storage {
      return reference(slot).map { [home.id(of: $0)] } ?? []
    }
    let links = knownToMany(relationship)
    if !relationship.isStored || isNew || links?.isLoaded == true || links?.hasChanges == true
      || home.context?.hasChanges != false
    {
      return memberFaults(relationship).map(\.objectID)
    }
    do {
      let keys = try home.context?.storedKeys(relationship, key) ?? []
      return keys.map { ManagedObjectID(key: $0, scope: home.scope) }
    } catch {
      home.context?.report(.unloaded(objectID, relationship: name, error))
      return []
    }
  }

  /// The number of a relationship's objects. The store counts them if the members are not in memory
  /// and the context has no changes.
  public final func count(forRelationshipNamed name: String) -> Int {
    if unsafe home.hearsReads { home.hear(readOf: self, named: name) }
    guard case .relationship(let relationship)? = home.shape[name], relationship.isToMany,
      relationship.isStored, knownToMany(relationship)?.isLoaded != true, !isNew,
      !state.contains(.gone),
      let context = home.context, !context.hasChanges
    else { return objectIDs(forRelationshipNamed: name).count }
    do {
      return try context.storedCount(relationship, of: self)
    } catch {
      context.report(.unloaded(objectID, relationship: name, error))
      return 0
    }
  }
}

extension ManagedObjectContext {
  fileprivate final func storedCount(
    _ relationship: RelationshipShape, of owner: ManagedObject
  ) throws(StoreError) -> Int {
    guard let fetch = memberFetch(relationship, of: owner.objectID) else {
      return try storedKeys(relationship, owner.key).count
    }
    return try source.answer(.count(of: fetch)).count
  }

  /// A fetch of the members; nil if their references to the owner have no name.
  final func memberFetch(
    _ relationship: RelationshipShape, of owner: ManagedObjectID
  ) -> StoreFetch? {
    guard case .inverseReference = relationship.storage, let inverse = relationship.inverseName,
      case .relationship(let back)? = model.shape(numbered: relationship.destination)[inverse],
      back.isStored
    else { return nil }
    return StoreFetch(
      model.shape(numbered: relationship.destination), where: .equals(inverse, owner))
  }

  /// The keys of the members that a to-many relationship has in the store or the parent.
  final func storedKeys(
    _ relationship: RelationshipShape, _ owner: RowKey
  ) throws(StoreError) -> [RowKey] {
    try source.links(of: relationship, owners: [owner]).map(\.other)
  }
}
