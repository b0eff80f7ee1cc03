// SPDX-License-Identifier: MIT
package import SporadesModel

/// The order of one entity's columns in the bits of a history change.
///
/// Rules:
/// 1. To-one relationships come first, then their columns for the linked row's entity, then the columns of
///    places in an order, then attributes, then to-many relationships.
/// 2. In each group, inherited properties come first. Both parts are sorted by name.
/// 3. Transient and fetched properties have no bit.
/// 4. The first bit is the highest bit of the first byte.
package struct HistorySlots: Sendable {
  package enum Slot: Sendable {
    case toOne(RelationshipShape, slot: Int)
    case entity(RelationshipShape, slot: Int)
    case position(RelationshipShape, slot: Int)
    case attribute(AttributeShape, slot: Int)
    case toMany(RelationshipShape)
  }

  package let slots: [Slot]

  package init(_ shape: EntityShape, _ model: ManagedObjectModel) {
    var all: [(place: Place, slot: Slot)] = []
    for property in shape.properties {
      switch property {
      case .attribute(let attribute): Self.add(attribute, attribute.name, to: &all)
      case .relationship(let relationship): Self.add(relationship, model, to: &all)
      case .fetched: break
      }
    }
    slots = all.sorted { $0.place < $1.place }.map(\.slot)
  }

  /// The bytes for a set of slots, given by their indexes in ``slots``.
  package func bytes(of places: [Int]) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: (slots.count + 7) / 8)
    for place in places { bytes[place / 8] |= 0x80 >> UInt8(place % 8) }
    return bytes
  }

  /// The names of the properties behind the slots at the places. A column beside a to-one relationship stands for the
  /// relationship, and an element of a composite attribute for the attribute.
  package func properties(at places: [Int], of shape: EntityShape) -> Set<String> {
    Set(
      places.map { place in
        switch slots[place] {
        case .toOne(let relationship, _), .entity(let relationship, _),
          .position(let relationship, _), .toMany(let relationship):
          relationship.name
        case .attribute(_, let slot):
          shape.layout.slots[slot].name.split(separator: ".").first.map(String.init) ?? ""
        }
      })
  }

  /// The indexes in ``slots`` whose bits are set; nil if the bytes do not fit this entity.
  package func places(in bytes: [UInt8]) -> [Int]? {
    guard bytes.count == (slots.count + 7) / 8 else { return nil }
    let places = (0..<bytes.count * 8).filter { bytes[$0 / 8] & (0x80 >> UInt8($0 % 8)) != 0 }
    return places.last.map { $0 < slots.count } ?? true ? places : nil
  }

  // MARK: - Order

  private struct Place: Comparable {
    let group: Int
    /// Superentities have lower numbers.
    let entity: Int
    let name: String

    static func < (left: Place, right: Place) -> Bool {
      guard (left.group, left.entity) == (right.group, right.entity) else {
        return (left.group, left.entity) < (right.group, right.entity)
      }
      return left.name.utf8.lexicographicallyPrecedes(right.name.utf8)
    }
  }

  private static func add(
    _ attribute: AttributeShape, _ path: String, to all: inout [(place: Place, slot: Slot)]
  ) {
    for element in attribute.elements { add(element, "\(path).\(element.name)", to: &all) }
    guard let slot = attribute.slot else { return }
    all.append(
      (Place(group: 3, entity: attribute.entity, name: path), .attribute(attribute, slot: slot)))
  }

  private static func add(
    _ relationship: RelationshipShape, _ model: ManagedObjectModel,
    to all: inout [(place: Place, slot: Slot)]
  ) {
    func place(_ group: Int) -> Place {
      Place(group: group, entity: relationship.entity, name: relationship.name)
    }
    switch relationship.storage {
    case .memory: break
    case .reference(let slot, let position):
      all.append((place(0), .toOne(relationship, slot: slot)))
      if model.shape(numbered: relationship.destination).hasSubentities {
        all.append((place(1), .entity(relationship, slot: slot)))
      }
      if let position { all.append((place(2), .position(relationship, slot: position))) }
    case .inverseReference, .join: all.append((place(4), .toMany(relationship)))
    }
  }
}
