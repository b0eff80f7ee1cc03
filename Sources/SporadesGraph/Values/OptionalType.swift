// SPDX-License-Identifier: MIT

/// The questions that generic code asks an optional type.
protocol OptionalType {
  static var nothing: Any { get }
  static var wrapped: Any.Type { get }
  /// `\Int?.!`
  static var unwrapping: AnyKeyPath { get }
  var isNil: Bool { get }
}

extension Optional: OptionalType {
  static var nothing: Any { Self.none as Any }
  static var wrapped: Any.Type { Wrapped.self }
  static var unwrapping: AnyKeyPath { \Self.! }
  var isNil: Bool { if case .none = self { true } else { false } }
}

func isOptional<V>(_ type: V.Type) -> Bool { type is any OptionalType.Type }

/// Whether the value is an optional and nil.
func isNothing<V>(_ value: V) -> Bool { (value as? any OptionalType)?.isNil ?? false }

/// Nil as a value of the type; nothing if the type is not optional.
func nothing<V>(as type: V.Type) -> V? { (type as? any OptionalType.Type)?.nothing as? V }

/// The type inside all layers of optionals; a type that is not optional is returned as it is.
func unwrapped(_ type: Any.Type) -> Any.Type {
  (type as? any OptionalType.Type).map { unwrapped($0.wrapped) } ?? type
}
