// SPDX-License-Identifier: MIT
import SwiftDiagnostics
import SwiftSyntax
import SwiftSyntaxBuilder

/// The entity that the source of a class declares.
struct EntityModel {
  let className: String
  /// The access modifier of members that override public members, followed by a space.
  let access: String
  let isFinal: Bool
  /// The class of the superentity; nil if the class inherits from `ManagedObject` directly.
  let superclass: String?
  /// The class inherits from some class.
  let hasSuperclass: Bool
  /// The arguments of `@Entity`.
  let arguments: [PropertyModel.Argument]
  let properties: [PropertyModel]
  let lists: PropertyLists
  /// The first labels of the initialisers that the class declares.
  let ownInitializers: Set<String>
  /// The names of the functions that the class declares.
  let ownFunctions: Set<String>
  /// The class itself cannot be an entity, apart from its properties.
  let isRefused: Bool
  let diagnostics: [Diagnostic]

  /// Reads the declaration; nil if it is not a class.
  init?(_ node: AttributeSyntax, _ declaration: some DeclGroupSyntax) {
    guard let declaration = declaration.as(ClassDeclSyntax.self) else { return nil }
    var parser = PropertyParser(.entity)
    className = declaration.name.text
    access = declaration.accessOfOverrides
    isFinal = declaration.modifiers.contains { $0.name.tokenKind == .keyword(.final) }
    superclass = declaration.superentity
    hasSuperclass = declaration.hasSuperclass
    arguments = node.labelledArguments.map {
      .init(label: $0.label?.text ?? "", expression: $0.expression.trimmedDescription)
    }
    properties = parser.parseProperties(of: declaration.memberBlock.members)
    // A macro cannot see inherited properties, so it checks names only in a class without a superentity.
    let isComplete = superclass == nil && parser.diagnostics.isEmpty
    lists = PropertyLists(
      declaration, known: isComplete ? properties.map(\.name) : nil)
    let refusals = declaration.entityDiagnostics
    isRefused = !refusals.isEmpty
    diagnostics =
      refusals + parser.diagnostics + lists.diagnostics
      + Self.mutualInverses(parser.inverseKeyPaths, of: className)
    ownInitializers = Set(declaration.memberBlock.members.compactMap { $0.decl.firstLabel })
    ownFunctions = Set(
      declaration.memberBlock.members.compactMap { $0.decl.as(FunctionDeclSyntax.self)?.name.text })
  }

  /// The compiler resolves the key path to a property only when it knows the property's own marks. So two
  /// key paths that lead to each other's properties have no order. The macro sees them in one class only.
  private static func mutualInverses(
    _ keyPaths: [String: KeyPathExprSyntax], of className: String
  ) -> [Diagnostic] {
    keyPaths.sorted { $0.key < $1.key }.compactMap { name, keyPath in
      guard let root = keyPath.root, root.baseName == className,
        let inverse = ExprSyntax(keyPath).keyPathNames?.first,
        let answer = keyPaths[inverse], name <= inverse,
        ExprSyntax(answer).keyPathNames == [name]
      else { return nil }
      return Diagnostic(.inversesWaitForEachOther(name, inverse), at: keyPath)
    }
  }

  /// Finds the index of the property that a member declares; nil if the member declares none.
  func index(of member: some DeclSyntaxProtocol) -> Int? {
    guard let variable = member.as(VariableDeclSyntax.self), variable.isStoredByInstances,
      let pattern = variable.bindings.first?.pattern.as(IdentifierPatternSyntax.self)
    else { return nil }
    let name = pattern.identifier.identifierText
    return properties.firstIndex { $0.name == name }
  }
}
