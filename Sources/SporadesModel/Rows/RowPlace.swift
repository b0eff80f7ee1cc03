// SPDX-License-Identifier: MIT

/// A row in a page.
package struct RowPlace: Sendable {
  package let page: RowPage
  package let index: Int

  package init(page: RowPage, index: Int) {
    self.page = page
    self.index = index
  }

  package var key: RowKey { page.key(index) }
  package var version: Int64 { page.version(index) }

  package func reference(_ slot: Int) -> RowKey? { page.reference(index, slot: slot) }

  /// Whether both rows hold the same value in a slot.
  package func agrees(with other: RowPlace, slot: Int) -> Bool {
    page.holds(index, slot: slot, sameAs: other.page, other.index)
  }

  /// Whether both rows hold the same values in all slots that are neither derived nor positions.
  package func hasSameValues(as other: RowPlace) -> Bool {
    let slots = page.layout.slots
    return slots.indices.allSatisfy { !slots[$0].isOfItsOwn || agrees(with: other, slot: $0) }
  }

  /// A copy that stays as it is when the page changes.
  package var copy: RowPlace { RowPlace(page: page.copy(of: index), index: 0) }
}

extension RowLayout.Slot {
  /// The slot holds a value that somebody set: it is not derived, and no position in an order.
  package var isOfItsOwn: Bool {
    if case .position = role { return false }
    return !isDerived
  }

  package var isDerived: Bool {
    if case .attribute(let attribute) = role { attribute.isDerived } else { false }
  }
}
