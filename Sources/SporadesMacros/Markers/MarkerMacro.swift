// SPDX-License-Identifier: MIT
import SwiftDiagnostics
import SwiftSyntax
import SwiftSyntaxMacros

/// `@Attribute`, `@Relationship`, `@Transient`, `@Derived`, `@Ignored`: the macro of the enclosing type
/// reads them. They expand to nothing.
enum MarkerMacro: PeerMacro {
  static func expansion(
    of node: AttributeSyntax, providingPeersOf declaration: some DeclSyntaxProtocol,
    in context: some MacroExpansionContext
  ) throws -> [DeclSyntax] {
    let marker = "@\(node.attributeName.baseName)"
    guard let variable = declaration.as(VariableDeclSyntax.self),
      marker == "@Ignored" || variable.isStoredByInstances
    else {
      context.diagnose(Diagnostic(.markerNeedsProperty(marker), at: node))
      return []
    }
    if !isInside(["Entity", "Composite"], context) {
      context.diagnose(Diagnostic(.markerOutsideEntity(marker), at: node))
    }
    return []
  }
}

/// `#Unique` and `#Index`: `@Entity` reads them. They expand to nothing.
enum PropertyListMacro: DeclarationMacro {
  static func expansion(
    of node: some FreestandingMacroExpansionSyntax, in context: some MacroExpansionContext
  ) throws -> [DeclSyntax] {
    if !isInside(["Entity"], context) {
      context.diagnose(Diagnostic(.markerOutsideEntity("#\(node.macroName.text)"), at: node))
    }
    return []
  }
}

/// The enclosing type has one of the attributes.
private func isInside(_ names: Set<String>, _ context: some MacroExpansionContext) -> Bool {
  let type = context.lexicalContext.first?.asProtocol((any WithAttributesSyntax).self)
  return type?.attributes.contains { element in
    element.as(AttributeSyntax.self).map { names.contains($0.attributeName.baseName) } ?? false
  } ?? false
}
