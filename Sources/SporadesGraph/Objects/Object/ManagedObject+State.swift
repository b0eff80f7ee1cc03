// SPDX-License-Identifier: MIT
import SporadesModel

// What changed since the last save. A changed row knows the row it was copied from, so an object records nothing else.
extension ManagedObject {
  /// Whether the object is new, changed or deleted, other than by members that joined or left.
  final var isRowChanged: Bool {
    let state = state
    return !state.isDisjoint(with: .rowChanged) && !state.isSuperset(of: .withdrawn)
  }

  /// Whether the next save writes or deletes the object's row. An object that was changed and then
  /// changed back counts as updated, but it writes nothing, wins no merge and causes no conflict.
  final var writesRow: Bool {
    guard isRowChanged else { return false }
    guard state.isDisjoint(with: [.inserted, .deleted]), let page else { return true }
    return page.hasChangedSlots(rowIndex) || hasLinksOfItsOwn
  }

  /// Whether links changed that count up the version of this row: those that lie in no row, and
  /// orders.
  private final var hasLinksOfItsOwn: Bool {
    guard let extras else { return false }
    return extras.toMany.contains { links in
      guard case .join = links.relationship.storage else { return links.isReordered }
      return links.hasChanges
    }
  }

  /// Whether members joined or left a to-many relationship of the object, or changed their order.
  /// The rows of the members may hold all of that.
  final var hasChangedLinks: Bool {
    let state = state
    guard state.contains(.linked), !state.isSuperset(of: .withdrawn), let extras else {
      return false
    }
    return extras.toMany.contains(where: \.isChanged)
  }

  /// Whether the object was made here and never saved. It may have been withdrawn since.
  final var isNew: Bool { state.contains(.inserted) }
  /// Whether the object was deleted here: the next save deletes it, or it was withdrawn.
  final var isRemoved: Bool { state.contains(.deleted) }

  // MARK: - The rows before and after

  /// The base row: the row that the object's changes start from.
  final var base: (page: RowPage, index: Int)? {
    guard state.contains(.open), !isNew, let page, page.isOpen else { return nil }
    return page.bases[rowIndex]
  }

  /// The row that the object shows.
  final var place: RowPlace? { page.map { RowPlace(page: $0, index: rowIndex) } }

  /// The row that the object's changes, or its deletion, start from.
  final var basePlace: RowPlace? {
    if isNew { return nil }
    return state.contains(.open)
      ? base.map { RowPlace(page: $0.page, index: $0.index) } : place
  }

  /// The slots that were changed since the last save.
  final var changedSlots: [Int] {
    guard state.contains(.open), !isNew, let page else { return [] }
    let index = rowIndex
    return page.layout.slots.indices.filter { page.isChanged(index, slot: $0) }
  }

  final func differsFromBase(_ slot: Int) -> Bool {
    guard let base, let page else { return false }
    return !page.holds(rowIndex, slot: slot, sameAs: base.page, base.index)
  }
}
