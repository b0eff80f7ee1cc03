// SPDX-License-Identifier: MIT
import SporadesModel
public import SporadesStore

// The first pass of a move, which writes nothing.
extension StoreMove {
  /// What the target cannot keep, by object and property. Empty if the target is no ``LimitedStore``.
  public func unkeepable() throws(StoreError) -> [Unkeepable] {
    guard let target = target as? any LimitedStore else { return [] }
    let view = try self.view
    var found: [Unkeepable] = []
    for keys in try keys(in: view) {
      try forEachBatch(of: keys, in: view) { (pages) throws(StoreError) in
        for page in pages {
          target.findUnkeepable(in: page) { index, property, reason in
            found.append(
              Unkeepable(objectID: id(page.key(index)), property: property, reason: reason))
          }
        }
        try findAbsent(Self.references(in: pages, source.model), &found)
      }
    }
    for join in joins { try findAbsentLinks(join, in: view, &found) }
    return found
  }

  private static func references(
    in pages: [RowPage], _ model: ManagedObjectModel
  ) -> [LostReference] {
    var all: [LostReference] = []
    for page in pages {
      for slot in page.layout.referenceSlots where leadsSomewhere(page.layout.slots[slot], model) {
        for index in 0..<page.count {
          guard let target = page.reference(index, slot: slot) else { continue }
          all.append(
            LostReference(
              owner: page.key(index), property: page.layout.slots[slot].name, target: target))
        }
      }
    }
    return all
  }

  private static func leadsSomewhere(_ slot: RowLayout.Slot, _ model: ManagedObjectModel) -> Bool {
    guard case .toOne(let relationship) = slot.role, relationship.deleteRule != .noAction,
      let inverse = relationship.inverseName,
      case .relationship(let other)? = model.shape(named: relationship.destinationEntityName)?[
        inverse]
    else { return false }
    return other.description.deleteRule != .noAction && !other.description.isTransient
  }

  private func findAbsent(
    _ references: [LostReference], _ found: inout [Unkeepable]
  ) throws(StoreError) {
    let targets = Array(Set(references.map(\.target)))
    guard !targets.isEmpty else { return }
    let absent = Set(try source.absent(targets))
    for reference in references where absent.contains(reference.target) {
      found.append(
        Unkeepable(
          objectID: id(reference.owner), property: reference.property,
          reason:
            "It leads to \(id(reference.target)), which the store does not have. Set another link, or none."
        ))
    }
  }

  /// A link in a join has two ends, each of which may have lost the other.
  private func findAbsentLinks(
    _ join: JoinShape, in view: StoreView, _ found: inout [Unkeepable]
  ) throws(StoreError) {
    for side in join.isReflexive ? [join.first] : [join.first, join.second] {
      var pending: [LostReference] = []
      try forEachOwner(side, view) { (relationship, links) throws(StoreError) in
        pending += links.map {
          LostReference(owner: $0.owner, property: relationship.name, target: $0.other)
        }
        guard pending.count >= Self.linksTogether else { return }
        try findAbsent(pending, &found)
        pending = []
      }
      try findAbsent(pending, &found)
    }
  }

  private static let linksTogether = 8_192

  private func id(_ key: RowKey) -> ManagedObjectID {
    let names = source.model.shapes.map(\.name)
    return ManagedObjectID(
      key: key, scope: StoreScope(identifier: source.identifier, entityNames: names))
  }

  // MARK: - Refusals

  private static let fewLacks = 10

  static func refusal(_ lacks: [Unkeepable]) -> StoreError {
    let more = lacks.count > fewLacks ? " And \(lacks.count - fewLacks) more." : ""
    let sentences = lacks.prefix(fewLacks).map(\.description).joined(separator: " ")
    return StoreError(
      .unsupported,
      "The target cannot keep \(lacks.count) values, and nothing was moved. \(sentences)\(more) Change them, and move again."
    )
  }
}
