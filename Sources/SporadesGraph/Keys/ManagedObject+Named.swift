// SPDX-License-Identifier: MIT
import SporadesModel

// Attributes by name with a static type, for accessors of another module.
extension ManagedObject {
  /// The value of an attribute; nil where it has none.
  package final func attribute<V: AttributeConvertible>(_ name: String) -> V? {
    if unsafe home.hearsReads { home.hear(readOf: self, named: name) }
    let attribute = namedAttribute(name)
    guard let slot = attribute.slot, attribute.type.hasCells(of: V.attributeType),
      !home.shape.layout.isLarge(slot)
    else {
      let value: Value = value(of: attribute)
      return value.converted()
    }
    guard let row = unsafe row ?? loadRow(for: slot), unsafe !row.isNull(slot, home.slots) else {
      return nil
    }
    return unsafe load(row, slot)
  }

  /// Sets an attribute.
  package final func setAttribute<V: AttributeConvertible>(_ name: String, _ value: V?) {
    let attribute = namedAttribute(name)
    guard let slot = attribute.slot, attribute.type == V.attributeType,
      !home.shape.layout.isLarge(slot), !attribute.description.isDerived
    else { return setValue(value?.value ?? .null, forKey: name) }
    if home.checksQueue { checkChange(named: name) }
    guard let value else { return setNull(slot) }
    unsafe value.store(word: { setWord(slot, $0) }, bytes: { unsafe setBytes(slot, $0) })
  }

  private final func namedAttribute(_ name: String) -> AttributeShape {
    guard case .attribute(let attribute)? = home.shape[name] else {
      trap(home.shape.describeMissingProperty(name))
    }
    return attribute
  }
}

extension AttributeType {
  /// Whether cells of the type can be read as those of another one: whole numbers have the same words.
  fileprivate func hasCells(of other: AttributeType) -> Bool {
    if self == other { return true }
    let whole: [AttributeType] = [.integer16, .integer32, .integer64]
    return whole.contains(self) && whole.contains(other)
  }
}
