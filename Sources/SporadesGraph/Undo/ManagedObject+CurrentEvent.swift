// SPDX-License-Identifier: MIT
public import SporadesModel

extension ManagedObject {
  /// The properties that changed in the current event, with their former values. An event begins
  /// with a save, with ``ManagedObjectContext/processPendingChanges()`` and, if there is an undo
  /// manager, with a block.
  @_disfavoredOverload
  public final func changedValuesForCurrentEvent() -> [String: Value] {
    if home.checksQueue { home.checkQueue(self) }
    // because the snapshot of a fault takes its row from the object
    if isFault && hasChangedLinks { home.context?.fulfil(self) }
    guard let past = home.context?.events?.snapshot(of: self), let row = past.row,
      let step = UndoStep(past, ObjectSnapshot(self))
    else {
      guard home.context?.events?.snapshot(of: self) == nil else { return [:] }
      return committedValues(forKeys: Array(changedValues().keys))
    }
    return values(before: step, row)
  }

  private final func values(before step: UndoStep, _ row: RowPage) -> [String: Value] {
    var all: [String: Value] = [:]
    for property in home.shape.properties {
      switch property {
      case .attribute(let attribute):
        guard attribute.leafSlots.contains(where: step.slots.contains) else { continue }
        all[property.name] = row.value(0, of: attribute, for: self)
      case .relationship(let relationship):
        if case .reference(let slot, _) = relationship.storage {
          guard step.references.contains(slot) else { continue }
          all[property.name] =
            step.before.references[slot].map { .objectID($0.objectID) } ?? .null
        } else if let change = step.links.first(where: { $0.relationship === relationship }) {
          let linked = Set(change.linked.map(ObjectIdentifier.init))
          let members = members(relationship).filter { !linked.contains(ObjectIdentifier($0)) }
          all[property.name] = .list(
            (change.order ?? members + change.unlinked).map { .objectID($0.objectID) })
        }
      case .fetched: break
      }
    }
    return all
  }
}

extension AttributeShape {
  fileprivate var leafSlots: [Int] { slot.map { [$0] } ?? elements.flatMap(\.leafSlots) }
}
