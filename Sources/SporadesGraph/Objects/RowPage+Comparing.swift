// SPDX-License-Identifier: MIT
import SporadesModel
import SporadesStore

extension RowPage {
  /// Whether a slot holds what the same slot of a row of another page does.
  func holds(_ index: Int, slot: Int, sameAs other: RowPage, _ otherIndex: Int) -> Bool {
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

  /// A page of its own for one row.
  func copy(of index: Int) -> RowPage {
    var builder = RowPageBuilder(layout: layout, capacity: 1)
    builder.appendCopy(of: index, in: self)
    return builder.finish()
  }

  /// The value an attribute has in a row; throws where it lies in a file that can not be read.
  func storedValue(_ index: Int, of attribute: AttributeShape) throws(StoreError) -> Value {
    guard let slot = attribute.slot else {
      var values: [Value] = []
      for element in attribute.elements { values.append(try storedValue(index, of: element)) }
      return .list(values)
    }
    guard !isNull(index, slot: slot) else { return .null }
    if layout.isLarge(slot) {
      return try self.bytes(index, slot: slot).map(attribute.type.value) ?? .null
    }
    return unsafe attribute.type.value(word: word(index, slot: slot), bytes: bytes)
  }

  /// The value an attribute has in a row of an object's; null, with the failure kept, where it can not
  /// be read.
  func value(_ index: Int, of attribute: AttributeShape, for object: ManagedObject) -> Value {
    do {
      return try storedValue(index, of: attribute)
    } catch {
      object.home.context?.report(
        .unreadable(object.objectID, property: attribute.name, error))
      return .null
    }
  }
}
