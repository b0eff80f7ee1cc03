// SPDX-License-Identifier: MIT
import SporadesModel

extension ModelUnarchiver {
  mutating func read(
    property: ArchivedValue, into entity: inout EntityDescription
  ) throws(PropertyListError) {
    let property = try Self.underlying(property)
    let name = try Self.text(property.field("NSPropertyName"))
    switch try property.className {
    case "NSAttributeDescription", "NSDerivedAttributeDescription",
      "NSCompositeAttributeDescription":
      entity.attributes.append(try read(attribute: property, entity.name, depth: 0))
    case "NSRelationshipDescription":
      entity.relationships.append(try read(relationship: property, entity.name))
    case "NSFetchedPropertyDescription":
      let request = try read(
        request: property.field("NSFetchRequest"), entity.name, name,
        orElse: "The fetched property is left out.")
      guard let request else { return }
      var fetched = FetchedPropertyDescription(
        name, request, isOptional: try Self.flag(property["NSIsOptional"]))
      fetched.userInfo = try readUserInfo(property, entity.name, name)
      entity.fetchedProperties.append(fetched)
    // An expression stands in fetches, and no store keeps it.
    case "NSExpressionDescription":
      warn(
        .malformedFile, entity.name, name, "is an expression and no property. It is left out.")
    case let type:
      throw PropertyListError("\(entity.name).\(name) is of the unknown class \(type)")
    }
  }

  /// Older archives let another object stand for a property.
  private static func underlying(
    _ property: ArchivedValue
  ) throws(PropertyListError) -> ArchivedValue {
    guard try property.className == "_NSPropertyDescriptionProxy" else { return property }
    return try property.field("NSUnderlyingProperty")
  }

  // MARK: - Attributes

  private mutating func read(
    attribute: ArchivedValue, _ entity: String, depth: Int
  ) throws(PropertyListError) -> AttributeDescription {
    let name = try Self.text(attribute.field("NSPropertyName"))
    let number = try Self.integer(attribute["NSAttributeType"], orElse: Int32(0))
    guard let type = AttributeType(rawValue: number) else {
      throw PropertyListError("\(entity).\(name) has the unknown type \(number)")
    }
    var description = AttributeDescription(
      name, type, isOptional: try Self.flag(attribute["NSIsOptional"]),
      isTransient: try Self.flag(attribute["NSIsTransient"]))
    let flags = try Self.integer(attribute["NSFlagsKey"], orElse: Int64(0))
    description.allowsExternalBinaryDataStorage = flags & 4 != 0
    description.preservesValueInHistoryOnDeletion = flags & 16 != 0
    description.isIndexedBySpotlight = try Self.flag(attribute["NSIndexedBySpotlight"])
    description.valueTransformerName = try Self.optionalText(attribute["NSValueTransformerName"])
    if type == .transformable {
      description.attributeValueClassName = try Self.optionalText(
        attribute["NSAttributeValueClassName"])
    }
    if let value = try attribute["NSDefaultValue"] {
      description.defaultValue = try readDefault(value, type, entity, name)
    }
    if try attribute.className == "NSDerivedAttributeDescription" {
      description.derivationExpression = try readDerivation(attribute, entity, name)
    }
    description.elements = try readElements(attribute, entity, name, depth)
    description.validation = try readValidation(attribute, type, entity, name)
    description.userInfo = try readUserInfo(attribute, entity, name)
    description.versionHashModifier = try Self.optionalText(attribute["NSVersionHashModifier"])
    description.renamingIdentifier = try Self.renamingIdentifier(attribute, name)
    return description
  }

  private mutating func readElements(
    _ attribute: ArchivedValue, _ entity: String, _ name: String, _ depth: Int
  ) throws(PropertyListError) -> [AttributeDescription] {
    guard let elements = try attribute["NSCompositeElements"] else { return [] }
    guard depth < Self.depthLimit else {
      throw PropertyListError("\(entity).\(name) nests composites too deep")
    }
    var descriptions: [AttributeDescription] = []
    for element in try Self.items(elements) {
      descriptions.append(try read(attribute: element, entity, depth: depth + 1))
    }
    return descriptions
  }

  /// The text of a derivation. It counts in the version hash, so one that cannot be read is a problem.
  private func readDerivation(
    _ attribute: ArchivedValue, _ entity: String, _ name: String
  ) throws(PropertyListError) -> String {
    do throws(PropertyListError) {
      return try PredicateUnarchiver().derivation(attribute.field("NSDerivationExpression"))
    } catch {
      throw PropertyListError("the derivation of \(entity).\(name) cannot be read: \(error.reason)")
    }
  }

  // MARK: - Relationships

  private mutating func read(
    relationship: ArchivedValue, _ entity: String
  ) throws(PropertyListError) -> RelationshipDescription {
    let name = try Self.text(relationship.field("NSPropertyName"))
    var destination = try Self.optionalText(relationship["_NSDestinationEntityName"])
    if destination == nil {
      destination = try Self.text(relationship.field("NSDestinationEntity").field("NSEntityName"))
    }
    var inverse = try Self.optionalText(relationship["_NSInverseRelationshipName"])
    if inverse == nil, let other = try relationship["NSInverseRelationship"] {
      inverse = try Self.text(other.field("NSPropertyName"))
    }
    var description = RelationshipDescription.toMany(name, destination ?? "", inverse: inverse)
    description.maxCount = try Self.integer(relationship["NSMaxCount"], orElse: 0)
    description.minCount = try Self.integer(relationship["NSMinCount"], orElse: 0)
    description.isOptional = try Self.flag(relationship["NSIsOptional"])
    description.isTransient = try Self.flag(relationship["NSIsTransient"])
    description.isOrdered = try Self.flag(relationship["NSIsOrdered"])
    let rule = try Self.integer(relationship["NSDeleteRule"], orElse: 0)
    guard let rule = DeleteRule(rawValue: rule) else {
      throw PropertyListError("\(entity).\(name) has the unknown delete rule \(rule)")
    }
    description.deleteRule = rule
    description.userInfo = try readUserInfo(relationship, entity, name)
    description.versionHashModifier = try Self.optionalText(relationship["NSVersionHashModifier"])
    description.renamingIdentifier = try Self.renamingIdentifier(relationship, name)
    return description
  }
}
