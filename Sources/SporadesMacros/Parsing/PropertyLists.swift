// SPDX-License-Identifier: MIT
import SwiftDiagnostics
import SwiftSyntax

/// What `#Unique` and `#Index` list in the body of an entity.
struct PropertyLists {
  /// The arguments of `FetchIndexDescription`'s initialiser, one text an index.
  private(set) var indexes: [String] = []
  private(set) var uniquenessConstraints: [[String]] = []
  private(set) var diagnostics: [Diagnostic] = []

  private let entity: String
  private let known: Set<String>?

  /// Names are checked against `known`, unless it is nil.
  init(_ declaration: ClassDeclSyntax, known: Set<String>?) {
    entity = declaration.name.text
    self.known = known
    for member in declaration.memberBlock.members {
      guard let macro = member.decl.as(MacroExpansionDeclSyntax.self) else { continue }
      switch macro.macroName.text {
      case "Unique": uniquenessConstraints += groups(macro.arguments, of: "Unique")
      case "Index": addIndexes(macro.arguments)
      default: break
      }
    }
  }

  private mutating func addIndexes(_ arguments: LabeledExprListSyntax) {
    if arguments.contains(where: { $0.label?.text == "elements" }) {
      // Typed elements are passed on as they were written.
      let texts = arguments.map { argument -> String in
        let text = argument.expression.trimmedDescription
        return argument.label?.text == "where" ? "where: \(text)" : text
      }
      indexes.append(texts.joined(separator: ", "))
      return
    }
    let name = arguments.first { $0.label?.text == "name" }?.expression.trimmedDescription
    for group in groups(arguments.filter { $0.label?.text != "name" }, of: "Index") {
      let words = group.map { $0.prefix(1).uppercased() + $0.dropFirst() }
      let names = group.map { "\"\($0)\"" }.joined(separator: ", ")
      let own = "\"by\(words.joined().replacing(".", with: "_"))\""
      indexes.append("\(name ?? own), on: \(names)")
    }
  }

  /// Names written one by one are one group; key paths stand in arrays, each a group.
  private mutating func groups(
    _ arguments: some Sequence<LabeledExprSyntax>, of macro: String
  ) -> [[String]] {
    var loose: [String] = []
    var groups: [[String]] = []
    for argument in arguments {
      if let array = argument.expression.as(ArrayExprSyntax.self) {
        groups.append(array.elements.compactMap { self.name($0.expression, macro) })
      } else if let name = name(argument.expression, macro) {
        loose.append(name)
      }
    }
    return (loose.isEmpty ? [] : [loose]) + groups.filter { !$0.isEmpty }
  }

  private mutating func name(_ expression: ExprSyntax, _ macro: String) -> String? {
    guard
      let name = expression.stringLiteral ?? expression.keyPathNames?.joined(separator: ".")
    else {
      diagnostics.append(Diagnostic(.listIsNotNames(macro: macro), at: expression))
      return nil
    }
    let property = String(name.prefix { $0 != "." })
    if let known, !known.contains(property) {
      diagnostics.append(
        Diagnostic(.unknownProperty(name, macro: macro, entity: entity), at: expression))
    }
    return name
  }
}
