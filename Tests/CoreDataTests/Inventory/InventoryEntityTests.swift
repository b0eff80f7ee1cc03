// SPDX-License-Identifier: MIT
import CoreData
import Foundation
import Testing

/// Chapter 1.2 of the inventory: entities.
@Suite struct InventoryEntityTests {
  let model = Notes.model()
  let note: NSEntityDescription

  init() throws {
    note = try #require(model.entitiesByName["Note"])
  }

  @Test func aNewEntityHasCoreDatasDefaults() {
    let entity = NSEntityDescription()
    let name: String? = entity.name
    let className: String = entity.managedObjectClassName
    let isAbstract: Bool = entity.isAbstract
    let userInfo: [AnyHashable: Any]? = entity.userInfo
    let modifier: String? = entity.versionHashModifier
    let renaming: String? = entity.renamingIdentifier
    #expect(name == nil && className == "NSManagedObject" && !isAbstract)
    #expect(userInfo?.isEmpty == true && modifier == nil && renaming == nil)
    #expect(entity.properties.isEmpty && entity.subentities.isEmpty)
    #expect(entity.superentity == nil && entity.indexes.isEmpty)
    #expect(entity.uniquenessConstraints.isEmpty)
    entity.name = "A"
    #expect(entity.renamingIdentifier == "A")
  }

  @Test func anEntityKnowsItsModel() {
    let owner: NSManagedObjectModel = note.managedObjectModel
    #expect(owner === model)
  }

  @Test func anEntityHasAHashOfItsVersion() {
    let hash: Data = note.versionHash
    #expect(hash == model.entityVersionHashesByName["Note"])
    let other = Notes.model()
    other.entities[0].versionHashModifier = "2"
    #expect(other.entities[0].versionHash != hash)
  }

  @Test func entitiesInherit() {
    let (animal, dog) = (NSEntityDescription(), NSEntityDescription())
    (animal.name, dog.name) = ("Animal", "Dog")
    animal.isAbstract = true
    let name = NSAttributeDescription()
    (name.name, name.attributeType) = ("name", .stringAttributeType)
    animal.properties = [name]
    animal.subentities = [dog]
    let _: (NSEntityDescription) -> (NSEntityDescription) -> Bool =
      NSEntityDescription.isKindOf(entity:)
    let above: NSEntityDescription? = dog.superentity
    let below: [String: NSEntityDescription] = animal.subentitiesByName
    #expect(above === animal && below == ["Dog": dog] && animal.subentities == [dog])
    #expect(dog.isKindOf(entity: animal) && !animal.isKindOf(entity: dog))
    #expect(dog.propertiesByName.keys.sorted() == ["name"])
  }

  @Test func propertiesAreListedByKind() throws {
    let properties: [NSPropertyDescription] = note.properties
    let byName: [String: NSPropertyDescription] = note.propertiesByName
    let attributes: [String: NSAttributeDescription] = note.attributesByName
    let relationships: [String: NSRelationshipDescription] = note.relationshipsByName
    let _: (NSEntityDescription) -> (NSEntityDescription) -> [NSRelationshipDescription] =
      NSEntityDescription.relationships(forDestination:)
    #expect(properties.count == 9 && byName.count == 9)
    #expect(attributes.count == 7 && relationships.keys.sorted() == ["folder", "tags"])
    let folder = try #require(model.entitiesByName["Folder"])
    #expect(note.relationships(forDestination: folder).map(\.name) == ["folder"])
  }

  @Test func indexesAndConstraintsAreKept() {
    let entity = NSEntityDescription()
    let title = NSAttributeDescription()
    (title.name, title.attributeType) = ("title", .stringAttributeType)
    entity.properties = [title]
    let element = NSFetchIndexElementDescription(property: title, collationType: .binary)
    entity.indexes = [NSFetchIndexDescription(name: "byTitle", elements: [element])]
    entity.uniquenessConstraints = [["title"], [title]]
    let indexes: [NSFetchIndexDescription] = entity.indexes
    let constraints: [[Any]] = entity.uniquenessConstraints
    #expect(indexes.first?.entity === entity && constraints.count == 2)
  }

  @available(*, deprecated)
  @Test func olderNamesAreKept() throws {
    let other = Notes.model()
    let entity = other.entities[0]
    entity.compoundIndexes = [["title", "rank"]]
    let groups: [[Any]] = entity.compoundIndexes
    #expect(groups.count == 1)
    let copied = try #require(entity.copy() as? NSEntityDescription)
    #expect(copied.compoundIndexes.count == 1)
    let built = try #require(NSManagedObjectModel(byMerging: [other]))
    let index = try #require(built.entitiesByName["Note"]?.indexes.first)
    #expect(index.name == "title_rank")
    #expect(index.elements.map(\.propertyName) == ["title", "rank"])
  }

  @available(*, deprecated)
  @Test func theNameForSpotlightIsKept() {
    let entity = NSEntityDescription()
    let none: NSExpression? = entity.coreSpotlightDisplayNameExpression
    #expect(none == nil)
    entity.coreSpotlightDisplayNameExpression = NSExpression(forKeyPath: "title")
    #expect(entity.coreSpotlightDisplayNameExpression?.keyPath == "title")
  }

  @Test func entitiesAreFoundAndMakeObjects() throws {
    let _: (String, NSManagedObjectContext) -> NSEntityDescription? =
      NSEntityDescription.entity(forEntityName:in:)
    let _: (String, NSManagedObjectContext) -> NSManagedObject =
      NSEntityDescription.insertNewObject(forEntityName:into:)
    let context = try Notes.container().newBackgroundContext()
    #expect(NSEntityDescription.entity(forEntityName: "Note", in: context)?.name == "Note")
    #expect(NSEntityDescription.entity(forEntityName: "None", in: context) == nil)
    #expect(NSEntityDescription.insertNewObject(forEntityName: "Note", into: context) is Note)
  }

  @Test func anEntityIsCopied() throws {
    let copy = try #require(note.copy() as? NSEntityDescription)
    #expect(copy !== note && copy.name == "Note")
    #expect(Set(copy.attributesByName.keys) == Set(note.attributesByName.keys))
  }
}
