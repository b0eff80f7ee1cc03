// SPDX-License-Identifier: MIT
import SwiftSyntax
import SwiftSyntaxBuilder

extension EntityModel {
  /// The member `override class var declaration`, which lists the entity and its properties by name.
  var declarationMember: DeclSyntax {
    """
    \(raw: access)override class var declaration: EntityDeclaration {
      EntityDeclaration(
        \(raw: declarationArguments.joined(separator: ",\n    ")))
    }
    """
  }

  private var declarationArguments: [String] {
    let name = argument("") ?? "\"\(className.identifierText)\""
    var parts = ["\(className).self", "name: \(name)"]
    if let superclass { parts.append("superclass: \(superclass).self") }
    if let isAbstract = argument("isAbstract") { parts.append("isAbstract: \(isAbstract)") }
    parts.append("properties: \(list(properties.map(\.call)))")
    if !lists.uniquenessConstraints.isEmpty {
      parts.append("uniquenessConstraints: \(lists.uniquenessConstraints)")
    }
    if !lists.indexes.isEmpty {
      parts.append("indexes: \(list(lists.indexes.map { "FetchIndexDescription(\($0))" }))")
    }
    if let former = argument("renamedFrom") { parts.append("renamedFrom: \(former)") }
    if let modifier = argument("hashModifier") {
      parts.append("versionHashModifier: \(modifier)")
    }
    if let notes = argument("userInfo") { parts.append("userInfo: \(notes)") }
    return parts
  }

  private func argument(_ label: String) -> String? {
    arguments.first { $0.label == label }?.expression
  }

  private func list(_ elements: [String]) -> String {
    guard !elements.isEmpty else { return "[]" }
    return "[\n" + elements.map { "      \($0),\n" }.joined() + "    ]"
  }
}

extension PropertyModel {
  /// The call that declares the property: `.property("age", Int.self, default: 0)`.
  var call: String {
    let start = "(\"\(name)\", \(typeExpression)"
    let value = initialValue.map { ", default: \($0)" } ?? ""
    switch kind {
    case .plain: return ".property\(start)\(value))"
    case .attribute(let options):
      let texts = options.map(\.description).joined(separator: ", ")
      return ".property\(start)\(value)\(texts.isEmpty ? "" : ", options: [\(texts)]"))"
    case .relationship(let arguments):
      let texts = arguments.map { ", \($0.label): \($0.expression)" }
      return ".relationship\(start)\(texts.joined()))"
    case .transient: return ".transient\(start)\(value))"
    case .derived(let expression): return ".derived\(start), from: \(expression))"
    }
  }
}

extension String {
  fileprivate var identifierText: String { TokenSyntax.identifier(self).identifierText }
}
