// SPDX-License-Identifier: MIT

extension RowPage {
  /// Whether a slot holds the same value as this slot does in a row of another page.
  package func holds(_ index: Int, slot: Int, sameAs other: RowPage, _ otherIndex: Int) -> Bool {
    let isNull = isNull(index, slot: slot)
    guard isNull == other.isNull(otherIndex, slot: slot) else { return false }
    guard !isNull else { return true }
    guard layout.slots[slot].kind.isBytes else {
      return word(index, slot: slot) == other.word(otherIndex, slot: slot)
    }
    if layout.isLarge(slot) {
      return holdsLarge(index, slot: slot, as: other, otherIndex)
    }
    return unsafe withBytes(index, slot: slot) { mine in
      unsafe other.withBytes(otherIndex, slot: slot) { theirs in
        unsafe mine.elementsEqual(theirs)
      }
    } == true
  }

  /// A new page with a copy of one row.
  package func copy(of index: Int) -> RowPage {
    var builder = RowPageBuilder(layout: layout, capacity: 1)
    builder.appendCopy(of: index, in: self)
    return builder.finish()
  }
}
