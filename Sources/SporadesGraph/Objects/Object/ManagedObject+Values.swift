// SPDX-License-Identifier: MIT
import FoundationEssentials
package import SporadesModel

// Values of attributes by the shape of their entity. Typed access and access by name lead here.
extension ManagedObject {
  package final func value(of attribute: AttributeShape) -> Value {
    guard let slot = attribute.slot else {
      if attribute.type == .composite {
        return .list(attribute.elements.map { value(of: $0) })
      }
      let index = home.shape.index(of: attribute.name)
      return index.flatMap { extras?.transients[$0] } ?? attribute.description.defaultValue
    }
    guard let row = unsafe loadRow(for: slot), unsafe !row.isNull(slot, home.slots), let page else {
      return .null
    }
    if page.layout.isLarge(slot) { return largeData(slot).map(attribute.type.value) ?? .null }
    let region = unsafe page.byteRegion
    return unsafe attribute.type.value(
      word: row.word(slot, home.slots, region), bytes: region.start)
  }

  package final func set(_ value: Value, of attribute: AttributeShape) {
    guard let slot = attribute.slot else { return setUnstored(value, attribute) }
    guard !value.isNull else { return setNull(slot) }
    if case .data(let data) = value, home.shape.layout.isLarge(slot), attribute.type != .uuid {
      return setLarge(slot, data)
    }
    guard let cell = Cell(value, as: attribute.type) else {
      trap(
        """
        \(home.shape.name).\(attribute.name) has the type \(attribute.type) and can not take \
        \(attribute.type.describeRefusal(of: value))
        """)
    }
    switch cell {
    case .word(let word): setWord(slot, word)
    case .bytes(let bytes):
      if home.shape.layout.isLarge(slot) { return setLarge(slot, Data(bytes)) }
      unsafe bytes.withUnsafeBytes { unsafe setBytes(slot, $0) }
    }
  }

  private final func setUnstored(_ value: Value, _ attribute: AttributeShape) {
    if attribute.type == .composite {
      setElements(of: attribute, to: value)
    } else if let index = home.shape.index(of: attribute.name) {
      setTransient(index, value)
    }
  }

  /// Sets a transient attribute. That is no change, but a save passes the value on to a parent context.
  final func setTransient(_ index: Int, _ value: Value) {
    if home.isOfEndedBlock { return refuseChange() }
    if extras == nil { extras = ObjectExtras() }
    extras?.transients[index] = value
    guard let context = home.context, context.parent.context != nil else { return }
    context.changes.noteTransient(index, of: self)
  }

  private final func setElements(of attribute: AttributeShape, to value: Value) {
    let values: [Value]
    switch value {
    case .null: values = attribute.elements.map { _ in .null }
    case .list(let list) where list.count == attribute.elements.count: values = list
    default:
      let paths = attribute.elements.map { "\(attribute.name).\($0.name)" }
      trap(
        """
        \(home.shape.name).\(attribute.name) is a composite and can not take \(value.kindName). Set its struct, or its \
        members by their paths: \(paths.joined(separator: ", ")).
        """)
    }
    for (element, value) in zip(attribute.elements, values) { set(value, of: element) }
  }

  // MARK: - Places of properties

  /// The index of a property in the entity's shape; nil if its value lies in the row.
  final func propertyIndex(at place: Int) -> Int? {
    let number = unsafe home.places[place]
    guard number != .min else {
      trap(
        """
        \(type(of: self)).\(propertyName(at: place)) has no counterpart in entity \
        \(home.shape.name) of this stack's model. Add the property to the model, or take it out \
        of the class.
        """)
    }
    return number < 0 ? Int(-1 - number) : nil
  }

  final func propertyName(at place: Int) -> String {
    if home.binding.entity != nil { return home.shape.properties[place].name }
    return type(of: self).declaration.allProperties[place].name
  }
}
