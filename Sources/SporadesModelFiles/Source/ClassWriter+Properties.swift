// SPDX-License-Identifier: MIT
package import SporadesModel

extension ClassWriter {
  /// The line that declares an attribute; nil, and noted, if no class can.
  mutating func line(
    of attribute: AttributeDescription, _ path: [String], _ entity: EntityDescription
  ) -> String? {
    let name = path.joined(separator: ".")
    guard !leavesOut(attribute.userInfo, !attribute.isTransient, name, entity) else { return nil }
    guard SwiftText.canDeclare(property: attribute.name) else {
      omit(
        entity.name, name, changesHash: !attribute.isTransient,
        "has a name that no property in Swift can have.")
      return nil
    }
    guard let type = typeName(of: attribute, path, entity) else {
      omit(
        entity.name, name, changesHash: !attribute.isTransient, "is of a type that Swift lacks.")
      return nil
    }
    let (comment, access) = (comment(attribute.userInfo), access(attribute.userInfo))
    let declaration =
      "\(access)var \(SwiftText.identifier(attribute.name)): \(type)"
      + (attribute.isOptional || attribute.isTransient ? "?" : "")
    if let expression = attribute.derivationExpression {
      omitOptions(of: attribute, name, entity, "derived")
      return "\(comment)@Derived(\(SwiftText.literal(expression))) \(declaration)"
    }
    let value = defaultValue(of: attribute, name, entity)
    if attribute.isTransient {
      omitOptions(of: attribute, name, entity, "transient")
      return "\(comment)@Transient \(declaration)\(value)"
    }
    let options = options(of: attribute, name, entity)
    return comment + (options.isEmpty ? "" : "@Attribute(\(options.joined(separator: ", "))) ")
      + declaration + value
  }

  mutating func typeName(
    of attribute: AttributeDescription, _ path: [String], _ entity: EntityDescription
  ) -> String? {
    if let named = notes?.typeName(of: attribute) { return named }
    if attribute.type == .composite { return structName(of: attribute, path, entity) }
    return Self.plainType(of: attribute.type).map { name, module in
      propertyNames.contains(name) ? "\(module).\(name)" : name
    }
  }

  /// The type of an attribute's values, and its module; nil for a composite one, and for a type that Swift lacks.
  package static func plainType(of type: AttributeType) -> (name: String, module: String)? {
    switch type {
    case .integer16: ("Int16", "Swift")
    case .integer32: ("Int32", "Swift")
    case .integer64: ("Int64", "Swift")
    case .double: ("Double", "Swift")
    case .float: ("Float", "Swift")
    case .string: ("String", "Swift")
    case .boolean: ("Bool", "Swift")
    case .decimal: ("Decimal", "Foundation")
    case .date: ("Date", "Foundation")
    case .binary: ("Data", "Foundation")
    case .uuid: ("UUID", "Foundation")
    case .uri: ("URL", "Foundation")
    case .transformable: ("TransformedBytes", "Sporades")
    case .composite, .undefined, .objectID: nil
    }
  }

  private mutating func defaultValue(
    of attribute: AttributeDescription, _ name: String, _ entity: EntityDescription
  ) -> String {
    guard !attribute.defaultValue.isNull else { return "" }
    if let type = notes?.scalarType(of: attribute) {
      let value = SwiftText.expression(attribute.defaultValue) ?? ""
      return " = \(type)(rawValue: \(value))!"
    }
    if notes?.typeName(of: attribute) != nil {
      omit(entity.name, name, "has a default value in bytes, and a type of the program's own.")
      return ""
    }
    if attribute.type == .transformable {
      return " = TransformedBytes(\(SwiftText.expression(attribute.defaultValue) ?? ""))"
    }
    if attribute.type == .float, case .double(let number) = attribute.defaultValue {
      if Double(Float(number)) != number, !number.isNaN {
        omit(entity.name, name, "has a default with more digits than its type holds.")
      }
      return " = Float(\(SwiftText.expression(attribute.defaultValue) ?? ""))"
    }
    return SwiftText.expression(attribute.defaultValue).map { " = \($0)" } ?? ""
  }

  // MARK: - Options

  private mutating func options(
    of attribute: AttributeDescription, _ name: String, _ entity: EntityDescription
  ) -> [String] {
    var options: [String] = []
    func add(_ option: String, label: String = "", _ text: String?) {
      guard let text else { return }
      let label = label.isEmpty ? "" : "\(label): "
      options.append(".\(option)(\(label)\(SwiftText.literal(text)))")
    }
    if attribute.allowsExternalBinaryDataStorage { options.append(".externalStorage") }
    if attribute.preservesValueInHistoryOnDeletion { options.append(".preservesValueOnDeletion") }
    if attribute.isIndexedBySpotlight { options.append(".spotlight") }
    if attribute.type == .transformable {
      add("transformer", label: "named", attribute.valueTransformerName)
      add("valueClass", label: "named", attribute.attributeValueClassName)
    } else if attribute.valueTransformerName ?? attribute.attributeValueClassName != nil {
      omit(
        entity.name, name,
        "names a transformer or a class of values, and is not transformable. Neither has an effect."
      )
    }
    options += bounds(of: attribute, name, entity)
    add("renamed", label: "from", attribute.renamingIdentifier)
    add("hashModifier", attribute.versionHashModifier)
    if !attribute.userInfo.isEmpty {
      options.append(".userInfo(\(SwiftText.dictionary(attribute.userInfo)))")
    }
    return options
  }

  private mutating func bounds(
    of attribute: AttributeDescription, _ name: String, _ entity: EntityDescription
  ) -> [String] {
    let bounds = attribute.validation
    var options: [String] = []
    for (side, bound) in [("minimum", bounds.minimum), ("maximum", bounds.maximum)]
    where !bound.isNull {
      if let text = SwiftText.expression(bound) { options.append(".\(side)(\(text))") }
    }
    if bounds.minimumLength != nil || bounds.maximumLength != nil {
      let (lower, upper) = (bounds.minimumLength ?? 0, bounds.maximumLength.map { "\($0)" } ?? "")
      let isOpen = bounds.minimumLength == nil
      options.append(".length(\(isOpen ? "" : "\(lower)")...\(upper))")
    }
    if let pattern = bounds.pattern { options.append(".pattern(\(SwiftText.literal(pattern)))") }
    for predicate in bounds.predicates {
      if let text = predicate.readableFormat {
        options.append(".satisfies(\(SwiftText.literal(text)))")
      } else {
        omit(entity.name, name, "has a validation predicate without a text.")
      }
    }
    return options
  }

  /// Notes the options of an attribute whose marker takes none.
  private mutating func omitOptions(
    of attribute: AttributeDescription, _ name: String, _ entity: EntityDescription, _ kind: String
  ) {
    let all = options(of: attribute, name, entity)
    guard !all.isEmpty else { return }
    omit(
      entity.name, name,
      "is \(kind), and such a property takes no options: \(all.joined(separator: ", ")).")
  }

  // MARK: - Relationships

  mutating func line(
    of relationship: RelationshipDescription, _ entity: EntityDescription
  ) -> String? {
    guard
      !leavesOut(relationship.userInfo, !relationship.isTransient, relationship.name, entity)
    else { return nil }
    guard SwiftText.canDeclare(property: relationship.name) else {
      omit(
        entity.name, relationship.name, changesHash: !relationship.isTransient,
        "has a name that no property in Swift can have.")
      return nil
    }
    if relationship.unansweredInverseName != nil, !relationship.isTransient {
      omit(
        entity.name, relationship.name, changesHash: true,
        "names an inverse that does not name it back, which no class declares.")
    }
    let destination = names.classes[relationship.destinationEntityName] ?? ""
    let type: String
    if relationship.isToMany {
      type = relationship.isOrdered ? "[\(destination)]" : "Set<\(destination)>"
    } else {
      type = destination + (relationship.isOptional ? "?" : "")
      if relationship.isOrdered {
        omit(
          entity.name, relationship.name, changesHash: !relationship.isTransient,
          "is an ordered relationship to one object, which no class declares.")
      }
    }
    let arguments = arguments(of: relationship)
    return comment(relationship.userInfo)
      + "@Relationship(\(arguments.joined(separator: ", "))) "
      + "\(access(relationship.userInfo))var \(SwiftText.identifier(relationship.name)): \(type)"
  }

  private func arguments(of relationship: RelationshipDescription) -> [String] {
    let inverse = relationship.inverseName.map(SwiftText.literal) ?? "nil"
    var arguments = ["deleteRule: .\(relationship.deleteRule)", "inverse: \(inverse)"]
    var options: [String] = []
    let usual = relationship.isToMany || relationship.isOptional ? 0 : 1
    if relationship.minCount != usual { arguments.append("minCount: \(relationship.minCount)") }
    if relationship.isToMany, relationship.maxCount != 0 {
      arguments.append("maxCount: \(relationship.maxCount)")
    }
    if let former = relationship.renamingIdentifier {
      arguments.append("renamedFrom: \(SwiftText.literal(former))")
    }
    if let modifier = relationship.versionHashModifier {
      arguments.append("hashModifier: \(SwiftText.literal(modifier))")
    }
    // Without the option, a to-many relationship is optional, and one with a least count is not.
    let isOptional =
      relationship.minCount <= 0 && (relationship.isToMany || relationship.isOptional)
    if isOptional != relationship.isOptional {
      options.append(".optional(\(relationship.isOptional))")
    }
    if relationship.isTransient { options.append(".transient") }
    if !relationship.userInfo.isEmpty {
      options.append(".userInfo(\(SwiftText.dictionary(relationship.userInfo)))")
    }
    if !options.isEmpty { arguments.append("options: [\(options.joined(separator: ", "))]") }
    return arguments
  }
}
