// SPDX-License-Identifier: MIT
import SporadesModel
import Testing

/// The model of a store is found among several by the hashes in the store's metadata.
@Suite struct StoreMetadataMergingTests {
  private func model(_ entities: EntityDescription...) throws -> ManagedObjectModel {
    try ManagedObjectModel(entities: entities, versionIdentifiers: ["\(entities.map(\.name))"])
  }

  private func metadata(_ models: ManagedObjectModel...) -> [String: MetadataValue] {
    var hashes: [String: MetadataValue] = [:]
    for model in models {
      for (name, hash) in model.entityVersionHashesByName { hashes[name] = .data(hash) }
    }
    return ["NSStoreModelVersionHashes": .dictionary(hashes)]
  }

  private let first = EntityDescription("User", attributes: [AttributeDescription("name", .string)])
  private let second = EntityDescription(
    "User",
    attributes: [AttributeDescription("name", .string), AttributeDescription("age", .integer16)])
  private let pet = EntityDescription("Pet")

  @Test func theVersionOfTheStoreIsTaken() throws {
    let (old, new) = (try model(first, pet), try model(second, pet))
    #expect(try ManagedObjectModel(byMerging: [old, new], forStoreMetadata: metadata(new)) == new)
    #expect(try ManagedObjectModel(byMerging: [old, new], forStoreMetadata: metadata(old)) == old)
  }

  /// A store of two parts, each in two versions.
  @Test func partsOfSeveralModelsAreMerged() throws {
    let (old, new) = (try model(first), try model(second))
    let tags = try model(EntityDescription("Tag"))
    let merged = try #require(
      try ManagedObjectModel(byMerging: [old, new, tags], forStoreMetadata: metadata(new, tags)))
    #expect(merged.entities.map(\.name) == ["User", "Tag"])
    #expect(merged.entitiesByName["User"]?.attributes.count == 2)
    #expect(merged.versionIdentifiers == new.versionIdentifiers.union(tags.versionIdentifiers))
  }

  /// No model has all its entities in the store, so each entity is taken by its own hash.
  @Test func singleEntitiesAreTakenWhereNoModelFitsAsAWhole() throws {
    let one = try model(first, EntityDescription("Other"))
    let two = try model(pet, EntityDescription("Another"))
    let merged = try #require(
      try ManagedObjectModel(
        byMerging: [one, two], forStoreMetadata: metadata(try model(first), try model(pet))))
    #expect(merged.entities.map(\.name) == ["User", "Pet"])
  }

  /// The part of a whole model brings its defaults, which no hash contains.
  @Test func aModelThatFitsAsAWholeComesBeforeOneWithAnEqualEntity() throws {
    var changed = pet
    changed.attributes = [AttributeDescription("mood", .string, defaultValue: "calm")]
    var former = pet
    former.attributes = [AttributeDescription("mood", .string, defaultValue: "wild")]
    let mixed = try model(former, EntityDescription("Other"))
    let whole = try model(changed)
    let user = try model(first)
    let merged = try #require(
      try ManagedObjectModel(
        byMerging: [mixed, whole, user], forStoreMetadata: metadata(whole, user)))
    #expect(merged.entitiesByName["Pet"]?.attributes.first?.defaultValue == "calm")
  }

  @Test func nothingIsMadeWhereAnEntityIsMissing() throws {
    let (old, new) = (try model(first, pet), try model(second, pet))
    #expect(try ManagedObjectModel(byMerging: [old], forStoreMetadata: metadata(new)) == nil)
    #expect(try ManagedObjectModel(byMerging: [], forStoreMetadata: metadata(new)) == nil)
    #expect(try ManagedObjectModel(byMerging: [new], forStoreMetadata: [:]) == nil)
  }

  /// An entity of the store leads to one that is in another model, and in no version that the store has.
  @Test func entitiesThatDoNotFitTogetherAreAnError() throws {
    let owner = EntityDescription("Owner", relationships: [.toOne("pet", "Pet")])
    let whole = try model(owner, pet, EntityDescription("More"))
    var hashes = whole.entityVersionHashesByName
    (hashes["Pet"], hashes["More"]) = (nil, nil)
    let metadata = [
      "NSStoreModelVersionHashes": MetadataValue.dictionary(hashes.mapValues { .data($0) })
    ]
    let error = #expect(throws: ModelError.self) {
      try ManagedObjectModel(byMerging: [whole], forStoreMetadata: metadata)
    }
    #expect(error?.problems.map(\.code) == [.missingDestination])
  }
}
