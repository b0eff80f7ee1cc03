// SPDX-License-Identifier: MIT

extension Value {
  /// Converts an argument that has no static type: nil, a ``ValueConvertible``, a case of an enum by
  /// its raw value, a whole number or text of any type, and arrays and sets of these. The result is
  /// nil for everything else.
  package init?(converting argument: Any?) {
    switch argument {
    case nil: self = .null
    case let known as any ValueConvertible: self = known.value
    case let optional as any AnyOptional: self.init(converting: optional.content)
    case let enumeration as any RawRepresentable: self.init(converting: enumeration.rawValue)
    case let number as any BinaryInteger:
      guard let whole = Int64(exactly: number) else { return nil }
      self = .integer(whole)
    case let number as any BinaryFloatingPoint: self = .double(Double(number))
    case let text as any StringProtocol: self = .string(String(text))
    case let character as Character: self = .string(String(character))
    case let items as [Any?]: self.init(items)
    case let items as Set<AnyHashable>: self.init(items.map { $0.base })
    default: return nil
    }
  }

  private init?(_ items: [Any?]) {
    let values = items.compactMap(Value.init(converting:))
    guard values.count == items.count else { return nil }
    self = .list(values)
  }
}

/// An optional of any type.
private protocol AnyOptional {
  var content: Any? { get }
}

extension Optional: AnyOptional {
  fileprivate var content: Any? { self }
}
