// SPDX-License-Identifier: MIT
import SporadesModel

// Attributes whose Swift type is an enum. The store keeps the raw values of the cases.

extension PropertyDeclaration {
  /// The declaration with a check for access by key: a raw value must belong to a case.
  func checking<V: RawRepresentable>(_ type: V.Type) -> Self
  where V.RawValue: AttributeConvertible {
    var declaration = self
    declaration.enumChecks[[]] = { value in
      let raw: V.RawValue? = value.converted()
      return raw.flatMap(V.init(rawValue:)) != nil
    }
    return declaration
  }
}

extension RawRepresentable where RawValue: AttributeConvertible {
  /// The substitute for a missing case: the case of the default, the case of zero or of the empty
  /// text, or the first listed case.
  static func standIn(_ defaultValue: Value) -> Self? {
    let raw: RawValue? = defaultValue.converted()
    return raw.flatMap(Self.init(rawValue:)) ?? Self(rawValue: .absent)
      ?? (Self.self as? any CaseIterable.Type)?.firstCase as? Self
  }
}

extension CaseIterable {
  fileprivate static var firstCase: Any? { allCases.first }
}

extension ManagedObject {
  /// Traps if a value set by key is the raw value of no case of the attribute's enum.
  final func checkRawValue(_ value: Value, _ path: [String], _ attribute: AttributeShape) {
    if case .list(let values) = value, attribute.type == .composite {
      for (element, value) in zip(attribute.elements, values) {
        checkRawValue(value, path + [element.name], element)
      }
      return
    }
    guard !value.isNull, let isCase = home.binding.enumChecks[path], !isCase(value) else { return }
    preconditionFailure(
      """
      \(home.shape.name).\(path.joined(separator: ".")) is an enum, and was set to a raw value that \
      belongs to no case. Set the raw value of a case, or add the case.
      """)
  }

  /// The substitute for a raw value that belongs to no case. The context reports the raw value, and
  /// the row keeps it.
  @usableFromInline
  final func unknownCase<V: RawRepresentable>(_ type: V.Type, _ place: Int) -> V
  where V.RawValue: AttributeConvertible {
    var defaultValue = Value.null
    if !isNull(place) {
      reportUnknownCase(place)
      if case .attribute(let attribute)? = home.shape[propertyName(at: place)] {
        defaultValue = attribute.description.defaultValue
      }
    }
    if let stand = V.standIn(defaultValue) { return stand }
    preconditionFailure(
      """
      \(home.shape.name).\(propertyName(at: place)) has a raw value that belongs to no case of \
      \(V.self). Make the property optional, give it a default, or add the case.
      """)
  }

  @usableFromInline
  final func reportUnknownCase(_ place: Int) {
    home.context?.report(.unknownRawValue(objectID, property: propertyName(at: place)))
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
