// SPDX-License-Identifier: MIT
import SporadesChain
import SporadesModel
import SporadesStore

// Changes of single slots, shared by merges, undo, conflicts and child contexts.
extension ManagedObject {
  /// Sets a slot to the value that another row of the same layout has in it.
  final func setSlot(_ slot: Int, from page: RowPage, _ index: Int) {
    guard !page.isNull(index, slot: slot) else { return setNull(slot) }
    guard page.layout.slots[slot].kind.isBytes else {
      return setWord(slot, page.word(index, slot: slot))
    }
    if page.layout.isLarge(slot) { return setLarge(slot, from: page, index) }
    unsafe page.withBytes(index, slot: slot) { unsafe setBytes(slot, UnsafeRawBufferPointer($0)) }
  }

  /// The base row: the row that the object's changes start from.
  final var base: (page: RowPage, index: Int)? {
    guard state.contains(.open), !isNew, let page, page.isOpen else { return nil }
    return page.bases[rowIndex]
  }
}

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
    guard let former = object.page, former.isOpen else { return }
    let layout = page.layout
    let formerIndex = object.rowIndex
    let open = object.home.updatePage
    let row = unsafe open.openCopy(of: index, in: page)
    for slot in layout.slots.indices
    where former.isChanged(formerIndex, slot: slot)
      && !former.holds(formerIndex, slot: slot, sameAs: page, index)
      && !takesPlace(slot, of: former, formerIndex, from: page, index, over: base)
    {
      unsafe open.copySlot(slot, to: row, from: former, formerIndex)
      open.markChanged(open.count - 1, slot: slot)
    }
    object.show(open, open.count - 1)
  }

  /// Whether a member without a place in the order takes the one of the newer row: others moved it to the owner
  /// that it got here, so nothing is left to save that would give it a place.
  private func takesPlace(
    _ slot: Int, of former: RowPage, _ formerIndex: Int, from page: RowPage, _ index: Int,
    over base: RowPlace?
  ) -> Bool {
    guard former.isNull(formerIndex, slot: slot),
      let reference = page.layout.reference(ofPosition: slot),
      let owner = page.reference(index, slot: reference)
    else { return false }
    return owner == former.reference(formerIndex, slot: reference)
      && owner != base?.reference(reference)
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
