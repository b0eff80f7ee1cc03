// SPDX-License-Identifier: MIT
import FoundationEssentials
import SporadesModel
import SporadesStore

/// The row that holds each group of unique values.
struct MemoryConstraints: Sendable {
  /// A uniqueness constraint and the entity that declares it.
  struct Constraint: Hashable, Sendable {
    let entity: Int
    let properties: [String]
  }

  private var holders: [Constraint: [[UniquePart]: Int64]] = [:]

  /// Releases the unique values of a row.
  mutating func release(_ row: MemoryState.Row, _ model: ManagedObjectModel) {
    for (constraint, parts) in Self.readGroups(of: row, model) { holders[constraint]?[parts] = nil }
  }

  /// Claims the unique values of a row. If another row has them, returns the constraint that this breaks.
  mutating func claim(_ row: MemoryState.Row, _ model: ManagedObjectModel) -> Constraint? {
    for (constraint, parts) in Self.readGroups(of: row, model) {
      let holder = holders[constraint, default: [:]].updateValue(row.key.primaryKey, forKey: parts)
      if holder != nil { return constraint }
    }
    return nil
  }

  /// Reads the values of a row for each of its constraints. Values with a nil among them are never unique, so
  /// the result leaves them out.
  private static func readGroups(
    of row: MemoryState.Row, _ model: ManagedObjectModel
  ) -> [(Constraint, [UniquePart])] {
    var groups: [(Constraint, [UniquePart])] = []
    for shape in model.shapes where shape.family.contains(row.key.entity) {
      for properties in shape.description.uniquenessConstraints {
        let slots = properties.compactMap { shape[$0].flatMap(findSlot) }
        let parts = slots.compactMap { UniquePart(row, slot: $0.slot, as: $0.type) }
        guard parts.count == slots.count else { continue }
        groups.append((Constraint(entity: shape.number, properties: properties), parts))
      }
    }
    return groups
  }

  private static func findSlot(_ property: PropertyShape) -> (slot: Int, type: AttributeType?)? {
    switch property {
    case .attribute(let attribute): return attribute.slot.map { ($0, attribute.type) }
    case .relationship(let relationship):
      guard case .reference(let slot, _) = relationship.storage else { return nil }
      return (slot, nil)
    case .fetched: return nil
    }
  }
}

/// One unique value. Texts count by their bytes, because different texts can be equal Swift strings.
private enum UniquePart: Hashable, Sendable {
  case value(Value)
  case text([UInt8])
  case reference(Int64)

  /// Reads the value of a slot; nil if the slot is nil.
  init?(_ row: MemoryState.Row, slot: Int, as type: AttributeType?) {
    guard let type else {
      guard let key = row.page.reference(row.index, slot: slot) else { return nil }
      self = .reference(key.primaryKey)
      return
    }
    switch row.page.value(row.index, slot: slot, as: type) {
    case .null: return nil
    case .string(let text): self = .text(Array(text.utf8))
    case .url(let url): self = .text(Array(url.absoluteString.utf8))
    case let value: self = .value(value)
    }
  }
}
