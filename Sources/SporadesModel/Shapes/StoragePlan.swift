// SPDX-License-Identifier: MIT

/// The place where stores keep each property of a model: the layouts, the joins, the property shapes.
struct StoragePlan {
  private(set) var layouts: [String: RowLayout] = [:]
  private(set) var joins: [JoinShape] = []
  /// The shapes of the properties that an entity itself declares, by the entity's name.
  private(set) var properties: [String: [PropertyShape]] = [:]

  private let numbers: [String: Int]
  private let byName: [String: EntityDescription]
  /// The number of the last entity in the family of each entity. A dictionary of ranges would need a type that
  /// the runtime makes at each start.
  private let lastNumbers: [String: Int]
  private var slots: [String: [RowLayout.Slot]] = [:]
  private var slotNumbers: [String: Int] = [:]
  private var joinsBySide: [String: JoinShape] = [:]
  /// The numbers of the entities that have subentities.
  private let superNumbers: Set<Int>

  private enum SlotUse: String { case value, position, owner }

  /// The name of a slot within the model. It is a text because a separate key type costs every program a
  /// search for its conformance at the start.
  private static func slotKey(_ entity: String, _ name: String, _ use: SlotUse) -> String {
    "\(use.rawValue) \(sideKey(entity, name))"
  }

  /// The name of one side of a join within the model.
  private static func sideKey(_ entity: String, _ name: String) -> String {
    "\(entity.utf8.count) \(entity)\(name)"
  }

  init(
    ordered: [EntityDescription], numbers: [String: Int], byName: [String: EntityDescription],
    lastNumbers: [String: Int]
  ) {
    self.numbers = numbers
    self.lastNumbers = lastNumbers
    self.byName = byName
    superNumbers = Set(ordered.compactMap { $0.superentityName.flatMap { numbers[$0] } })
    for entity in ordered { planSlots(entity) }
    for entity in ordered { planOwners(entity) }
    for entity in ordered { planJoins(entity) }
    for (root, slots) in slots {
      layouts[root] = RowLayout(
        rootEntityName: root, rootEntity: numbers[root] ?? 0, slots: slots)
    }
    var relationshipCount = 0
    for entity in ordered {
      properties[entity.name] =
        entity.attributes.map { .attribute(shape($0, path: $0.name, entity)) }
        + entity.relationships.enumerated().map { index, relationship in
          .relationship(shape(relationship, entity, number: relationshipCount + index))
        }
        + entity.fetchedProperties.map { .fetched($0) }
      relationshipCount += entity.relationships.count
    }
  }

  // MARK: - Slots

  private mutating func planSlots(_ entity: EntityDescription) {
    slots[root(entity), default: []] += []
    for attribute in entity.attributes { planSlot(attribute, path: attribute.name, entity) }
    let references = entity.relationships.filter { !$0.isToMany && !$0.isTransient }
    for relationship in references {
      addSlot(.reference, .toOne(relationship), entity, relationship.name, .value)
    }
    for relationship in references {
      guard let inverse = storedInverse(of: relationship)?.relationship,
        inverse.isToMany, inverse.isOrdered
      else { continue }
      addSlot(.integer, .position(toOne: relationship.name), entity, relationship.name, .position)
    }
  }

  private mutating func planSlot(
    _ attribute: AttributeDescription, path: String, _ entity: EntityDescription
  ) {
    guard !attribute.isTransient else { return }
    for element in attribute.elements { planSlot(element, path: "\(path).\(element.name)", entity) }
    guard let kind = attribute.type.slotKind else { return }
    addSlot(attribute.isLarge ? .large : kind, .attribute(attribute), entity, path, .value)
  }

  /// Adds the slots of to-many relationships without a stored inverse. The rows that such a
  /// relationship leads to hold the key of their owner.
  private mutating func planOwners(_ entity: EntityDescription) {
    for relationship in entity.relationships
    where relationship.isToMany && !relationship.isTransient
      && storedInverse(of: relationship) == nil
    {
      guard let destination = byName[relationship.destinationEntityName] else { continue }
      let number = numbers[entity.name] ?? 0
      let name = "\(number)\(relationship.name)"
      addSlot(.reference, .owner(entity: number, relationship), destination, name, .owner)
      if relationship.isOrdered {
        addSlot(.integer, .position(toOne: name), destination, name, .position)
      }
    }
  }

  private mutating func addSlot(
    _ kind: RowLayout.Kind, _ role: RowLayout.Role, _ entity: EntityDescription, _ name: String,
    _ use: SlotUse
  ) {
    let slot = RowLayout.Slot(
      kind: kind, role: role, entity: numbers[entity.name] ?? 0, name: name)
    slotNumbers[Self.slotKey(entity.name, name, use)] =
      slots[root(entity)]?.count ?? 0
    slots[root(entity), default: []].append(slot)
  }

  // MARK: - Joins

  private mutating func planJoins(_ entity: EntityDescription) {
    for relationship in entity.relationships
    where relationship.isToMany && !relationship.isTransient {
      guard let inverse = storedInverse(of: relationship), inverse.relationship.isToMany,
        joinsBySide[Self.sideKey(entity.name, relationship.name)] == nil
      else { continue }
      let own = side(entity, relationship)
      let other = side(inverse.entity, inverse.relationship)
      let ownNames = givesNameToJoin(own, before: other)
      let join = JoinShape(
        index: joins.count, first: ownNames ? own : other, second: ownNames ? other : own)
      joinsBySide[Self.sideKey(inverse.entity.name, inverse.relationship.name)] = join
      joinsBySide[Self.sideKey(entity.name, relationship.name)] = join
      joins.append(join)
    }
  }

  private func side(
    _ entity: EntityDescription, _ relationship: RelationshipDescription
  ) -> JoinShape.Side {
    JoinShape.Side(entity: numbers[entity.name] ?? 0, relationship: relationship)
  }

  /// One side of a join gives the join its name, and the other does not.
  ///
  /// Core Data prefers the side whose entity has subentities. If both or neither have subentities, it
  /// prefers the entity with the lower number. Of two relationships of one entity, it prefers the later
  /// name.
  private func givesNameToJoin(_ own: JoinShape.Side, before other: JoinShape.Side) -> Bool {
    if own.entity == other.entity {
      return !ModelNames.areInOrder(own.relationship.name, other.relationship.name)
    }
    let (mine, theirs) = (hasSubentities(own.entity), hasSubentities(other.entity))
    return mine == theirs ? own.entity <= other.entity : mine
  }

  private func hasSubentities(_ number: Int) -> Bool {
    superNumbers.contains(number)
  }

  // MARK: - Shapes

  private func shape(
    _ attribute: AttributeDescription, path: String, _ entity: EntityDescription
  ) -> AttributeShape {
    AttributeShape(
      attribute,
      slot: slotNumbers[Self.slotKey(entity.name, path, .value)],
      elements: attribute.elements.map { shape($0, path: "\(path).\($0.name)", entity) },
      entity: numbers[entity.name] ?? 0)
  }

  private func shape(
    _ relationship: RelationshipDescription, _ entity: EntityDescription, number: Int
  ) -> RelationshipShape {
    let inverse = inverse(of: relationship)
    let destination = numbers[relationship.destinationEntityName] ?? 0
    return RelationshipShape(
      number: number, description: relationship, entity: numbers[entity.name] ?? 0,
      destinationFamily: destination...(lastNumbers[relationship.destinationEntityName] ?? 0),
      inverse: inverse?.relationship, storage: storage(of: relationship, entity))
  }

  private func storage(
    of relationship: RelationshipDescription, _ entity: EntityDescription
  ) -> RelationshipShape.Storage {
    if relationship.isTransient { return .memory }
    func slot(_ entity: EntityDescription, _ name: String, _ use: SlotUse) -> Int? {
      slotNumbers[Self.slotKey(entity.name, name, use)]
    }
    if !relationship.isToMany {
      return .reference(
        slot: slot(entity, relationship.name, .value) ?? 0,
        position: slot(entity, relationship.name, .position))
    }
    guard let inverse = storedInverse(of: relationship) else {
      let destination = byName[relationship.destinationEntityName] ?? entity
      let name = "\(numbers[entity.name] ?? 0)\(relationship.name)"
      return .inverseReference(
        slot: slot(destination, name, .owner) ?? 0, position: slot(destination, name, .position))
    }
    if !inverse.relationship.isToMany {
      return .inverseReference(
        slot: slot(inverse.entity, inverse.relationship.name, .value) ?? 0,
        position: slot(inverse.entity, inverse.relationship.name, .position))
    }
    let join = joinsBySide[Self.sideKey(entity.name, relationship.name)]
    return .join(join?.index ?? 0, isFirst: join?.first == side(entity, relationship))
  }

  // MARK: - Lookup

  /// Finds the inverse of a relationship and the entity that declares it. The entity may be the
  /// destination or one that the destination inherits from.
  private func inverse(
    of relationship: RelationshipDescription
  ) -> (entity: EntityDescription, relationship: RelationshipDescription)? {
    guard let name = relationship.inverseName else { return nil }
    var entity = byName[relationship.destinationEntityName]
    while let candidate = entity {
      if let found = candidate.relationships.first(where: { $0.name == name }) {
        return (candidate, found)
      }
      entity = candidate.superentityName.flatMap { byName[$0] }
    }
    return nil
  }

  private func storedInverse(
    of relationship: RelationshipDescription
  ) -> (entity: EntityDescription, relationship: RelationshipDescription)? {
    inverse(of: relationship).flatMap { $0.relationship.isTransient ? nil : $0 }
  }

  private func root(_ entity: EntityDescription) -> String {
    var entity = entity
    while let above = entity.superentityName.flatMap({ byName[$0] }) { entity = above }
    return entity.name
  }
}
