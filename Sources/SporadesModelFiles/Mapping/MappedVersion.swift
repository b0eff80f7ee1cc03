// SPDX-License-Identifier: MIT
import SporadesArchives
import SporadesModel

/// The entities and properties of a version, as far as Xcode's mapping file tells them.
///
/// The file keeps no version hashes. Versions of one model that agree in all of this differ in traits that no
/// mapping reads.
struct MappedVersion: Hashable {
  /// The traits of a property.
  struct Traits: Hashable {
    var type: Int64?
    var isOptional: Bool?
    var isToMany: Bool?
  }

  /// The own attributes and relationships of each entity, by name.
  let entities: [String: [String: Traits]]

  /// Reads the archive of a version in Xcode's own classes.
  init(_ bytes: [UInt8]) throws(PropertyListError) {
    let archive = try KeyedArchive(bytes)
    var entities: [String: [String: Traits]] = [:]
    for object in try archive.objects(ofClass: "XDPMEntity") {
      if let name = try object["_name"]?.text { entities[name] = [:] }
    }
    for type in ["XDPMAttribute", "XDPMRelationship"] {
      for object in try archive.objects(ofClass: type) {
        guard let place = try Self.place(of: object) else { continue }
        entities[place.entity, default: [:]][place.property] = Traits()
      }
    }
    for object in try archive.objects(ofClass: "XDUMLPropertyImp") {
      try Self.note(object, in: &entities)
    }
    self.entities = entities
  }

  private static func place(
    of property: ArchivedValue
  ) throws(PropertyListError) -> (entity: String, property: String)? {
    guard let name = try property["_name"]?.text,
      let entity = try property["_owner"]?["_name"]?.text
    else { return nil }
    return (entity, name)
  }

  /// Notes a trait, which belongs to a group that belongs to a property.
  private static func note(
    _ object: ArchivedValue, in entities: inout [String: [String: Traits]]
  ) throws(PropertyListError) {
    guard let name = try object["_name"]?.text,
      ["XD_PAttK_attributeType", "XD_PPSK_isOptional", "XD_PRK_isToMany"].contains(name),
      let property = try object["_owner"]?["_owner"], let place = try place(of: property),
      var traits = entities[place.entity]?[place.property], let value = try object["_default"]
    else { return }
    switch name {
    case "XD_PAttK_attributeType": traits.type = value.integer
    case "XD_PPSK_isOptional": traits.isOptional = value.truth
    default: traits.isToMany = value.truth
    }
    entities[place.entity]?[place.property] = traits
  }

  /// The differences from a model, each in words about this version; empty if the model has these entities with these
  /// properties, and no others.
  func differences(from model: ManagedObjectModel) -> [String] {
    let lacking = model.entities.filter { entities[$0.name] == nil }.map { "lacks \($0.name)" }
    let known = Set(model.entities.map(\.name))
    let further = entities.keys.filter { !known.contains($0) }.sorted().map { "has \($0)" }
    let changed = model.entities.filter { entity in
      entities[entity.name].map { $0 != Self.traits(of: entity) } ?? false
    }.map { "has other properties of \($0.name)" }
    return lacking + further + changed
  }

  private static func traits(of entity: EntityDescription) -> [String: Traits] {
    var traits: [String: Traits] = [:]
    for attribute in entity.attributes {
      traits[attribute.name] = Traits(
        type: Int64(attribute.type.rawValue), isOptional: attribute.isOptional)
    }
    for relationship in entity.relationships {
      traits[relationship.name] = Traits(
        isOptional: relationship.isOptional, isToMany: relationship.isToMany)
    }
    return traits
  }
}
