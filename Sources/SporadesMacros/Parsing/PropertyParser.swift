// SPDX-License-Identifier: MIT
import SwiftDiagnostics
import SwiftSyntax

/// Reads the stored properties of a type, and collects their mistakes.
struct PropertyParser {
  /// The type that owns the properties. An entity computes them, and a composite stores them.
  enum Owner { case entity, composite }

  var diagnostics: [Diagnostic] = []
  /// The inverses that key paths name, by the name of the relationship.
  private(set) var inverseKeyPaths: [String: KeyPathExprSyntax] = [:]
  private let owner: Owner

  init(_ owner: Owner) { self.owner = owner }

  mutating func parseProperties(of members: MemberBlockItemListSyntax) -> [PropertyModel] {
    members.compactMap { member in
      if let condition = member.decl.as(IfConfigDeclSyntax.self) { refuse(condition) }
      return member.decl.as(VariableDeclSyntax.self).flatMap { parseProperty(of: $0) }
    }
  }

  private mutating func parseProperty(of variable: VariableDeclSyntax) -> PropertyModel? {
    let markers = Marker.all(in: variable.attributes)
    guard variable.isStoredByInstances else { return nil }
    guard !markers.contains(where: { $0.marker == .ignored }) else {
      if owner == .entity { refuseMissingValue(of: variable) }
      return nil
    }
    guard variable.bindings.count == 1, let binding = variable.bindings.first else {
      diagnostics.append(Diagnostic(.severalBindings, at: variable))
      return nil
    }
    guard let pattern = binding.pattern.as(IdentifierPatternSyntax.self) else {
      diagnostics.append(Diagnostic(.destructuring, at: binding.pattern))
      return nil
    }
    let name = pattern.identifier.identifierText
    let errors = diagnostics.count
    if owner == .entity && reservedNames.contains(name) {
      diagnostics.append(Diagnostic(.reservedName(name), at: pattern))
    } else if !name.allSatisfy({ $0.isLetter || $0.isNumber || $0 == "_" }) {
      diagnostics.append(Diagnostic(.invalidName(name), at: pattern))
    }
    refuseAttributes(of: variable, name)
    refuseForms(of: variable, binding, name)
    let type = parseType(of: binding, name)
    let kind = parseKind(of: binding, name, markers)
    guard let type, let kind, diagnostics.count == errors else { return nil }
    return PropertyModel(
      name: name, identifier: pattern.identifier.text, type: type,
      initialValue: binding.initializer?.value.trimmed, kind: kind)
  }

  private mutating func refuse(_ condition: IfConfigDeclSyntax) {
    for clause in condition.clauses {
      guard case .decls(let members) = clause.elements else { continue }
      for member in members {
        guard let variable = member.decl.as(VariableDeclSyntax.self),
          variable.isStoredByInstances,
          !Marker.all(in: variable.attributes).contains(where: { $0.marker == .ignored }),
          let binding = variable.bindings.first
        else { continue }
        let name = binding.pattern.trimmedDescription
        diagnostics.append(Diagnostic(.conditionalProperty(name: name), at: variable))
      }
    }
  }

  private mutating func refuseForms(
    of variable: VariableDeclSyntax, _ binding: PatternBindingSyntax, _ name: String
  ) {
    if variable.bindingSpecifier.tokenKind == .keyword(.let),
      // Each read makes a new composite, which sets its constants once.
      owner == .entity || binding.initializer != nil
    {
      let specifier = variable.bindingSpecifier
      let fix = FixIt.replace(
        specifier, with: specifier.with(\.tokenKind, .keyword(.var)), .useVar)
      diagnostics.append(Diagnostic(.constantProperty(name: name), at: specifier, fixIts: [fix]))
    }
    for modifier in variable.modifiers {
      switch modifier.name.tokenKind {
      case .keyword(.lazy): refuse(modifier, of: variable, .lazyProperty(name: name))
      case .keyword(.override) where owner == .entity:
        diagnostics.append(Diagnostic(.overriddenProperty(name: name), at: modifier))
      case .keyword(.weak), .keyword(.unowned):
        refuse(modifier, of: variable, .referenceModifier(modifier.name.text, name: name))
      default: break
      }
    }
    if owner == .entity, let block = binding.accessorBlock {
      var fixed = binding.with(\.accessorBlock, nil)
      fixed.trailingTrivia = block.trailingTrivia
      diagnostics.append(
        Diagnostic(
          .observedProperty(name: name), at: block,
          fixIts: [.replace(binding, with: fixed, .remove("the observers"))]))
    }
  }

  /// Refuses attributes that give the property another owner or another thread.
  private mutating func refuseAttributes(of variable: VariableDeclSyntax, _ name: String) {
    for case .attribute(let attribute) in variable.attributes {
      let word = attribute.attributeName.baseName
      let message: MacroDiagnostic
      switch word {
      case "NSManaged": message = .managedByCoreData(name: name)
      case "MainActor": message = .isolatedProperty(name: name)
      case "Composite": message = .compositeOnProperty(name: name)
      default: continue
      }
      var fixed = variable
      fixed.attributes = variable.attributes.filter { $0.id != attribute.id }
      fixed.leadingTrivia = variable.leadingTrivia
      let fix = FixIt.replace(variable, with: fixed, .remove("'@\(word)'"))
      diagnostics.append(Diagnostic(message, at: attribute, fixIts: [fix]))
    }
  }

  /// Refuses an ignored property without a value: a context makes the object, and gives it none.
  private mutating func refuseMissingValue(of variable: VariableDeclSyntax) {
    for binding in variable.bindings
    where binding.initializer == nil && binding.typeAnnotation?.type.isOptional != true {
      let name = binding.pattern.trimmedDescription
      diagnostics.append(Diagnostic(.ignoredWithoutValue(name: name), at: binding.pattern))
    }
  }

  private mutating func refuse(
    _ modifier: DeclModifierSyntax, of variable: VariableDeclSyntax, _ message: MacroDiagnostic
  ) {
    var fixed = variable
    fixed.modifiers = variable.modifiers.filter { $0.id != modifier.id }
    fixed.leadingTrivia = variable.leadingTrivia
    let fix = FixIt.replace(variable, with: fixed, .remove("'\(modifier.name.text)'"))
    diagnostics.append(Diagnostic(message, at: modifier, fixIts: [fix]))
  }
}

// MARK: - Kind

extension PropertyParser {
  private mutating func parseKind(
    of binding: PatternBindingSyntax, _ name: String,
    _ markers: [(marker: Marker, node: AttributeSyntax)]
  ) -> PropertyModel.Kind? {
    guard let (marker, node) = markers.first else { return .plain }
    if markers.count > 1 {
      let message = MacroDiagnostic.severalMarkers(
        name: name, first: marker.rawValue, second: markers[1].marker.rawValue)
      diagnostics.append(Diagnostic(message, at: markers[1].node))
      return nil
    }
    if owner == .composite && marker != .attribute {
      diagnostics.append(
        Diagnostic(.markerInComposite(marker.rawValue, name: name), at: node))
      return nil
    }
    switch marker {
    case .ignored: return nil
    case .transient: return .transient
    case .attribute:
      // The compiler reports an argument with a label and a name, where they stand.
      let options = node.labelledArguments.filter {
        $0.label == nil && $0.expression.stringLiteral == nil
      }
      return .attribute(options: options.map(\.expression.trimmed))
    case .derived:
      refuseInitialValue(of: binding, .derivedWithInitialValue(name: name))
      guard let expression = node.labelledArguments.first?.expression.trimmed else {
        diagnostics.append(Diagnostic(.derivedNeedsExpression(name: name), at: node))
        return nil
      }
      return .derived(from: expression)
    case .relationship:
      guard !refuseValues(of: binding, name) else { return nil }
      refuseInitialValue(of: binding, .relationshipWithInitialValue(name: name))
      return .relationship(node.labelledArguments.compactMap { parseArgument($0, of: name) })
    }
  }

  private mutating func refuseInitialValue(
    of binding: PatternBindingSyntax, _ message: MacroDiagnostic
  ) {
    guard let initializer = binding.initializer,
      // `= nil` and `= []` name the value that a new object has anyway.
      !["nil", "[]"].contains(initializer.value.trimmedDescription)
    else { return }
    var fixed = binding.with(\.initializer, nil)
    fixed.trailingTrivia = initializer.trailingTrivia
    let fix = FixIt.replace(binding, with: fixed, .remove("the initial value"))
    diagnostics.append(Diagnostic(message, at: initializer, fixIts: [fix]))
  }

  private mutating func parseArgument(
    _ node: LabeledExprSyntax, of name: String
  ) -> PropertyModel.Argument? {
    // The compiler reports an argument without a label where it stands.
    guard let label = node.label?.text else { return nil }
    let expression = node.expression.trimmed
    guard label == "inverse" else {
      return .init(label: label, expression: expression.description)
    }
    // An empty name says that there is no inverse; without the argument one may be found.
    if expression.is(NilLiteralExprSyntax.self) { return .init(label: label, expression: "\"\"") }
    if expression.stringLiteral != nil {
      return .init(label: label, expression: expression.description)
    }
    guard let names = expression.keyPathNames else {
      diagnostics.append(Diagnostic(.inverseIsNotAName, at: node.expression))
      return nil
    }
    guard names.count == 1 else {
      diagnostics.append(Diagnostic(.inverseIsAPath, at: node.expression))
      return nil
    }
    inverseKeyPaths[name] = node.expression.as(KeyPathExprSyntax.self)
    return .init(label: label, expression: "\"\(names[0])\"")
  }
}

extension VariableDeclSyntax {
  /// Each object stores the value: the property is not static and has no accessors apart from observers.
  var isStoredByInstances: Bool {
    let isStatic = modifiers.contains {
      $0.name.tokenKind == .keyword(.static) || $0.name.tokenKind == .keyword(.class)
    }
    return !isStatic && bindings.allSatisfy { !$0.isComputed }
  }
}

extension PatternBindingSyntax {
  fileprivate var isComputed: Bool {
    guard let accessorBlock else { return false }
    guard case .accessors(let list) = accessorBlock.accessors else { return true }
    return !list.allSatisfy {
      [.keyword(.willSet), .keyword(.didSet)].contains($0.accessorSpecifier.tokenKind)
    }
  }
}
