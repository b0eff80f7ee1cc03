// SPDX-License-Identifier: MIT
import SporadesModel
import SporadesStore

extension RowPage {
  /// The value of an attribute in a row. Throws if it lies in a file that can not be read.
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

  /// The value of an attribute in a row of the object; null, with a report, if it can not be read.
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
