// SPDX-License-Identifier: MIT
import SwiftDiagnostics
import SwiftSyntax
import SwiftSyntaxBuilder
import SwiftSyntaxMacros

/// `@Entity`: makes the stored properties of a class the properties of an entity.
enum EntityMacro {}

extension EntityMacro: MemberMacro {
  static func expansion(
    of node: AttributeSyntax, providingMembersOf declaration: some DeclGroupSyntax,
    conformingTo protocols: [TypeSyntax], in context: some MacroExpansionContext
  ) throws -> [DeclSyntax] {
    guard let entity = EntityModel(node, declaration) else {
      let kind = declaration.kindInWords
      context.diagnose(Diagnostic(.entityIsNotAClass(kind: kind), at: declaration.introducer))
      return []
    }
    for diagnostic in entity.diagnostics { context.diagnose(diagnostic) }
    guard entity.diagnostics.isEmpty else { return entity.standInMembers(overriding: true) }
    // The compiler passes the protocols to which the class does not conform. Every managed object
    // conforms to the one that the macro's declaration names.
    if !protocols.isEmpty, let superclass = entity.superclass {
      context.diagnose(
        Diagnostic(
          .superclassIsNoManagedObject(superclass, entity: entity.className),
          at: declaration.inheritanceClause.map(Syntax.init) ?? Syntax(declaration)))
      return entity.standInMembers(overriding: false) + [entity.standInSubscript]
    }
    return [
      entity.firstPropertyIndexMember, entity.declarationMember, entity.makeObjectMember,
      entity.propertyKeyPathsMember, entity.inheritedKeyPathsMember,
    ].compactMap { $0 } + entity.otherNameMembers
  }
}

extension EntityMacro: MemberAttributeMacro {
  static func expansion(
    of node: AttributeSyntax, attachedTo declaration: some DeclGroupSyntax,
    providingAttributesFor member: some DeclSyntaxProtocol, in context: some MacroExpansionContext
  ) throws -> [AttributeSyntax] {
    // Accessors in a class that cannot be an entity would only add errors of the compiler.
    guard let entity = EntityModel(node, declaration), !entity.isRefused,
      let index = entity.index(of: member)
    else { return [] }
    var arguments = "\(index)"
    if entity.superclass != nil { arguments += ", isInSubentity: true" }
    if entity.properties[index].isReadOnly { arguments += ", isReadOnly: true" }
    if entity.properties[index].isRelationship { arguments += ", isRelationship: true" }
    return ["@ManagedProperty(\(raw: arguments))"]
  }
}

extension DeclGroupSyntax {
  /// The kind of the declaration, for a sentence.
  var kindInWords: String {
    switch kind {
    case .structDecl: "a struct"
    case .enumDecl: "an enum"
    case .actorDecl: "an actor"
    case .protocolDecl: "a protocol"
    case .extensionDecl: "an extension"
    case .classDecl: "a class"
    default: "this declaration"
    }
  }
}
