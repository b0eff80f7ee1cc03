// SPDX-License-Identifier: MIT
import SporadesModel

extension PropertyDeclaration {
  public static func property<V: CompositeAttribute>(
    _ name: String, _ type: V.Type, default value: V? = nil, options: [AttributeOption] = []
  ) -> Self {
    Self(composite(name, value), options)
  }

  public static func property<V: CompositeAttribute>(
    _ name: String, _ type: V?.Type, default value: V? = nil, options: [AttributeOption] = []
  ) -> Self {
    var attribute = composite(name, value)
    attribute.isOptional = true
    return Self(attribute, options)
  }

  private static func composite<V: CompositeAttribute>(
    _ name: String, _ value: V?
  ) -> AttributeDescription {
    var attribute = AttributeDescription(name, .composite)
    attribute.elements = V.elements.compactMap(\.attribute)
    if let value {
      var values = CompositeValues(attribute.elements)
      value.write(to: &values)
      attribute.setDefaults(values.value)
    }
    return attribute
  }
}

extension AttributeDescription {
  /// Gives every element the default that stands for it in a list.
  fileprivate mutating func setDefaults(_ value: Value) {
    guard type == .composite, case .list(let values) = value else {
      defaultValue = value
      return
    }
    for index in elements.indices { elements[index].setDefaults(values[index]) }
  }
}
