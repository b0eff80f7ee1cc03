// SPDX-License-Identifier: MIT
public import SporadesGraph
public import SporadesModel
public import SporadesModelFiles

// Which object became which.
extension MigrationManager {
  /// Notes that an entity mapping made an object of the newer version of one of the older version.
  public func associate(
    sourceInstance source: ManagedObject, withDestinationInstance destination: ManagedObject,
    for mapping: EntityMapping
  ) throws {
    if destination.objectID.key.isTemporary {
      try destinationContext.obtainPermanentIDs(for: [destination])
    }
    tables[mapping.name, default: newTable(mapping)].associate(
      source.objectID.key, with: destination.objectID.key)
  }

  private func newTable(_ mapping: EntityMapping) -> AssociationTable {
    AssociationTable(
      source: mapping.sourceEntityName.flatMap { sourceModel.shape(named: $0)?.number } ?? 0,
      destination: mapping.destinationEntityName
        .flatMap { destinationModel.shape(named: $0)?.number } ?? 0)
  }

  /// The objects of the newer version that an entity mapping made of some objects of the older one, in their order.
  /// Nil stands for all objects of the older version.
  public func destinationInstances(
    forEntityMappingNamed name: String, sourceInstances: [ManagedObject]? = nil
  ) -> [ManagedObject] {
    guard let table = tables[name] else { return [] }
    let context = destinationContext
    var keys: [RowKey] = []
    if let sourceInstances {
      for source in sourceInstances { keys += table.destinations(of: source.objectID.key) }
    } else {
      table.forEachSource { keys += table.destinations(of: $0) }
    }
    return keys.map { context.object(forKey: $0) }
  }

  /// The objects of the older version of which an entity mapping made some objects of the newer one, in their order.
  /// Nil stands for all objects of the newer version.
  public func sourceInstances(
    forEntityMappingNamed name: String, destinationInstances: [ManagedObject]? = nil
  ) -> [ManagedObject] {
    guard let table = tables[name] else { return [] }
    let context = sourceContext
    var keys: [RowKey] = []
    if let destinationInstances {
      for destination in destinationInstances {
        keys += table.sources(of: destination.objectID.key)
      }
    } else {
      table.forEachSource { keys.append($0) }
    }
    return keys.map { context.object(forKey: $0) }
  }

  /// The objects of the newer version that any entity mapping made of the objects of a relationship of the older
  /// version, as far as the relationship at work can lead to them.
  func destinationInstances(
    forSourceRelationshipNamed name: String, sourceInstances: [ManagedObject],
    property: PropertyMapping?, of mapping: EntityMapping
  ) throws -> [ManagedObject] {
    let shape = mapping.destinationEntityName.flatMap(destinationModel.shape(named:))
    var family: ClosedRange<Int>?
    if let property, case .relationship(let relationship)? = shape?[property.name] {
      family = relationship.destinationFamily
    }
    let names = mappingModel?.entityMappings.map(\.name) ?? []
    let known = names.compactMap { tables[$0] }
    var keys: [RowKey] = []
    for source in sourceInstances {
      for table in known {
        keys += table.destinations(of: source.objectID.key).filter {
          family?.contains($0.entity) ?? true
        }
      }
    }
    var seen: Set<RowKey> = []
    let context = destinationContext
    return keys.filter { seen.insert($0).inserted }.map { context.object(forKey: $0) }
  }

  /// A request for the objects of an older entity, without those of its subentities.
  public func fetchRequest(
    forSourceEntityNamed name: String, predicateString: String
  ) throws -> FetchRequest {
    var request = FetchRequest(name, where: try FetchPredicate(format: predicateString))
    request.includesSubentities = false
    return request
  }

  // MARK: - New objects

  /// Makes an object of the newer version, without values and associations. It has the primary key of its source if
  /// no other object of its inheritance tree has that key.
  public func insertDestinationInstance(
    forSource source: ManagedObject, in mapping: EntityMapping
  ) throws -> ManagedObject {
    guard let name = mapping.destinationEntityName,
      let shape = destinationModel.shape(named: name), !shape.isAbstract
    else {
      throw MappingFailure("\(mapping.name) names no entity that has objects in the newer model.")
    }
    guard keptTrees.contains(shape.rootNumber), source.objectID.key.store == 0,
      !isTaken(source.objectID.key.primaryKey, in: shape.rootNumber)
    else {
      renumberedEntities.insert(name)
      return try destinationContext.insert(entityNamed: name)
    }
    return destinationContext.insert(shape, primaryKey: source.objectID.key.primaryKey)
  }

  private func isTaken(_ key: Int64, in root: Int) -> Bool {
    let family = destinationModel.shape(numbered: root).family
    let mappings = mappingModel?.entityMappings ?? []
    return mappings.contains { mapping in
      guard let name = mapping.destinationEntityName,
        let number = destinationModel.shape(named: name)?.number, family.contains(number)
      else { return false }
      return tables[mapping.name]?.keeps(key) ?? false
        || destinationContext.registeredNew(RowKey(entity: number, primaryKey: key))
    }
  }
}
