// SPDX-License-Identifier: MIT
import SwiftDiagnostics
import SwiftSyntax
import SwiftSyntaxBuilder

extension ClassDeclSyntax {
  var entityDiagnostics: [Diagnostic] {
    var found: [Diagnostic] = []
    if let parameters = genericParameterClause {
      found.append(Diagnostic(.entityIsGeneric(name: name.text), at: parameters))
    }
    if !hasSuperclass {
      found.append(
        Diagnostic(
          .entityHasNoSuperclass(name: name.text), at: name, fixIts: [inheritFromManagedObject]))
    } else if let type = inheritanceClause?.inheritedTypes.first?.type,
      type.baseName == "NSManagedObject"
    {
      let fixed = TypeSyntax("ManagedObject").with(\.trailingTrivia, type.trailingTrivia)
      found.append(
        Diagnostic(
          .coreDataSuperclass(entity: name.text), at: type,
          fixIts: [.replace(type, with: fixed, .useType("ManagedObject"))]))
    }
    for case .attribute(let attribute) in attributes
    where attribute.attributeName.baseName == "MainActor" {
      found.append(Diagnostic(.isolatedEntity(name: name.text), at: attribute))
    }
    for member in memberBlock.members {
      guard let initializer = member.decl.as(InitializerDeclSyntax.self),
        initializer.isDesignated, initializer.firstParameterType != "ObjectSeed"
      else { continue }
      found.append(
        Diagnostic(.designatedInitializer(entity: name.text), at: initializer.initKeyword))
    }
    return found
  }

  var hasSuperclass: Bool {
    guard let first = inheritanceClause?.inheritedTypes.first else { return false }
    return !wellKnownProtocols.contains(first.type.baseName)
  }

  var superentity: String? {
    guard hasSuperclass, let first = inheritanceClause?.inheritedTypes.first,
      first.type.baseName != "ManagedObject"
    else { return nil }
    return first.type.trimmedDescription
  }

  var accessOfOverrides: String {
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

extension InitializerDeclSyntax {
  fileprivate var isDesignated: Bool {
    !modifiers.contains { $0.name.tokenKind == .keyword(.convenience) }
  }

  fileprivate var firstParameterType: String? {
    signature.parameterClause.parameters.first?.type.trimmedDescription
  }
}

extension DeclSyntax {
  /// The first label of an initialiser; nil for every other declaration.
  var firstLabel: String? {
    self.as(InitializerDeclSyntax.self)?.signature.parameterClause.parameters.first?.firstName.text
  }
}
