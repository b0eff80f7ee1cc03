// SPDX-License-Identifier: MIT
import SwiftSyntax

/// The attributes that mark the kind of a property. A property has at most one of them.
enum Marker: String, CaseIterable {
  case attribute = "Attribute"
  case relationship = "Relationship"
  case transient = "Transient"
  case derived = "Derived"
  case ignored = "Ignored"

  /// The markers of a property, in the order of the source.
  static func all(in attributes: AttributeListSyntax) -> [(marker: Marker, node: AttributeSyntax)] {
    attributes.compactMap { element in
      guard let node = element.as(AttributeSyntax.self),
        let marker = Marker(rawValue: node.attributeName.baseName)
      else { return nil }
      return (marker, node)
    }
  }
}

extension TypeSyntax {
  /// The name without the module or type before it.
  var baseName: String {
    if let member = self.as(MemberTypeSyntax.self) { return member.name.text }
    if let plain = self.as(IdentifierTypeSyntax.self) { return plain.name.text }
    return trimmedDescription
  }
}

extension AttributeSyntax {
  var labelledArguments: LabeledExprListSyntax {
    guard case .argumentList(let list) = arguments else { return [] }
    return list
  }
}
