// SPDX-License-Identifier: MIT
import SporadesModel
import Testing

@Suite struct CompatibilityTests {
  private func model(
    _ name: EntityDescription..., configurations: [String: [String]] = [:]
  ) throws -> ManagedObjectModel {
    try ManagedObjectModel(entities: name, configurations: configurations)
  }

  private func person(_ change: (inout EntityDescription) -> Void = { _ in }) -> EntityDescription {
    var entity = EntityDescription(
      "Person", attributes: [AttributeDescription("name", .string)],
      relationships: [.toOne("boss", "Person")])
    change(&entity)
    return entity
  }

  @Test func partsThatStoresKeepChangeTheHash() throws {
    let original = try model(person()).entityVersionHashesByName
    let changes: [(inout EntityDescription) -> Void] = [
      { $0.isAbstract = true }, { $0.versionHashModifier = "2" },
      { $0.uniquenessConstraints = [["name"]] }, { $0.attributes[0].isOptional = true },
      { $0.attributes[0].type = .date }, { $0.attributes[0].versionHashModifier = "2" },
      { $0.attributes[0].allowsExternalBinaryDataStorage = true },
      { $0.attributes.append(AttributeDescription("more", .string)) },
      { $0.relationships[0].maxCount = 0 }, { $0.relationships[0].minCount = 1 },
      { $0.relationships[0].isOrdered = true },
    ]
    var hashes: Set = [original]
    for change in changes { hashes.insert(try model(person(change)).entityVersionHashesByName) }
    #expect(hashes.count == changes.count + 1)
    #expect(original["Person"]?.count == 32)
  }

  @Test func partsThatStoresDoNotKeepDoNotChangeTheHash() throws {
    let original = try model(person()).entityVersionHashesByName
    let changes: [(inout EntityDescription) -> Void] = [
      { $0.managedObjectClassName = "Other" }, { $0.renamingIdentifier = "Human" },
      { $0.userInfo = ["a": "b"] }, { $0.indexes = [FetchIndexDescription("i", on: "name")] },
      { $0.attributes[0].defaultValue = "x" }, { $0.attributes[0].validation.minimumLength = 1 },
      { $0.relationships[0].deleteRule = .cascade },
      { $0.attributes.append(AttributeDescription("t", .string, isTransient: true)) },
      { $0.fetchedProperties = [FetchedPropertyDescription("f", FetchRequest("Person"))] },
    ]
    for change in changes {
      #expect(try model(person(change)).entityVersionHashesByName == original)
    }
  }

  @Test func namesTheEntitiesThatDiffer() throws {
    let old = try model(person(), EntityDescription("Gone"), EntityDescription("Same"))
    let new = try model(
      person { $0.attributes[0].isOptional = true }, EntityDescription("New"),
      EntityDescription("Same"))
    let hashes = old.entityVersionHashesByName
    #expect(new.entitiesDiffering(from: hashes) == ["Gone", "New", "Person"])
    #expect(!new.isCompatible(withVersionHashes: hashes))
    #expect(old.isCompatible(withVersionHashes: hashes))
    #expect(old.versionChecksum != new.versionChecksum)
    #expect(old.versionHashesDigest != new.versionHashesDigest)
  }

  @Test func aStoreOfAConfigurationHoldsItsEntitiesAlone() throws {
    let model = try model(person(), EntityDescription("Log"), configurations: ["Logs": ["Log"]])
    let hashes = model.entityVersionHashesByName.filter { $0.key == "Log" }
    #expect(model.isCompatible(withVersionHashes: hashes, inConfiguration: "Logs"))
    #expect(!model.isCompatible(withVersionHashes: hashes))
    #expect(!model.isCompatible(withVersionHashes: hashes, inConfiguration: "Other"))
    #expect(model.entitiesDiffering(from: hashes) == ["Person"])
    #expect(
      model.entities(inConfiguration: ManagedObjectModel.defaultConfigurationName)?.count == 2)
    #expect(model.versionChecksum(inConfiguration: "Logs") != model.versionChecksum)
  }
}
