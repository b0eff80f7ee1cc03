// SPDX-License-Identifier: MIT
import Foundation
import SporadesMissingFoundation
import SporadesModel

/// Makes Core Data's descriptions of a model of the library.
struct DescriptionReader {
  private(set) var entities: [NSEntityDescription] = []

  init(_ model: ManagedObjectModel) {
    entities = model.entities.map(Self.entity)
    let known = Dictionary(uniqueKeysWithValues: entities.map { ($0.requiredName, $0) })
    let heirs = Dictionary(grouping: zip(entities, model.entities)) { $0.1.superentityName ?? "" }
    for entity in entities { entity.subentities = heirs[entity.requiredName]?.map(\.0) ?? [] }
    for (entity, described) in zip(entities, model.entities) {
      let own = Dictionary(uniqueKeysWithValues: entity.own.map { ($0.name, $0) })
      for relationship in described.relationships {
        guard let new = own[relationship.name] as? NSRelationshipDescription else { continue }
        let destination = known[relationship.destinationEntityName]
        new.destinationEntity = destination
        new.inverseRelationship = relationship.inverseName.flatMap {
          destination?.propertiesByName[$0] as? NSRelationshipDescription
        }
      }
    }
  }

  private static func entity(_ described: EntityDescription) -> NSEntityDescription {
    let entity = NSEntityDescription()
    entity.name = described.name
    entity.managedObjectClassName = described.managedObjectClassName ?? "NSManagedObject"
    entity.isAbstract = described.isAbstract
    entity.userInfo = described.userInfo
    entity.versionHashModifier = described.versionHashModifier
    entity.renamingIdentifier = described.renamingIdentifier
    entity.uniquenessConstraints = described.uniquenessConstraints
    entity.indexes = described.indexes.map(NSFetchIndexDescription.reading)
    entity.properties =
      described.attributes.map(NSAttributeDescription.reading)
      + described.relationships.map(NSRelationshipDescription.reading)
      + described.fetchedProperties.map { property in
        let new = NSFetchedPropertyDescription()
        new.name = property.name
        new.isOptional = property.isOptional
        new.userInfo = property.userInfo
        new.fetchRequest = NSFetchRequest(property.request, in: nil)
        return new
      }
    return entity
  }
}
