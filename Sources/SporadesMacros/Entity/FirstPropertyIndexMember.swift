// SPDX-License-Identifier: MIT
import SwiftSyntax
import SwiftSyntaxBuilder

extension EntityModel {
  /// Where the own properties of a subentity start: behind those it inherits.
  var firstPropertyIndexMember: DeclSyntax? {
    guard let superclass, !properties.isEmpty else { return nil }
    return "private static let firstPropertyIndex = \(raw: superclass).declaration.propertyCount"
  }
}
