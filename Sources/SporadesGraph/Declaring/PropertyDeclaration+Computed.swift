// SPDX-License-Identifier: MIT
import SporadesModel

// Transient and derived attributes.
extension PropertyDeclaration {
  /// Declares a transient attribute: the store does not keep its value.
  public static func transient<V: AttributeConvertible>(
    _ name: String, _ type: V.Type, default value: V? = nil
  ) -> Self {
    Self(
      AttributeDescription(
        name, V.attributeType, isOptional: true, isTransient: true,
        defaultValue: value?.value ?? V.defaultValue), [])
  }

  /// Declares an optional transient attribute.
  public static func transient<V: AttributeConvertible>(
    _ name: String, _ type: V?.Type, default value: V? = nil
  ) -> Self {
    Self(
      AttributeDescription(
        name, V.attributeType, isOptional: true, isTransient: true,
        defaultValue: value?.value ?? .null), [])
  }

  /// Declares a transient enum attribute.
  public static func transient<V: RawRepresentable>(
    _ name: String, _ type: V.Type, default value: V? = nil
  ) -> Self where V.RawValue: AttributeConvertible {
    Self(
      AttributeDescription(
        name, V.RawValue.attributeType, isOptional: true, isTransient: true,
        defaultValue: value?.rawValue.value ?? .null), []
    ).checking(V.self)
  }

  /// Declares an optional transient enum attribute.
  public static func transient<V: RawRepresentable>(
    _ name: String, _ type: V?.Type, default value: V? = nil
  ) -> Self where V.RawValue: AttributeConvertible {
    transient(name, V.self, default: value)
  }

  /// Declares a transient attribute of any `Codable` type.
  @_disfavoredOverload
  public static func transient<V: Codable>(
    _ name: String, _ type: V.Type, default value: V? = nil
  ) -> Self {
    Self(
      AttributeDescription(
        name, .transformable, isOptional: true, isTransient: true,
        defaultValue: encoded(value, [])), [])
  }

  /// Declares a derived attribute: each save computes its value from the expression.
  public static func derived<V: AttributeConvertible>(
    _ name: String, _ type: V.Type, from expression: String
  ) -> Self {
    var attribute = AttributeDescription(name, V.attributeType, isOptional: true)
    attribute.derivationExpression = expression
    return Self(attribute, [])
  }

  /// Declares an optional derived attribute.
  public static func derived<V: AttributeConvertible>(
    _ name: String, _ type: V?.Type, from expression: String
  ) -> Self {
    derived(name, V.self, from: expression)
  }

  /// Declares a derived enum attribute.
  public static func derived<V: RawRepresentable>(
    _ name: String, _ type: V.Type, from expression: String
  ) -> Self where V.RawValue: AttributeConvertible {
    derived(name, V.RawValue.self, from: expression).checking(V.self)
  }

  /// Declares an optional derived enum attribute.
  public static func derived<V: RawRepresentable>(
    _ name: String, _ type: V?.Type, from expression: String
  ) -> Self where V.RawValue: AttributeConvertible {
    derived(name, V.self, from: expression)
  }
}
