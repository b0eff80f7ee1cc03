// SPDX-License-Identifier: MIT
import SwiftSyntax
import SwiftSyntaxBuilder
import SwiftSyntaxMacros

/// `@ManagedProperty(n)`: makes accessors that read and write the object's property with the number n.
enum ManagedPropertyMacro: AccessorMacro {
  static func expansion(
    of node: AttributeSyntax, providingAccessorsOf declaration: some DeclSyntaxProtocol,
    in context: some MacroExpansionContext
  ) throws -> [AccessorDeclSyntax] {
    let arguments = node.labelledArguments
    guard let number = arguments.first?.expression.trimmedDescription else { return [] }
    func isTrue(_ label: String) -> Bool {
      arguments.contains { $0.label?.text == label && $0.expression.trimmedDescription == "true" }
    }
    let index = isTrue("isInSubentity") ? "Self.firstPropertyIndex + \(number)" : number
    let getter: AccessorDeclSyntax = "get { self[property: \(raw: index)] }"
    if isTrue("isReadOnly") { return [getter] }
    if isTrue("isRelationship") {
      return [getter, "set { set(newValue, toRelationship: \(raw: index)) }"]
    }
    return [getter, "set { self[property: \(raw: index)] = newValue }"]
  }
}
