// SPDX-License-Identifier: MIT
import SporadesModel

// Attributes whose Swift type is an enum. The store keeps the raw values of the cases.

extension PropertyDeclaration {
  /// The declaration with a check for access by key: a raw value must belong to a case.
  func checking<V: RawRepresentable>(_ type: V.Type) -> Self
  where V.RawValue: AttributeConvertible {
    var declaration = self
    declaration.enumChecks[[]] = EnumCases(V.self)
    return declaration
  }
}

/// The cases of the enum that an attribute has as its Swift type.
struct EnumCases {
  /// Whether a raw value belongs to a case.
  let contain: (Value) -> Bool
  /// The raw values of all cases; empty if the enum does not list them.
  let listed: () -> [Value]
  /// The name of the enum.
  let typeName: String

  init<V: RawRepresentable>(_ type: V.Type) where V.RawValue: AttributeConvertible {
    typeName = "\(type)"
    contain = { value in
      let raw: V.RawValue? = value.converted()
      return raw.flatMap(V.init(rawValue:)) != nil
    }
    listed = {
      let cases = (type as? any CaseIterable.Type)?.listed as? [V]
      return cases?.map(\.rawValue.value) ?? []
    }
  }

  /// The sentence about the nearest case of a raw value that belongs to none, or about the cases
  /// there are.
  func hint(for value: Value) -> String {
    let names = listed().map(Self.name)
    if !names.isEmpty { return NearNames(Self.name(value), among: names).hint }
    guard case .string(let text) = value else { return "" }
    let near = [
      text.lowercased(), text.uppercased(),
      text.prefix(1).uppercased() + text.dropFirst().lowercased(),
    ]
    .first { contain(.string($0)) }
    return near.map { " The nearest name is \($0)." } ?? ""
  }

  private static func name(_ value: Value) -> String {
    switch value {
    case .string(let text): text
    case .integer(let number): "\(number)"
    default: value.debugDescription
    }
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
  fileprivate static var listed: [Any] { Array(allCases) }
  fileprivate static var firstCase: Any? { allCases.first }
}
