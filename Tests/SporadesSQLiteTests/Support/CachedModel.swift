// SPDX-License-Identifier: MIT
import SporadesModel

/// The model a store carries within itself, for stores whose Xcode model is not to be had.
enum CachedModel {
  static func model(_ cache: [UInt8]) throws -> ManagedObjectModel? {
    guard let bytes = Inflation.bytes(of: cache), let archive = KeyedArchive(bytes) else {
      return nil
    }
    let entities = archive.entries(archive.fields(archive.root)["NSEntities"]).map { $0.1 }
    return try ManagedObjectModel(entities: entities.map { entity($0, archive) })
  }

  private static func entity(
    _ node: KeyedArchive.Node, _ archive: KeyedArchive
  ) -> EntityDescription {
    let fields = archive.fields(node)
    let above = archive.fields(fields["NSSuperentity"])
    let inherited = Set(archive.entries(above["NSProperties"]).map(\.0))
    var entity = EntityDescription(
      archive.text(fields["NSEntityName"]) ?? "",
      superentityName: archive.text(above["NSEntityName"]),
      isAbstract: archive.integer(fields["NSIsAbstract"]) != 0)
    entity.versionHashModifier = archive.text(fields["NSVersionHashModifier"])
    entity.uniquenessConstraints = archive.list(fields["NSUniqueTuples"]).map { tuple in
      archive.list(tuple).compactMap { archive.text($0) }
    }
    for (name, node) in archive.entries(fields["NSProperties"]) where !inherited.contains(name) {
      var property = node
      while archive.className(property) == "_NSPropertyDescriptionProxy" {
        property = archive.fields(property)["NSUnderlyingProperty"] ?? .nothing
      }
      switch archive.className(property) {
      case "NSAttributeDescription":
        entity.attributes.append(attribute(name, archive.fields(property), archive))
      case "NSRelationshipDescription":
        entity.relationships.append(relationship(name, archive.fields(property), archive))
      default: break
      }
    }
    return entity
  }

  private static func attribute(
    _ name: String, _ fields: [String: KeyedArchive.Node], _ archive: KeyedArchive
  ) -> AttributeDescription {
    let type = AttributeType(rawValue: Int32(archive.integer(fields["NSAttributeType"])))
    var attribute = AttributeDescription(
      name, type ?? .undefined, isOptional: archive.integer(fields["NSIsOptional"]) != 0,
      isTransient: archive.integer(fields["NSIsTransient"]) != 0)
    let flags = archive.integer(fields["NSFlagsKey"])
    attribute.allowsExternalBinaryDataStorage = flags & 4 != 0
    attribute.preservesValueInHistoryOnDeletion = flags & 16 != 0
    attribute.versionHashModifier = archive.text(fields["NSVersionHashModifier"])
    return attribute
  }

  private static func relationship(
    _ name: String, _ fields: [String: KeyedArchive.Node], _ archive: KeyedArchive
  ) -> RelationshipDescription {
    let destination =
      archive.text(fields["_NSDestinationEntityName"])
      ?? archive.text(archive.fields(fields["NSDestinationEntity"])["NSEntityName"]) ?? ""
    let inverse =
      archive.text(fields["_NSInverseRelationshipName"])
      ?? archive.text(archive.fields(fields["NSInverseRelationship"])["NSPropertyName"])
    var relationship = RelationshipDescription.toMany(
      name, destination, inverse: inverse,
      isOptional: archive.integer(fields["NSIsOptional"]) != 0,
      isOrdered: archive.integer(fields["NSIsOrdered"]) != 0)
    relationship.isTransient = archive.integer(fields["NSIsTransient"]) != 0
    relationship.maxCount = archive.integer(fields["NSMaxCount"])
    relationship.minCount = archive.integer(fields["NSMinCount"])
    relationship.versionHashModifier = archive.text(fields["NSVersionHashModifier"])
    return relationship
  }
}
