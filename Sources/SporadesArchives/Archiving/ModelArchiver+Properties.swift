// SPDX-License-Identifier: MIT
import FoundationEssentials
import SporadesModel

extension ModelArchiver {
  private func place(_ property: String, of entity: EntityDescription) -> Reference {
    properties[PropertyPlace(entity: entity.name, property: property)] ?? .nothing
  }

  /// The fields that all properties have. `mask` repeats the options as bits.
  private mutating func common(
    _ name: String, of entity: EntityDescription, _ options: PropertyOptions
  ) -> [PropertyListTree.Entry] {
    var fields: [PropertyListTree.Entry] = [
      .init("NSPropertyName", writer.text(name)),
      .init("NSEntity", entities[entity.name] ?? .nothing),
      .init("NSRenamingIdentifier", writer.text(options.renamingIdentifier ?? name)),
      .init("_P", .integer(options.mask)),
    ]
    if options.isOptional { fields.append(.init("NSIsOptional", .boolean(true))) }
    if options.isTransient { fields.append(.init("NSIsTransient", .boolean(true))) }
    if options.isReadOnly { fields.append(.init("NSIsReadOnly", .boolean(true))) }
    if options.isIndexedBySpotlight {
      fields.append(.init("NSIndexedBySpotlight", .boolean(true)))
    }
    if let modifier = options.versionHashModifier {
      fields.append(.init("NSVersionHashModifier", writer.text(modifier)))
    }
    if !options.notes.isEmpty {
      fields.append(.init("NSUserInfo", archive(notes: options.notes)))
    }
    return fields
  }

  // MARK: - Attributes

  mutating func archive(
    _ attribute: AttributeDescription, of entity: EntityDescription, isIndexed: Bool
  ) {
    let (type, fields) = fields(of: attribute, entity, isIndexed: isIndexed)
    writer.fill(place(attribute.name, of: entity), type, fields)
  }

  private mutating func fields(
    of attribute: AttributeDescription, _ entity: EntityDescription, isIndexed: Bool
  ) -> (ArchivedClass, [PropertyListTree.Entry]) {
    var options = PropertyOptions()
    options.isOptional = attribute.isOptional
    options.isTransient = attribute.isTransient
    options.isReadOnly = attribute.isDerived
    options.isIndexedBySpotlight = attribute.isIndexedBySpotlight
    options.versionHashModifier = attribute.versionHashModifier
    options.renamingIdentifier = attribute.renamingIdentifier
    options.notes = attribute.userInfo
    let conditions = archiveBounds(of: attribute, entity)
    options.hasConditions = conditions != nil
    var fields = common(attribute.name, of: entity, options)
    let flags =
      (attribute.allowsExternalBinaryDataStorage ? 4 : 0)
      | (attribute.preservesValueInHistoryOnDeletion ? 16 : 0)
    fields += [
      .init("NSAttributeType", .integer(Int64(attribute.type.rawValue))),
      .init("NSFlagsKey", .integer(Int64(flags))),
      .init("NSAttributeValueClassName", writer.text(attribute.archivedClassName)),
      .init("NSValueTransformerName", writer.text(attribute.valueTransformerName)),
      .init("NSDefaultValue", archiveDefault(of: attribute, entity)),
    ]
    if isIndexed { fields.append(.init("NSIsIndexed", .boolean(true))) }
    fields += conditions ?? []
    if let text = attribute.derivationExpression, let derivation = Derivation(text) {
      fields.append(.init("NSFilteringPredicate", .nothing))
      fields.append(.init("NSDerivationExpression", writer.archive(derivation)))
    }
    if attribute.type == .composite {
      let elements = attribute.elements.map { element in
        let (type, fields) = self.fields(of: element, entity, isIndexed: false)
        return writer.object(type, fields)
      }
      fields.append(.init("NSCompositeElements", writer.list(elements, .array)))
    }
    return (attribute.archivedClass, fields)
  }

  private mutating func archiveDefault(
    of attribute: AttributeDescription, _ entity: EntityDescription
  ) -> Reference {
    switch attribute.defaultValue {
    case .null: return .nothing
    case .boolean(let truth): return writer.scalar(.boolean(truth))
    case .integer(let number): return writer.scalar(.integer(number))
    case .double(let number): return writer.scalar(.double(number))
    case .string(let text): return writer.text(text)
    case .date(let date):
      return writer.object(
        ArchivedClass("NSDate"), [.init("NS.time", .double(date.timeIntervalSinceReferenceDate))])
    case .uuid(let id):
      let bytes = unsafe withUnsafeBytes(of: id.uuid) { unsafe Array($0) }
      return writer.object(ArchivedClass("NSUUID"), [.init("NS.uuidbytes", .data(bytes))])
    case .decimal, .data, .url, .objectID, .list:
      omit(
        .invalidDefault, entity.name, attribute.name,
        "has a default whose archived form is not known. It is left out.")
      return .nothing
    }
  }

  // MARK: - Bounds

  /// The conditions that stand for an attribute's bounds; nil if there are none. Only bounds of numbers and of
  /// lengths have a known form.
  private mutating func archiveBounds(
    of attribute: AttributeDescription, _ entity: EntityDescription
  ) -> [PropertyListTree.Entry]? {
    let bounds = attribute.validation
    guard !bounds.isEmpty else { return nil }
    var conditions: [Reference] = []
    var warnings: [Reference] = []
    for (predicate, warning) in bounds.archivedConditions {
      guard let condition = writer.archive(predicate) else { continue }
      conditions.append(condition)
      warnings.append(writer.scalar(.integer(warning)))
    }
    let left = bounds.withoutArchivedConditions
    if !left.isEmpty {
      omit(
        .invalidBounds, entity.name, attribute.name,
        "has bounds whose archived form is not known. They are left out.")
    }
    guard !conditions.isEmpty else { return nil }
    return [
      .init("NSValidationPredicates", writer.list(conditions)),
      .init("NSValidationWarnings", writer.list(warnings)),
    ]
  }

  // MARK: - Relationships

  mutating func archive(_ relationship: RelationshipDescription, of entity: EntityDescription) {
    var options = PropertyOptions()
    options.isOptional = relationship.isOptional
    options.isTransient = relationship.isTransient
    options.isOrdered = relationship.isOrdered
    options.versionHashModifier = relationship.versionHashModifier
    options.renamingIdentifier = relationship.renamingIdentifier
    options.notes = relationship.userInfo
    let destination = relationship.destinationEntityName
    let name = relationship.inverseName ?? relationship.unansweredInverseName
    let inverse = name.flatMap { property($0, of: destination) }
    var fields = common(relationship.name, of: entity, options)
    fields += [
      .init("NSDestinationEntity", entities[destination] ?? .nothing),
      .init("_NSDestinationEntityName", writer.text(destination)),
      .init("NSInverseRelationship", inverse ?? .nothing),
      .init("_NSInverseRelationshipName", writer.text(name)),
      .init("NSMinCount", .integer(Int64(relationship.minCount))),
      .init("NSMaxCount", .integer(Int64(relationship.maxCount))),
      .init("NSDeleteRule", .integer(Int64(relationship.deleteRule.rawValue))),
    ]
    if relationship.isOrdered { fields.append(.init("NSIsOrdered", .boolean(true))) }
    writer.fill(
      place(relationship.name, of: entity),
      ArchivedClass("NSRelationshipDescription", "NSPropertyDescription"), fields)
  }

  // MARK: - Fetched properties

  mutating func archive(_ fetched: FetchedPropertyDescription, of entity: EntityDescription) {
    var options = PropertyOptions()
    options.isOptional = fetched.isOptional
    options.isTransient = true
    options.isReadOnly = true
    options.notes = fetched.userInfo
    guard let request = archive(fetched.request, entity.name, fetched.name) else {
      return
    }
    var fields = common(fetched.name, of: entity, options)
    fields += [
      .init("NSFetchRequest", request),
      .init("_NSFetchRequestEntityName", writer.text(fetched.request.entityName)),
    ]
    properties[PropertyPlace(entity: entity.name, property: fetched.name)] = writer.object(
      ArchivedClass("NSFetchedPropertyDescription", "NSPropertyDescription"), fields)
  }
}

/// The options that archives repeat as bits.
struct PropertyOptions {
  var isOptional = false
  var isTransient = false
  var isReadOnly = false
  var isOrdered = false
  var isIndexedBySpotlight = false
  var hasConditions = false
  var versionHashModifier: String?
  var renamingIdentifier: String?
  var notes: [String: String] = [:]

  var mask: Int64 {
    var mask: Int64 = 0x01
    if isOptional { mask |= 0x02 }
    if isReadOnly { mask |= 0x04 }
    if isTransient { mask |= 0x08 }
    if !hasConditions { mask |= 0x30 }
    if notes.isEmpty { mask |= 0x40 }
    if versionHashModifier == nil { mask |= 0x80 }
    if isIndexedBySpotlight { mask |= 0x100 }
    if isOrdered { mask |= 0x400 }
    return mask
  }
}

extension AttributeValidation {
  /// The bounds that have a known form, as conditions, each with the number of the error about it.
  fileprivate var archivedConditions: [(FetchPredicate, Int64)] {
    func condition(
      _ left: FetchExpression, _ comparator: FetchPredicate.Comparator, _ bound: Value
    ) -> FetchPredicate? {
      guard bound.isArchivedNumber else { return nil }
      return .comparison(.init(left, comparator, .constant(bound)))
    }
    func length(_ length: Int?) -> Value { length.map { .integer(Int64($0)) } ?? .null }
    return [
      (condition(.subject, .greaterOrEqual, minimum), 1620),
      (condition(.subject, .lessOrEqual, maximum), 1610),
      (condition(.keyPath("length"), .greaterOrEqual, length(minimumLength)), 1670),
      (condition(.keyPath("length"), .lessOrEqual, length(maximumLength)), 1660),
    ].compactMap { predicate, warning in predicate.map { ($0, warning) } }
  }

  /// The bounds without those that have a known form.
  fileprivate var withoutArchivedConditions: AttributeValidation {
    var left = self
    if minimum.isArchivedNumber { left.minimum = .null }
    if maximum.isArchivedNumber { left.maximum = .null }
    left.minimumLength = nil
    left.maximumLength = nil
    return left
  }
}

extension Value {
  /// Archives show bounds of these kinds of numbers.
  fileprivate var isArchivedNumber: Bool {
    switch self {
    case .integer, .double: true
    case .null, .boolean, .decimal, .string, .date, .data, .uuid, .url, .objectID, .list: false
    }
  }
}

extension AttributeDescription {
  fileprivate var archivedClass: ArchivedClass {
    if isDerived {
      return ArchivedClass(
        "NSDerivedAttributeDescription", "NSAttributeDescription", "NSPropertyDescription")
    }
    return type == .composite
      ? ArchivedClass(
        "NSCompositeAttributeDescription", "NSAttributeDescription", "NSPropertyDescription")
      : ArchivedClass("NSAttributeDescription", "NSPropertyDescription")
  }

  /// The class of the attribute's values.
  fileprivate var archivedClassName: String? {
    switch type {
    case .integer16, .integer32, .integer64, .double, .float, .boolean: "NSNumber"
    case .decimal: "NSDecimalNumber"
    case .string: "NSString"
    case .date: "NSDate"
    case .binary: "NSData"
    case .uuid: "NSUUID"
    case .uri: "NSURL"
    case .transformable: attributeValueClassName
    case .undefined, .objectID, .composite: nil
    }
  }
}
