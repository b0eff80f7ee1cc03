// SPDX-License-Identifier: MIT
import SwiftDiagnostics
import SwiftSyntax

/// The constraints and indexes that `#Unique` and `#Index` list in the body of an entity.
struct PropertyLists {
  /// The arguments of `FetchIndexDescription`'s initialiser, one text per index.
  private(set) var indexes: [String] = []
  private(set) var uniquenessConstraints: [[String]] = []
  private(set) var diagnostics: [Diagnostic] = []

  private let entity: String
  private let known: [String]?

  /// Reads the lists of an entity, and checks that its properties `known` include all names. A nil `known`
  /// skips the check.
  init(_ declaration: ClassDeclSyntax, known: [String]?) {
    entity = declaration.name.text
    self.known = known
    for member in declaration.memberBlock.members {
      guard let macro = member.decl.as(MacroExpansionDeclSyntax.self) else { continue }
      switch macro.macroName.text {
      case "Unique": uniquenessConstraints += readGroups(macro.arguments, of: "Unique")
      case "Index": addIndexes(macro.arguments)
      default: break
      }
    }
  }

  private mutating func addIndexes(_ arguments: LabeledExprListSyntax) {
    if arguments.contains(where: { $0.label?.text == "elements" }) {
      // The macro passes typed elements on without a change.
      let texts = arguments.map { argument -> String in
        let text = argument.expression.trimmedDescription
        return argument.label?.text == "where" ? "where: \(text)" : text
      }
      indexes.append(texts.joined(separator: ", "))
      return
    }
    let name = arguments.first { $0.label?.text == "name" }?.expression.trimmedDescription
    // An array, because a filtered list is a copy whose nodes have no position in the source.
    for group in readGroups(Array(arguments).filter { $0.label?.text != "name" }, of: "Index") {
      let words = group.map { $0.prefix(1).uppercased() + $0.dropFirst() }
      let names = group.map { "\"\($0)\"" }.joined(separator: ", ")
      let own = "\"by\(words.joined().replacing(".", with: "_"))\""
      indexes.append("\(name ?? own), on: \(names)")
    }
  }

  /// Reads the groups of an argument list. Single names form one group, and each array forms a group.
  private mutating func readGroups(
    _ arguments: some Sequence<LabeledExprSyntax>, of macro: String
  ) -> [[String]] {
    var single: [String] = []
    var groups: [[String]] = []
    for argument in arguments {
      if let array = argument.expression.as(ArrayExprSyntax.self) {
        groups.append(array.elements.compactMap { readName($0.expression, macro) })
      } else if let name = readName(argument.expression, macro) {
        single.append(name)
      }
    }
    return (single.isEmpty ? [] : [single]) + groups.filter { !$0.isEmpty }
  }

  private mutating func readName(_ expression: ExprSyntax, _ macro: String) -> String? {
    guard
      let name = expression.stringLiteral ?? expression.keyPathNames?.joined(separator: ".")
    else {
      diagnostics.append(Diagnostic(.listIsNotNames(macro: macro), at: expression))
      return nil
    }
    let property = String(name.prefix { $0 != "." })
    if let known, !known.contains(property) {
      diagnostics.append(
        Diagnostic(
          .unknownProperty(name, macro: macro, entity: entity, known: known), at: expression))
    }
    return name
  }
}
