// SPDX-License-Identifier: MIT
import SwiftSyntax
import SwiftSyntaxBuilder

extension EntityModel {
  /// The member with the index of a subentity's first own property, which follows the inherited ones.
  var firstPropertyIndexMember: DeclSyntax? {
    guard let superclass, !properties.isEmpty else { return nil }
    return "private static let firstPropertyIndex = \(raw: superclass).declaration.propertyCount"
  }
}
