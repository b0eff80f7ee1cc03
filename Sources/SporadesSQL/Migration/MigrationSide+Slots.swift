// SPDX-License-Identifier: MIT
import SporadesModel

extension MigrationSide {
  /// An entity and those that it inherits from.
  func lineage(_ entity: Int) -> [Int] {
    var line: [Int] = []
    var number = entity
    while number > 0 {
      line.append(number)
      number = model.shape(numbered: number).superNumber
    }
    return line
  }

  /// The slot of an attribute of an entity, own or inherited, by its path.
  package func slot(ofAttribute path: String, of entity: Int) -> Int? {
    let line = lineage(entity)
    let slots = model.shape(numbered: entity).layout.slots
    return slots.indices.first { place in
      guard case .attribute = slots[place].role else { return false }
      return slots[place].name == path && line.contains(slots[place].entity)
    }
  }

  /// The attribute of a slot, if it is one.
  func attribute(_ slot: Int, inTable place: Int) -> AttributeDescription? {
    let root = model.shape(numbered: layout.tables[place].rootEntity)
    guard case .attribute(let attribute) = root.layout.slots[slot].role else { return nil }
    return attribute
  }

  /// The entities whose rows use the columns of a slot.
  func users(ofColumn name: String, inTable place: Int) -> Set<Int> {
    let table = layout.tables[place]
    guard let slot = table.columns.firstIndex(where: { $0.name == name || $0.entityColumn == name })
    else { return [] }
    return Set(model.shape(numbered: table.columns[slot].entity).family)
  }

  func relationship(_ name: String, of entity: Int) -> RelationshipShape? {
    guard case .relationship(let shape)? = model.shape(numbered: entity)[name] else { return nil }
    return shape
  }

  /// The relationship that sees the links of another from the other side, if a store keeps them.
  func inverse(of relationship: RelationshipShape) -> RelationshipShape? {
    relationship.inverseName.flatMap { self.relationship($0, of: relationship.destination) }
      .flatMap { $0.isStored ? $0 : nil }
  }
}
