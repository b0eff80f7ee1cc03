// SPDX-License-Identifier: MIT
import SporadesModel

extension RowPage {
  /// Whether a slot holds what the same slot of a row of another page does.
  func holds(_ index: Int, slot: Int, sameAs other: RowPage, _ otherIndex: Int) -> Bool {
    let isNull = isNull(index, slot: slot)
    guard isNull == other.isNull(otherIndex, slot: slot) else { return false }
    guard !isNull else { return true }
    guard layout.slots[slot].kind.isBytes else {
      return word(index, slot: slot) == other.word(otherIndex, slot: slot)
    }
    return unsafe withBytes(index, slot: slot) { mine in
      unsafe other.withBytes(otherIndex, slot: slot) { theirs in
        unsafe mine.elementsEqual(theirs)
      }
    } == true
  }

  /// A page of its own for one row.
  func copy(of index: Int) -> RowPage {
    var builder = RowPageBuilder(layout: layout, capacity: 1)
    builder.appendCopy(of: index, in: self)
    return builder.finish()
  }

  /// The value an attribute has in a row.
  func value(_ index: Int, of attribute: AttributeShape) -> Value {
    guard let slot = attribute.slot else {
      return .list(attribute.elements.map { value(index, of: $0) })
    }
    guard !isNull(index, slot: slot) else { return .null }
    return unsafe attribute.type.value(word: word(index, slot: slot), bytes: bytes)
  }
}
