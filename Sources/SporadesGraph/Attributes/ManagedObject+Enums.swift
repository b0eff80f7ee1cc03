// SPDX-License-Identifier: MIT
import SporadesModel

// Raw values that belong to no case of the enum of their attribute.
extension ManagedObject {
  /// Traps if a value set by key is the raw value of no case of the attribute's enum.
  final func checkRawValue(_ value: Value, _ path: [String], _ attribute: AttributeShape) {
    if case .list(let values) = value, attribute.type == .composite {
      for (element, value) in zip(attribute.elements, values) {
        checkRawValue(value, path + [element.name], element)
      }
      return
    }
    guard !value.isNull, let cases = home.binding.enumChecks[path], !cases.contain(value) else {
      return
    }
    trap(
      """
      \(home.shape.name).\(path.joined(separator: ".")) is an enum, and was set to a raw value that \
      belongs to no case.\(cases.hint(for: value)) Set the raw value of a case, or add the case.
      """)
  }

  /// The substitute for a raw value that belongs to no case. The context reports the raw value, and
  /// the row keeps it.
  @usableFromInline
  final func unknownCase<V: RawRepresentable>(_ raw: V.RawValue, _ type: V.Type, _ place: Int) -> V
  where V.RawValue: AttributeConvertible {
    var defaultValue = Value.null
    let wasSet = !isNull(place)
    if wasSet {
      reportUnknownCase(raw, type, place)
      if case .attribute(let attribute)? = home.shape[propertyName(at: place)] {
        defaultValue = attribute.description.defaultValue
      }
    }
    if let stand = V.standIn(defaultValue) { return stand }
    let name = "\(home.shape.name).\(propertyName(at: place))"
    guard wasSet else {
      trap(
        "\(name) was read before it was set, and has no default. Set it first, give it a default, or make it optional."
      )
    }
    trap(
      """
      \(name) has the raw value \(String(reflecting: raw)), which belongs to no case of \(V.self). Make the property \
      optional, give it a default, or add the case.
      """)
  }

  @usableFromInline
  final func reportUnknownCase<V: RawRepresentable>(_ raw: V.RawValue, _ type: V.Type, _ place: Int)
  {
    home.context?.report(
      .unknownRawValue(
        objectID, property: propertyName(at: place), value: String(reflecting: raw),
        type: "\(V.self)"))
  }

  private final func isNull(_ place: Int) -> Bool {
    let slot = unsafe Int(home.places[place])
    guard slot >= 0 else {
      guard let index = propertyIndex(at: place) else { return true }
      return extras?.transients[index]?.isNull ?? true
    }
    guard let row = unsafe loadRow(for: slot) else { return true }
    return unsafe row.isNull(slot, home.slots)
  }
}
