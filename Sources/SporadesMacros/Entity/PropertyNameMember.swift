// SPDX-License-Identifier: MIT
import SwiftSyntax
import SwiftSyntaxBuilder

extension EntityModel {
  /// `override class func propertyName(of:)`: which key path is which property.
  ///
  /// A key path remembers the class it was written with, so those of inherited properties written
  /// with a subclass are not found here; Swift 6.3 makes an unusable key path of `\Self.name`.
  var propertyNameMember: DeclSyntax? {
    guard !properties.isEmpty else { return nil }
    let cases = properties.map { property in
      "  case \\\(className).\(property.identifier): \"\(property.name)\"\n"
    }
    return """
      \(raw: access)override class func propertyName(of keyPath: AnyKeyPath) -> String? {
        switch keyPath {
      \(raw: cases.joined())  default: super.propertyName(of: keyPath)
        }
      }
      """
  }
}
