// SPDX-License-Identifier: MIT

extension EntityShape {
  /// The slot of an attribute or a to-one reference by its name; nil for a property without a slot, and for none.
  package func slot(named name: String) -> Int? {
    switch self[name] {
    case .attribute(let attribute): return attribute.slot
    case .relationship(let relationship):
      guard case .reference(let slot, _) = relationship.storage else { return nil }
      return slot
    case .fetched, nil: return nil
    }
  }
}
