// SPDX-License-Identifier: MIT
import SwiftSyntax
import SwiftSyntaxBuilder

extension EntityModel {
  /// The member `override class var propertyKeyPaths`, in which fetches find key paths.
  var propertyKeyPathsMember: DeclSyntax? {
    guard hasKeyPaths else { return nil }
    return """
      \(raw: access)override class var propertyKeyPaths: [PropertyKeyPath] {
        \(raw: propertyKeyPaths(of: className, "\(className).self"))
      }
      """
  }

  /// The member `static func propertyKeyPaths(of:)`, which gives the key paths with a subclass as root.
  ///
  /// A key path contains the class that it was written with. Swift 6.3 makes an unusable key path of
  /// `\Self.name`, so each class passes the subclass on to its superclass. The parameter is named after the
  /// class, because it would hide a superclass of its name.
  var inheritedKeyPathsMember: DeclSyntax? {
    guard hasKeyPaths, !isFinal else { return nil }
    let access = access == "open " ? "public " : access
    let parameter = className.filter { $0 != "`" } + "Subclass"
    return """
      \(raw: access)static func propertyKeyPaths<\(raw: parameter): \(raw: className)>(
        of root: \(raw: parameter).Type
      ) -> [PropertyKeyPath] {
        \(raw: propertyKeyPaths(of: parameter, "root"))
      }
      """
  }

  /// The class needs key paths. A subclass needs its own key paths to inherited properties.
  private var hasKeyPaths: Bool { !properties.isEmpty || superclass != nil }

  private func propertyKeyPaths(of root: String, _ type: String) -> String {
    let own = properties.map { "    \($0.keyPaths(of: root)),\n" }.joined()
    let inherited = superclass.map { " + \($0).propertyKeyPaths(of: \(type))" } ?? ""
    return (own.isEmpty ? "[]" : "[\n\(own)  ]") + inherited
  }
}

extension PropertyModel {
  /// The call that makes the property's key paths: `PropertyKeyPath("age", \User.age, \User?.?.age)`.
  func keyPaths(of root: String) -> String {
    "PropertyKeyPath(\"\(name)\", \\\(root).\(identifier), \\\(root)?.?.\(identifier))"
  }
}
