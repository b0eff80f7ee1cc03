// SPDX-License-Identifier: MIT
import SwiftDiagnostics
import SwiftSyntax
import SwiftSyntaxBuilder
import SwiftSyntaxMacros

/// `@Composite`: makes each stored property of a struct an element of a composite attribute.
enum CompositeMacro: ExtensionMacro {
  static func expansion(
    of node: AttributeSyntax, attachedTo declaration: some DeclGroupSyntax,
    providingExtensionsOf type: some TypeSyntaxProtocol, conformingTo protocols: [TypeSyntax],
    in context: some MacroExpansionContext
  ) throws -> [ExtensionDeclSyntax] {
    guard let declaration = declaration.as(StructDeclSyntax.self) else {
      let kind = declaration.kindInWords
      context.diagnose(Diagnostic(.compositeIsNotAStruct(kind: kind), at: declaration.introducer))
      return []
    }
    let composite = CompositeModel(declaration)
    for diagnostic in composite.diagnostics { context.diagnose(diagnostic) }
    guard composite.diagnostics.isEmpty else { return [] }
    return [try composite.makeExtension(of: type)]
  }
}

/// The composite attribute that the source of a struct declares.
struct CompositeModel {
  let access: String
  let properties: [PropertyModel]
  let diagnostics: [Diagnostic]

  init(_ declaration: StructDeclSyntax) {
    var parser = PropertyParser(.composite)
    properties = parser.parseProperties(of: declaration.memberBlock.members)
    let modifier = declaration.modifiers.first {
      [.keyword(.public), .keyword(.package)].contains($0.name.tokenKind)
    }
    access = modifier.map { "\($0.name.text) " } ?? ""
    let generic = declaration.genericParameterClause.map {
      Diagnostic(.compositeIsGeneric(name: declaration.name.text), at: $0)
    }
    diagnostics = [generic].compactMap { $0 } + parser.diagnostics
  }

  /// Makes the conformance: it lists the elements by name, and reads and writes them in the same order.
  ///
  /// The extension belongs to no actor. A module whose declarations belong to the main actor would otherwise make a
  /// conformance that contexts on other threads cannot use.
  func makeExtension(of type: some TypeSyntaxProtocol) throws -> ExtensionDeclSyntax {
    let calls = properties.map { "      \($0.call),\n" }.joined()
    let paths = properties.map { "      \($0.keyPaths(of: "Self")),\n" }.joined()
    let reads = properties.map { "    \($0.identifier) = values[\"\($0.name)\"]\n" }.joined()
    let writes = properties.map { "    values[\"\($0.name)\"] = \($0.identifier)\n" }.joined()
    return try ExtensionDeclSyntax(
      """
      nonisolated extension \(type.trimmed): CompositeAttribute {
        \(raw: access)static var elements: [PropertyDeclaration] {
          [
      \(raw: calls)    ]
        }
        \(raw: access)static var elementKeyPaths: [PropertyKeyPath] {
          [
      \(raw: paths)    ]
        }
        \(raw: access)init(from values: CompositeValues) {
      \(raw: reads)  }
        \(raw: access)func write(to values: inout CompositeValues) {
      \(raw: writes)  }
      }
      """)
  }
}
