// SPDX-License-Identifier: MIT
import SwiftDiagnostics
import SwiftParser
import SwiftSyntax
import SwiftSyntaxBuilder
import SwiftSyntaxMacroExpansion
import SwiftSyntaxMacros

@testable import SporadesMacros

/// A source after the expansion of its macros, and their diagnostics.
struct Expansion {
  let source: String
  let diagnostics: [Diagnostic]
  private let original: SourceFileSyntax

  private static var macros: [String: any Macro.Type] {
    [
      "Entity": EntityMacro.self, "ManagedProperty": ManagedPropertyMacro.self,
      "Attribute": MarkerMacro.self, "Relationship": MarkerMacro.self,
      "Transient": MarkerMacro.self, "Derived": MarkerMacro.self, "Ignored": MarkerMacro.self,
      "Unique": PropertyListMacro.self, "Index": PropertyListMacro.self,
      "Composite": CompositeMacro.self,
    ]
  }

  /// Expands the macros of a source. `isManagedObject` says whether the compiler finds that the classes
  /// inherit from `ManagedObject`.
  init(_ text: String, isManagedObject: Bool = true) {
    original = Parser.parse(source: text)
    let context = BasicMacroExpansionContext()
    let missing: [TypeSyntax] = isManagedObject ? [] : ["ActiveRecord"]
    let expanded = original.expand(
      macroSpecs: Self.macros.mapValues { MacroSpec(type: $0, conformances: missing) },
      contextGenerator: { node in
        BasicMacroExpansionContext(
          sharingWith: context, lexicalContext: Self.lexicalContext(of: node))
      }, indentationWidth: .spaces(2))
    source = expanded.description
    diagnostics = context.diagnostics
  }

  /// The names of the diagnostics' cases, without the sentences.
  var messages: [MacroDiagnostic] {
    diagnostics.compactMap { $0.diagMessage as? MacroDiagnostic }
  }

  /// The source with the first fix-it of the first diagnostic.
  var fixed: String? {
    guard let fix = diagnostics.first?.fixIts.first else { return nil }
    var text = Array(original.description.utf8)
    for change in fix.changes {
      guard case .replace(let old, let new) = change else { continue }
      let range = old.position.utf8Offset..<old.endPosition.utf8Offset
      text.replaceSubrange(range, with: Array(new.description.utf8))
    }
    return String(decoding: text, as: UTF8.self)
  }

  private static func lexicalContext(of node: Syntax) -> [Syntax] {
    var result: [Syntax] = []
    var parent = node.parent
    while let current = parent {
      if current.isProtocol((any DeclGroupSyntax).self) { result.append(current) }
      parent = current.parent
    }
    return result
  }
}
