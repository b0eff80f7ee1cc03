// SPDX-License-Identifier: MIT
import SporadesModel
import SporadesStore

// Rows of changed objects that come to another page.
extension ManagedObjectContext {
  /// Moves a changed object's row to a page with room. The base row and the changes stay the same.
  final func moveToNewPage(_ object: ManagedObject) {
    guard let former = object.page else { return }
    object.home.closePages()
    guard object.isNew else {
      if let base = object.base {
        reopen(object, on: base.page, base.index, over: object.basePlace)
      }
      object.page?.countBytesAsArrived()
      return
    }
    let index = object.rowIndex
    let open = object.home.insertPage
    let row = unsafe open.openRow(object.key, version: object.version)
    for slot in former.layout.slots.indices {
      unsafe open.copySlot(slot, to: row, from: former, index)
    }
    object.show(open, open.count - 1)
    open.countBytesAsArrived()
  }

  /// Copies an object's row anew from a base row, with the object's changes. A value that the base row has, too, is no change
  /// any more.
  final func reopen(
    _ object: ManagedObject, on page: RowPage, _ index: Int, over base: RowPlace?
  ) {
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
}
