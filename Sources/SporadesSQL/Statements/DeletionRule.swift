// SPDX-License-Identifier: MIT
package import SporadesModel

/// The effect of deleting rows on the rows at the other end of one relationship.
package struct DeletionRule {
  package enum Effect {
    /// The other rows are deleted, too.
    case cascade
    /// Another row that stays makes the deletion impossible.
    case deny
    /// References of the other rows become nil.
    case nullify(isRequired: Bool)
    /// The other rows lose a member and do not change.
    case noteOwner
  }

  /// The place of the links.
  package enum Link {
    /// A slot of the deleted rows holds the key of the other row.
    case own(slot: Int)
    /// A slot of the other rows holds the key of the deleted row; another one their place in an order.
    case others(slot: Int, position: Int?)
    case join(Int, isFirst: Bool)
  }

  package let effect: Effect
  package let link: Link
  /// The index of the deleted rows' table.
  package let place: Int
  /// The index of the other rows' table.
  package let otherPlace: Int
  /// The number of the other rows' entity, or of its superentity.
  package let destination: Int
  /// The numbers of the entities with the relationship; nil if all entities of the table have it.
  let entities: ClosedRange<Int>?

  /// The columns that become nil.
  func cleared(in table: StoreLayout.Table) -> [String] {
    guard case .others(let slot, let position) = link else { return [] }
    let column = table.columns[slot]
    return [column.name]
      + [column.entityColumn, position.map { table.columns[$0].name }]
      .compactMap(\.self)
  }

  /// The rules of a family and of those that cascades reach from it, and the indexes of the tables that may lose rows, the
  /// family's own first.
  package static func reach(
    of family: ClosedRange<Int>, _ model: ManagedObjectModel, _ layout: StoreLayout
  ) -> (rules: [DeletionRule], places: [Int]) {
    var rules: [DeletionRule] = []
    var places: [Int] = []
    // An entity alone and with its subentities are two families.
    var met: Set<Int> = []
    // A family shares relationships with those around it.
    var relationships: Set<Int> = []
    var open = [family]
    while let next = open.popLast() {
      guard met.insert(next.lowerBound * (model.shapes.count + 1) + next.upperBound).inserted else {
        continue
      }
      let place = layout.tablesByEntity[next.lowerBound - 1]
      if !places.contains(place) { places.append(place) }
      let more = all(of: next, without: &relationships, model, layout)
      rules += more
      open += more.filter(\.isCascade).map { model.shape(numbered: $0.destination).family }
    }
    return (rules, places)
  }

  package var isCascade: Bool { if case .cascade = effect { true } else { false } }
  package var isNullification: Bool { if case .nullify = effect { true } else { false } }
  /// A row that stays makes the deletion impossible.
  package var mayDeny: Bool {
    switch effect {
    case .deny, .nullify(isRequired: true): true
    case .nullify(isRequired: false), .cascade, .noteOwner: false
    }
  }
  /// The slots of other rows that become nil.
  package var clearedSlots: [Int] {
    guard case .others(let slot, let position) = link else { return [] }
    return [slot] + [position].compactMap(\.self)
  }

  /// The rules of all relationships of an entity and its subentities but those that were met.
  private static func all(
    of family: ClosedRange<Int>, without met: inout Set<Int>, _ model: ManagedObjectModel,
    _ layout: StoreLayout
  ) -> [DeletionRule] {
    var rules: [DeletionRule] = []
    for number in family {
      let shape = model.shape(numbered: number)
      for relationship in shape.relationships where met.insert(relationship.number).inserted {
        rules += Self.rules(of: relationship, model, layout)
      }
    }
    return rules + ownerRules(of: family, model, layout)
  }

  private static func rules(
    of relationship: RelationshipShape, _ model: ManagedObjectModel, _ layout: StoreLayout
  ) -> [DeletionRule] {
    let inverse = relationship.inverseName.flatMap { name -> RelationshipShape? in
      guard case .relationship(let inverse)? = model.shape(numbered: relationship.destination)[name]
      else { return nil }
      return inverse
    }
    let (link, isOwn): (Link, Bool)
    switch relationship.storage {
    case .reference(let slot, _): (link, isOwn) = (.own(slot: slot), true)
    case .inverseReference(let slot, let position):
      (link, isOwn) = (.others(slot: slot, position: position), false)
    case .join(let index, let isFirst): (link, isOwn) = (.join(index, isFirst: isFirst), false)
    case .memory: return []
    }
    func rule(_ effect: Effect, _ link: Link) -> DeletionRule {
      DeletionRule(
        effect, link, of: relationship.entity, to: relationship.destination, model, layout)
    }
    let isRequired = inverse?.description.isOptional == false
    var rules: [DeletionRule] = []
    switch relationship.description.deleteRule {
    case .cascade: rules.append(rule(.cascade, link))
    case .deny: rules.append(rule(.deny, link))
    case .nullify:
      switch link {
      case .others: rules.append(rule(.nullify(isRequired: isRequired), link))
      case .join: if inverse != nil { rules.append(rule(.noteOwner, link)) }
      case .own: break
      }
    case .noAction: return []
    }
    guard isOwn, let inverse else { return rules }
    switch inverse.storage {
    case .reference(let slot, _):
      let partner = Link.others(slot: slot, position: nil)
      rules.append(rule(.nullify(isRequired: isRequired), partner))
    case .inverseReference: rules.append(rule(.noteOwner, link))
    case .join, .memory: break
    }
    return rules
  }

  /// The owners of relationships without an inverse, whose keys lie in the slots of their members.
  private static func ownerRules(
    of family: ClosedRange<Int>, _ model: ManagedObjectModel, _ layout: StoreLayout
  ) -> [DeletionRule] {
    let slots = model.shape(numbered: family.lowerBound).layout.slots
    return slots.enumerated().compactMap { slot, described in
      guard case .owner(let entity, _) = described.role,
        model.shape(numbered: described.entity).family.overlaps(family)
      else { return nil }
      return DeletionRule(
        .noteOwner, .own(slot: slot), of: described.entity, to: entity, model, layout)
    }
  }

  private init(
    _ effect: Effect, _ link: Link, of entity: Int, to other: Int, _ model: ManagedObjectModel,
    _ layout: StoreLayout
  ) {
    let shape = model.shape(numbered: entity)
    self.effect = effect
    self.link = link
    place = layout.tablesByEntity[entity - 1]
    otherPlace = layout.tablesByEntity[other - 1]
    destination = other
    entities = shape.number == shape.rootNumber ? nil : shape.family
  }
}
