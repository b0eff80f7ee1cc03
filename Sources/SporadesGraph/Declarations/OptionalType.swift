// SPDX-License-Identifier: MIT

/// What generic code over `Codable` values asks of those that may be nil.
private protocol OptionalType {
  static var nothing: Any { get }
  static var wrapped: Any.Type { get }
  var isNil: Bool { get }
}

extension Optional: OptionalType {
  fileprivate static var nothing: Any { Self.none as Any }
  fileprivate static var wrapped: Any.Type { Wrapped.self }
  fileprivate var isNil: Bool { if case .none = self { true } else { false } }
}

func isOptional<V>(_ type: V.Type) -> Bool { type is any OptionalType.Type }

/// The value is an optional and nil.
func isNothing<V>(_ value: V) -> Bool { (value as? any OptionalType)?.isNil ?? false }

/// Nil, where the type has it.
func nothing<V>(as type: V.Type) -> V? { (type as? any OptionalType.Type)?.nothing as? V }

/// The type is an optional composite, however often it is wrapped.
func isOptionalComposite(_ type: Any.Type) -> Bool {
  guard let wrapped = (type as? any OptionalType.Type)?.wrapped else { return false }
  return wrapped is any CompositeAttribute.Type || isOptionalComposite(wrapped)
}
