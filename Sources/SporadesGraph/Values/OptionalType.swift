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

/// The type that an optional type wraps, however often; any other type itself.
func unwrapped(_ type: Any.Type) -> Any.Type {
  (type as? any OptionalType.Type).map { unwrapped($0.wrapped) } ?? type
}
