// SPDX-License-Identifier: MIT
import SporadesChain
import SporadesModel
import SporadesStore

// Changes of references, and of the rows that changes start from, shared by merges, undo, conflicts and child contexts.
extension ManagedObjectContext {
  /// Sets a reference slot through its relationship, so that the other side stays consistent.
  func setReference(_ slot: Int, of object: ManagedObject, _ target: ManagedObject?) {
    let relationship = object.home.binding.toOneRelationships.first {
      guard case .reference(slot, _) = $0.storage else { return false }
      return true
    }
    if let relationship { return object.setToOne(relationship, target) }
    // because a to-many relationship without inverse stores its owner's key in the member, the
    // owner holds the relationship
    guard case .owner(_, let description) = object.home.shape.layout.slots[slot].role else {
      return
    }
    func owned(by owner: ManagedObject?) -> RelationshipShape? {
      guard case .relationship(let owned)? = owner?.home.shape[description.name] else { return nil }
      return owned
    }
    if let target, let relationship = owned(by: target) {
      target.link(object, relationship)
    } else if let former = object.related(slot), let relationship = owned(by: former) {
      former.unlink(object, relationship)
    }
  }

  /// Moves an object's changes onto a newer base row. A value that the new row has, too, is no change
  /// any more.
  func rebase(_ object: ManagedObject, on page: RowPage, _ index: Int) {
    guard !object.isNew else { return }
    let base = object.basePlace
    defer { if let base { moveMembership(of: object, from: base, to: page, index) } }
    guard object.state.contains(.open) else { return object.show(page, index) }
    reopen(object, on: page, index, over: base)
  }

  /// Updates the to-many relationships that a changed object belongs to after others moved its row
  /// to another owner. The owner that others took it from is not changed here any more; the one that
  /// they gave it to loses it by the next save, unless the object is there now.
  private func moveMembership(
    of object: ManagedObject, from base: RowPlace, to page: RowPage, _ index: Int
  ) {
    let layout = page.layout
    for slot in layout.referenceSlots {
      let (old, new) = (base.reference(slot), page.reference(index, slot: slot))
      guard old != new else { continue }
      let now = object.isRemoved ? nil : object.reference(slot)
      for key in [old, new].compactMap(\.self) {
        let owner = self.object(forKey: key)
        guard let relationship = relationship(of: owner, slot, layout) else { continue }
        owner.knownToMany(relationship)?.forget(object)
        guard (key == now) != (key == new) else { continue }
        let links = owner.toManyForChange(relationship)
        if key == now { links.add(object) } else { links.remove(object) }
      }
    }
  }

  /// The to-many relationship of an owner whose members refer to it in a slot of the layout.
  func relationship(
    of owner: ManagedObject, _ slot: Int, _ layout: RowLayout
  ) -> RelationshipShape? {
    owner.home.binding.toManyRelationships.first {
      guard case .inverseReference(slot, _) = $0.storage else { return false }
      return model.shape(numbered: $0.destination).layout === layout
    }
  }
}
