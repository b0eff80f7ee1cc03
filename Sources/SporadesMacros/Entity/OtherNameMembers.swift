// SPDX-License-Identifier: MIT
import SwiftSyntax
import SwiftSyntaxBuilder

extension EntityModel {
  /// The members by which Core Data's generated classes change a to-many relationship. The compiler refuses their calls, and says
  /// what to write.
  ///
  /// Their argument is of any type, so that a class may declare accessors of these names itself: the compiler prefers those.
  var otherNameMembers: [DeclSyntax] {
    let access = access == "open " ? "public " : access
    return properties.flatMap { property -> [DeclSyntax] in
      // Beside `pets`, `Pets` would declare the same names.
      guard let remedies = property.memberRemedies, property.name.first?.isUppercase == false
      else { return [] }
      let name = property.name.prefix(1).uppercased() + property.name.dropFirst()
      return [("addTo", remedies.adding), ("removeFrom", remedies.removing)].compactMap {
        start, remedy in
        guard !ownFunctions.contains(start + name) else { return nil }
        return """
          @available(*, unavailable, message: "write \(raw: remedy)")
          \(raw: access)final func \(raw: start + name)(_ objects: Any) { fatalError() }
          """
      }
    }
  }
}

extension PropertyModel {
  /// The calls that add a member to a collection and remove it; nil for a property that is no collection of objects.
  fileprivate var memberRemedies: (adding: String, removing: String)? {
    switch kind {
    case .plain, .relationship: break
    case .attribute, .transient, .derived: return nil
    }
    guard let element = type.elementOfCollection?.trimmedDescription,
      element.allSatisfy({ $0.isLetter || $0.isNumber || $0 == "." }),
      !TypeSyntax.valueTypes.contains(element), let last = element.split(separator: ".").last
    else { return nil }
    let object = last.prefix(1).lowercased() + last.dropFirst()
    return type.isSet
      ? ("\(name).insert(\(object))", "\(name).remove(\(object))")
      : ("\(name).append(\(object))", "\(name).removeAll { $0 == \(object) }")
  }
}

extension TypeSyntax {
  fileprivate var isSet: Bool { self.as(IdentifierTypeSyntax.self)?.name.text == "Set" }
}
