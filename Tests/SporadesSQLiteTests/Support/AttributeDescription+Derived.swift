// SPDX-License-Identifier: MIT
import SporadesModel

extension AttributeDescription {
  /// An optional derived attribute.
  static func derived(
    _ name: String, _ expression: String, _ type: AttributeType = .integer32
  ) -> AttributeDescription {
    var attribute = AttributeDescription(name, type, isOptional: true)
    attribute.derivationExpression = expression
    return attribute
  }
}
