// SPDX-License-Identifier: MIT
import SporadesModel

// Attributes that are not stored, or not set.
extension PropertyDeclaration {
  public static func transient<V: AttributeConvertible>(
    _ name: String, _ type: V.Type, default value: V? = nil
  ) -> Self {
    Self(
      AttributeDescription(
        name, V.attributeType, isOptional: true, isTransient: true,
        defaultValue: value?.value ?? V.defaultValue), [])
  }

  public static func transient<V: AttributeConvertible>(
    _ name: String, _ type: V?.Type, default value: V? = nil
  ) -> Self {
    Self(
      AttributeDescription(
        name, V.attributeType, isOptional: true, isTransient: true,
        defaultValue: value?.value ?? .null), [])
  }

  public static func transient<V: RawRepresentable>(
    _ name: String, _ type: V.Type, default value: V? = nil
  ) -> Self where V.RawValue: AttributeConvertible {
    Self(
      AttributeDescription(
        name, V.RawValue.attributeType, isOptional: true, isTransient: true,
        defaultValue: value?.rawValue.value ?? .null), []
    ).checking(V.self)
  }

  public static func transient<V: RawRepresentable>(
    _ name: String, _ type: V?.Type, default value: V? = nil
  ) -> Self where V.RawValue: AttributeConvertible {
    transient(name, V.self, default: value)
  }

  @_disfavoredOverload
  public static func transient<V: Codable>(
    _ name: String, _ type: V.Type, default value: V? = nil
  ) -> Self {
    Self(
      AttributeDescription(
        name, .transformable, isOptional: true, isTransient: true,
        defaultValue: encoded(value, [])), [])
  }

  public static func derived<V: AttributeConvertible>(
    _ name: String, _ type: V.Type, from expression: String
  ) -> Self {
    var attribute = AttributeDescription(name, V.attributeType, isOptional: true)
    attribute.derivationExpression = expression
    return Self(attribute, [])
  }

  public static func derived<V: AttributeConvertible>(
    _ name: String, _ type: V?.Type, from expression: String
  ) -> Self {
    derived(name, V.self, from: expression)
  }
}
