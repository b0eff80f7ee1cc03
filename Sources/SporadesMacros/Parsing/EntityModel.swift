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
  /// The arguments of `@Entity`.
  let arguments: [PropertyModel.Argument]
  let properties: [PropertyModel]
  let lists: PropertyLists
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
    arguments = node.labelledArguments.map {
      .init(label: $0.label?.text ?? "", expression: $0.expression.trimmedDescription)
    }
    properties = parser.parseProperties(of: declaration.memberBlock.members)
    // A macro cannot see inherited properties, so it checks names only in a class without a superentity.
    let isComplete = superclass == nil && parser.diagnostics.isEmpty
    lists = PropertyLists(
      declaration, known: isComplete ? Set(properties.map(\.name)) : nil)
    let refusals = declaration.entityDiagnostics
    isRefused = !refusals.isEmpty
    diagnostics = refusals + parser.diagnostics + lists.diagnostics
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

extension ClassDeclSyntax {
  fileprivate var entityDiagnostics: [Diagnostic] {
    var found: [Diagnostic] = []
    if let parameters = genericParameterClause {
      found.append(Diagnostic(.entityIsGeneric(name: name.text), at: parameters))
    }
    if !hasSuperclass {
      found.append(
        Diagnostic(
          .entityHasNoSuperclass(name: name.text), at: name, fixIts: [inheritFromManagedObject]))
    }
    for member in memberBlock.members {
      guard let initializer = member.decl.as(InitializerDeclSyntax.self),
        !initializer.modifiers.contains(where: {
          [.keyword(.convenience), .keyword(.required)].contains($0.name.tokenKind)
        })
      else { continue }
      found.append(
        Diagnostic(.designatedInitializer(entity: name.text), at: initializer.initKeyword))
    }
    return found
  }

  private var hasSuperclass: Bool {
    guard let first = inheritanceClause?.inheritedTypes.first else { return false }
    return !wellKnownProtocols.contains(first.type.baseName)
  }

  fileprivate var superentity: String? {
    guard hasSuperclass, let first = inheritanceClause?.inheritedTypes.first,
      first.type.baseName != "ManagedObject"
    else { return nil }
    return first.type.trimmedDescription
  }

  fileprivate var accessOfOverrides: String {
    for modifier in modifiers {
      switch modifier.name.tokenKind {
      case .keyword(.open): return "open "
      case .keyword(.public): return "public "
      case .keyword(.package): return "package "
      default: break
      }
    }
    return ""
  }

  private var inheritFromManagedObject: FixIt {
    var fixed = self
    let superclass = TypeSyntax("ManagedObject")
    if let clause = inheritanceClause {
      let first = InheritedTypeSyntax(
        type: superclass, trailingComma: .commaToken(trailingTrivia: .space))
      fixed.inheritanceClause = clause.with(
        \.inheritedTypes, InheritedTypeListSyntax([first] + Array(clause.inheritedTypes)))
    } else {
      fixed.name = name.with(\.trailingTrivia, [])
      fixed.inheritanceClause = InheritanceClauseSyntax(
        colon: .colonToken(trailingTrivia: .space),
        inheritedTypes: [InheritedTypeSyntax(type: superclass)], trailingTrivia: .space)
    }
    return .replace(self, with: fixed, .inherit)
  }
}

/// Protocols that often stand first in an inheritance clause. The syntax of a protocol and of a superclass
/// is the same, so the macro must know the names.
private let wellKnownProtocols: Set<String> = [
  "AnyObject", "Codable", "Comparable", "CustomDebugStringConvertible", "CustomStringConvertible",
  "Decodable", "Encodable", "Equatable", "Hashable", "Identifiable", "Observable", "Sendable",
]
