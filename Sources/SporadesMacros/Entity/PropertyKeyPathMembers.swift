// SPDX-License-Identifier: MIT
import SwiftSyntax
import SwiftSyntaxBuilder

extension EntityModel {
  /// `override class var propertyKeyPaths`, which fetches look key paths up in.
  var propertyKeyPathsMember: DeclSyntax? {
    guard hasKeyPaths else { return nil }
    return """
      \(raw: access)override class var propertyKeyPaths: [PropertyKeyPath] {
        \(raw: propertyKeyPaths(of: className, "\(className).self"))
      }
      """
  }

  /// `static func propertyKeyPaths(of:)`: the same with a subclass as their root.
  ///
  /// A key path remembers the class it was written with. Swift 6.3 makes an unusable key path of
  /// `\Self.name`, so each class hands its subclass down to those above it.
  var inheritedKeyPathsMember: DeclSyntax? {
    guard hasKeyPaths, !isFinal else { return nil }
    let access = access == "open " ? "public " : access
    return """
      \(raw: access)static func propertyKeyPaths<Root: \(raw: className)>(
        of root: Root.Type
      ) -> [PropertyKeyPath] {
        \(raw: propertyKeyPaths(of: "Root", "root"))
      }
      """
  }

  /// A subclass has key paths of its own to what it inherits.
  private var hasKeyPaths: Bool { !properties.isEmpty || superclass != nil }

  private func propertyKeyPaths(of root: String, _ type: String) -> String {
    let own = properties.map { "    \($0.keyPaths(of: root)),\n" }.joined()
    let inherited = superclass.map { " + \($0).propertyKeyPaths(of: \(type))" } ?? ""
    return (own.isEmpty ? "[]" : "[\n\(own)  ]") + inherited
  }
}

extension PropertyModel {
  /// `PropertyKeyPath("age", \User.age, \User?.?.age)`
  func keyPaths(of root: String) -> String {
    "PropertyKeyPath(\"\(name)\", \\\(root).\(identifier), \\\(root)?.?.\(identifier))"
  }
}
