// SPDX-License-Identifier: MIT
import Foundation
import Sporades
import SporadesXcode

// Policies that do what those of the fixtures' projects are named for.

extension MigrationManager {
  /// The object that was made for a key, which the manager's notes keep for the whole migration.
  func object(
    _ key: String, entity: String, _ fill: (ManagedObject) -> Void
  ) throws -> ManagedObject {
    if let known = userInfo["\(entity)/\(key)"] as? ManagedObject { return known }
    let object = try destinationContext.insert(entityNamed: entity)
    fill(object)
    userInfo["\(entity)/\(key)"] = object
    return object
  }

  /// Links the objects that were made from a source with the one object for a value, unless the value is missing.
  func link(
    _ value: Value, _ entity: String, key: String, _ source: ManagedObject,
    _ mapping: EntityMapping, _ link: (ManagedObject, ManagedObject) -> Void
  ) throws {
    guard !value.isNull else { return }
    let object = try object("\(value)", entity: entity) { $0[key] = value }
    for made in destinationInstances(forEntityMappingNamed: mapping.name, sourceInstances: [source])
    {
      link(made, object)
    }
  }
}

/// Makes the continent of a country's code.
final class Country5ToCountry6Policy: EntityMigrationPolicy {
  override func createDestinationInstances(
    forSource source: ManagedObject, in mapping: EntityMapping, manager: MigrationManager
  ) throws {
    try super.createDestinationInstances(forSource: source, in: mapping, manager: manager)
    try manager.link(
      source["isoContinent"], "Continent", key: "numericISO3166Code", source, mapping
    ) { $0.setObject($1, forKey: "continent") }
  }
}

/// Makes the author of a book, and later the file of a book for each of its users.
final class MHWBookToBookPolicy: EntityMigrationPolicy {
  override func createDestinationInstances(
    forSource source: ManagedObject, in mapping: EntityMapping, manager: MigrationManager
  ) throws {
    try super.createDestinationInstances(forSource: source, in: mapping, manager: manager)
    let books = manager.destinationInstances(
      forEntityMappingNamed: mapping.name, sourceInstances: [source])
    for book in books {
      if mapping.userInfo["modelVersion"] == "2" {
        let name = source["authorName"]
        book.add(
          try manager.object("\(name)", entity: "Author") { $0["name"] = name }, to: "authors")
        continue
      }
      for user in source.objects(forKey: "users") {
        let file = try manager.destinationContext.insert(entityNamed: "File")
        file["fileURL"] = source["fileURL"]
        file.setObject(book, forKey: "book")
        let users = manager.destinationInstances(
          forEntityMappingNamed: "UserToUser", sourceInstances: [user])
        file.setObject(users.first, forKey: "user")
      }
    }
  }
}

/// Makes the color of a post.
final class Post2ToPost3MigrationPolicy: EntityMigrationPolicy {
  override func createDestinationInstances(
    forSource source: ManagedObject, in mapping: EntityMapping, manager: MigrationManager
  ) throws {
    try super.createDestinationInstances(forSource: source, in: mapping, manager: manager)
    for post in manager.destinationInstances(
      forEntityMappingNamed: mapping.name, sourceInstances: [source])
    {
      let color = try manager.destinationContext.insert(entityNamed: "Color")
      color["colorID"] = .string(UUID().uuidString)
      color["hex"] = source["hexColor"]
      post.setObject(color, forKey: "color")
    }
  }
}

/// Makes the maker of a car.
final class V2to3MakerPolicy: EntityMigrationPolicy {
  override func createDestinationInstances(
    forSource source: ManagedObject, in mapping: EntityMapping, manager: MigrationManager
  ) throws {
    try super.createDestinationInstances(forSource: source, in: mapping, manager: manager)
    try manager.link(source["maker"], "Maker", key: "name", source, mapping) {
      $1.add($0, to: "cars")
    }
  }
}

/// Gives an attachment with an image its caption and size.
final class AttachmentToImageAttachmentMigrationPolicyV3toV4: EntityMigrationPolicy {
  override func createDestinationInstances(
    forSource source: ManagedObject, in mapping: EntityMapping, manager: MigrationManager
  ) throws {
    try super.createDestinationInstances(forSource: source, in: mapping, manager: manager)
    for attachment in manager.destinationInstances(
      forEntityMappingNamed: mapping.name, sourceInstances: [source])
    {
      if case .data(let image) = source["image"] {
        attachment["width"] = .double(Double(image.count))
      }
      attachment["caption"] = source.object(forKey: "note")?["body"] ?? ""
    }
  }
}

/// Gives a creature a tail and a spine if it has flippers.
final class Advanced_EvolutionDemo_V2_FromV1MigrationPolicy: EntityMigrationPolicy {
  override func createDestinationInstances(
    forSource source: ManagedObject, in mapping: EntityMapping, manager: MigrationManager
  ) throws {
    try super.createDestinationInstances(forSource: source, in: mapping, manager: manager)
    for creature in manager.destinationInstances(
      forEntityMappingNamed: mapping.name, sourceInstances: [source])
    {
      let isPrimitive = source["numberOfFlagella"] == 0
      creature["hasTail"] = .boolean(!isPrimitive)
      creature["hasVertebrae"] = .boolean(!isPrimitive)
    }
  }
}

extension MigrationManager {
  /// Registers the policies of all fixtures.
  func registerFixturePolicies() {
    let types: [EntityMigrationPolicy.Type] = [
      Country5ToCountry6Policy.self, MHWBookToBookPolicy.self,
      Post2ToPost3MigrationPolicy.self, V2to3MakerPolicy.self,
      AttachmentToImageAttachmentMigrationPolicyV3toV4.self,
      Advanced_EvolutionDemo_V2_FromV1MigrationPolicy.self,
    ]
    for type in types { register(type) }
  }
}
