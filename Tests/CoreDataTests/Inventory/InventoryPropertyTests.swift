// SPDX-License-Identifier: MIT
import CoreData
import Foundation
import Testing

/// Chapter 1.3 of the inventory: properties of all kinds.
@Suite struct InventoryPropertyTests {
  let model = Notes.model()
  let note: NSEntityDescription

  init() throws {
    note = try #require(model.entitiesByName["Note"])
  }

  // MARK: - All properties

  @Test func aNewPropertyHasCoreDatasDefaults() {
    let property: NSPropertyDescription = NSAttributeDescription()
    let name: String = property.name
    let (isOptional, isTransient): (Bool, Bool) = (property.isOptional, property.isTransient)
    let userInfo: [AnyHashable: Any]? = property.userInfo
    let predicates: [NSPredicate] = property.validationPredicates
    let warnings: [Any] = property.validationWarnings
    let modifier: String? = property.versionHashModifier
    #expect(name == "" && isOptional && !isTransient && userInfo?.isEmpty == true)
    #expect(predicates.isEmpty && warnings.isEmpty && modifier == nil)
    let flags: [Bool] = [
      property.isIndexed, property.isIndexedBySpotlight, property.isStoredInExternalRecord,
    ]
    #expect(flags == [false, false, false])
    property.name = "a"
    let renaming: String? = property.renamingIdentifier
    #expect(renaming == "a")
    property.renamingIdentifier = "b"
    #expect(property.renamingIdentifier == "b")
  }

  @Test func aPropertyKnowsItsEntity() throws {
    let entity: NSEntityDescription = try #require(note.propertiesByName["title"]).entity
    #expect(entity === note)
  }

  @Test func aPropertyHasAHashOfItsVersion() throws {
    let title = try #require(note.propertiesByName["title"])
    let hash: Data = title.versionHash
    #expect(hash.count == 32 && hash != note.versionHash)
    let tags = try #require(note.propertiesByName["tags"])
    #expect(tags.versionHash.count == 32 && tags.versionHash != hash)
    let changed = try #require(Notes.model().entitiesByName["Note"]?.copy() as? NSEntityDescription)
    let other = NSManagedObjectModel()
    changed.properties = changed.properties.filter { $0 is NSAttributeDescription }
    changed.propertiesByName["title"]?.isOptional = true
    other.entities = [changed]
    #expect(changed.propertiesByName["title"]?.versionHash != hash)
    #expect(
      changed.propertiesByName["rank"]?.versionHash == note.propertiesByName["rank"]?.versionHash)
  }

  @Test func conditionsHaveWarnings() {
    let _: (NSPropertyDescription) -> ([NSPredicate]?, [String]?) -> Void =
      NSPropertyDescription.setValidationPredicates(_:withValidationWarnings:)
    let attribute = NSAttributeDescription()
    attribute.setValidationPredicates(
      [NSPredicate(format: "SELF > 3")], withValidationWarnings: ["too small"])
    #expect(attribute.validationPredicates.count == 1)
    #expect(attribute.validationWarnings as? [String] == ["too small"])
  }

  // MARK: - Attributes

  @Test func attributeTypesHaveCoreDatasNumbers() {
    let numbers: [(NSAttributeType, UInt)] = [
      (.undefinedAttributeType, 0), (.integer16AttributeType, 100), (.integer32AttributeType, 200),
      (.integer64AttributeType, 300), (.decimalAttributeType, 400), (.doubleAttributeType, 500),
      (.floatAttributeType, 600), (.stringAttributeType, 700), (.booleanAttributeType, 800),
      (.dateAttributeType, 900), (.binaryDataAttributeType, 1000), (.UUIDAttributeType, 1100),
      (.URIAttributeType, 1200), (.transformableAttributeType, 1800),
      (.objectIDAttributeType, 2000), (.compositeAttributeType, 2100),
    ]
    for (type, number) in numbers { #expect(type.rawValue == number) }
    let short: [NSAttributeDescription.AttributeType] = [
      .undefined, .integer16, .integer32, .integer64, .decimal, .double, .float, .string, .boolean,
      .date, .binaryData, .uuid, .uri, .transformable, .objectID, .composite,
    ]
    #expect(short.map(\.rawValue) == numbers.map(\.0))
  }

  @Test func anAttributeHasItsParts() {
    let attribute = NSAttributeDescription()
    let type: NSAttributeType = attribute.attributeType
    let defaultValue: Any? = attribute.defaultValue
    let names: [String?] = [attribute.attributeValueClassName, attribute.valueTransformerName]
    #expect(type == .undefinedAttributeType && defaultValue == nil && names == [nil, nil])
    let flags: [Bool] = [
      attribute.allowsExternalBinaryDataStorage, attribute.preservesValueInHistoryOnDeletion,
      attribute.allowsCloudEncryption,
    ]
    #expect(flags == [false, false, false])
    attribute.type = .string
    #expect(attribute.attributeType == .stringAttributeType && attribute.type == .string)
  }

  @Test func valuesHaveFoundationsClasses() {
    let classes: [(NSAttributeType, String?)] = [
      (.undefinedAttributeType, nil), (.integer64AttributeType, "NSNumber"),
      (.decimalAttributeType, "NSDecimalNumber"), (.stringAttributeType, "NSString"),
      (.booleanAttributeType, "NSNumber"), (.dateAttributeType, "NSDate"),
      (.binaryDataAttributeType, "NSData"), (.UUIDAttributeType, "NSUUID"),
      (.URIAttributeType, "NSURL"), (.transformableAttributeType, nil),
      (.compositeAttributeType, "NSDictionary"),
    ]
    let attribute = NSAttributeDescription()
    for (type, name) in classes {
      attribute.attributeType = type
      #expect(attribute.attributeValueClassName == name)
    }
    attribute.attributeValueClassName = "NSArray"
    #expect(attribute.attributeValueClassName == "NSArray")
  }

  @available(*, deprecated)
  @Test func derivedAttributesHaveAnExpression() {
    let attribute = NSDerivedAttributeDescription()
    let none: NSExpression? = attribute.derivationExpression
    #expect(none == nil)
    attribute.derivationExpression = NSExpression(format: "canonical:(title)")
    #expect(attribute.derivationExpression?.function == "canonical:")
  }

  @Test func compositeAttributesHaveElements() {
    let (inner, outer) = (NSCompositeAttributeDescription(), NSCompositeAttributeDescription())
    let part = NSAttributeDescription()
    (part.name, part.attributeType) = ("street", .stringAttributeType)
    inner.elements = [part]
    outer.elements = [inner]
    let elements: [NSAttributeDescription] = outer.elements
    #expect(elements == [inner] && outer.attributeType == .compositeAttributeType)
  }

  // MARK: - Relationships

  @Test func aRelationshipHasCoreDatasDefaults() {
    let relationship = NSRelationshipDescription()
    let destination: NSEntityDescription? = relationship.destinationEntity
    let inverse: NSRelationshipDescription? = relationship.inverseRelationship
    let counts: [Int] = [relationship.minCount, relationship.maxCount]
    let (isToMany, isOrdered): (Bool, Bool) = (relationship.isToMany, relationship.isOrdered)
    let rule: NSDeleteRule = relationship.deleteRule
    #expect(destination == nil && inverse == nil && counts == [0, 0])
    #expect(isToMany && !isOrdered && rule == .nullifyDeleteRule)
    relationship.maxCount = 1
    #expect(!relationship.isToMany)
    let rules: [NSDeleteRule] = [
      .noActionDeleteRule, .nullifyDeleteRule, .cascadeDeleteRule, .denyDeleteRule,
    ]
    #expect(rules.map(\.rawValue) == [0, 1, 2, 3])
  }

  // MARK: - Other properties

  @Test func fetchedPropertiesHaveARequest() {
    let property = NSFetchedPropertyDescription()
    let none: NSFetchRequest<any NSFetchRequestResult>? = property.fetchRequest
    #expect(none == nil)
    let request = NSFetchRequest<any NSFetchRequestResult>(entityName: "Note")
    request.predicate = NSPredicate(
      format: "title = $FETCH_SOURCE.name AND rank = $FETCHED_PROPERTY.userInfo.rank")
    property.fetchRequest = request
    #expect(property.fetchRequest === request)
  }

  @available(*, deprecated)
  @Test func expressionsHaveATypeAndAName() {
    let description = NSExpressionDescription()
    let (none, type): (NSExpression?, NSAttributeType) = (
      description.expression, description.expressionResultType
    )
    #expect(none == nil && type == .undefinedAttributeType)
    description.resultType = .integer64
    description.expression = NSExpression(
      forFunction: "count:", arguments: [NSExpression(forKeyPath: "title")])
    #expect(description.expressionResultType == .integer64AttributeType)
    #expect(description.expression?.function == "count:")
  }

  @Test func indexesHaveElements() throws {
    let title = try #require(note.propertiesByName["title"])
    let element = NSFetchIndexElementDescription(property: title, collationType: .rTree)
    let (property, name): (NSPropertyDescription?, String?) = (
      element.property, element.propertyName
    )
    let kind: NSFetchIndexElementType = element.collationType
    let isAscending: Bool = element.isAscending
    #expect(property === title && name == "title" && kind == .rTree && isAscending)
    #expect(NSFetchIndexElementType.binary.rawValue == 0)
    #expect(NSFetchIndexElementType.rTree.rawValue == 1)
    let index = NSFetchIndexDescription(name: "i", elements: [element])
    let (label, elements): (String, [NSFetchIndexElementDescription]) = (index.name, index.elements)
    let (entity, condition): (NSEntityDescription?, NSPredicate?) = (
      index.entity, index.partialIndexPredicate
    )
    let owner: NSFetchIndexDescription? = element.indexDescription
    #expect(label == "i" && elements == [element] && owner === index)
    #expect(entity == nil && condition == nil)
    #expect((index.copy() as? NSFetchIndexDescription)?.name == "i")
  }
}
