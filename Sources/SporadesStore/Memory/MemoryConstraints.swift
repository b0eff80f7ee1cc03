// SPDX-License-Identifier: MIT
import FoundationEssentials
import SporadesModel

extension MemoryState {
  /// A constraint of the given inheritance trees that two rows break; rows with a nil never do.
  func brokenConstraint(
    in roots: Set<Int>, _ model: ManagedObjectModel
  ) -> (entity: EntityShape, properties: [String])? {
    for shape in model.shapes where roots.contains(shape.rootNumber) {
      for properties in shape.description.uniquenessConstraints {
        var seen: Set<[UniquePart]> = []
        let slots = properties.compactMap { shape[$0].flatMap(Self.slot) }
        for row in rows[shape.rootNumber, default: [:]].values
        where shape.family.contains(row.key.entity) {
          let parts = slots.compactMap { UniquePart(row, slot: $0.slot, as: $0.type) }
          guard parts.count == slots.count else { continue }
          guard seen.insert(parts).inserted else { return (shape, properties) }
        }
      }
    }
    return nil
  }

  private static func slot(_ property: PropertyShape) -> (slot: Int, type: AttributeType?)? {
    switch property {
    case .attribute(let attribute): return attribute.slot.map { ($0, attribute.type) }
    case .relationship(let relationship):
      guard case .reference(let slot, _) = relationship.storage else { return nil }
      return (slot, nil)
    case .fetched: return nil
    }
  }
}

/// What two rows must not agree on: values, but texts by their bytes, since equal Swift strings
/// may be different texts.
private enum UniquePart: Hashable {
  case value(Value)
  case text([UInt8])
  case reference(Int64)

  /// Nil where the slot is.
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
