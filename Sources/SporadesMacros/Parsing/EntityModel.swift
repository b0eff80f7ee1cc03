// SPDX-License-Identifier: MIT
import SwiftDiagnostics
import SwiftSyntax
import SwiftSyntaxBuilder

/// An entity as the source of its class tells it.
struct EntityModel {
  let className: String
  /// The modifier members that override public ones need, with a space behind it.
  let access: String
  let isFinal: Bool
  /// The class of the superentity; nil for a class that inherits from `ManagedObject` itself.
  let superclass: String?
  /// The arguments of `@Entity` that were given.
  let arguments: [PropertyModel.Argument]
  let properties: [PropertyModel]
  let lists: PropertyLists
  /// The class can have no entity, whatever its properties are.
  let isRefused: Bool
  let diagnostics: [Diagnostic]

  /// Nil where `@Entity` is attached to something that has no entity.
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
    properties = parser.properties(of: declaration.memberBlock.members)
    // What is inherited cannot be seen, so names are checked where nothing is.
    let isComplete = superclass == nil && parser.diagnostics.isEmpty
    lists = PropertyLists(
      declaration, known: isComplete ? Set(properties.map(\.name)) : nil)
    let refusals = declaration.entityDiagnostics
    isRefused = !refusals.isEmpty
    diagnostics = refusals + parser.diagnostics + lists.diagnostics
  }

  /// The place of the property a member declares, nil if the member declares none.
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

/// Protocols that commonly stand first in an inheritance clause; syntax alone tells no protocol
/// from a superclass.
private let wellKnownProtocols: Set<String> = [
  "AnyObject", "Codable", "Comparable", "CustomDebugStringConvertible", "CustomStringConvertible",
  "Decodable", "Encodable", "Equatable", "Hashable", "Identifiable", "Observable", "Sendable",
]
