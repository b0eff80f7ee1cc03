// SPDX-License-Identifier: MIT
import SporadesModel
import Testing

@Suite struct NameValidationTests {
  @Test func acceptsASoundModel() {
    #expect(
      problems(
        EntityDescription(
          "Person", attributes: [AttributeDescription("name", .string)],
          relationships: [.toMany("pets", "Pet", inverse: "owner")]),
        EntityDescription(
          "Pet", relationships: [.toOne("owner", "Person", inverse: "pets")])) == [])
  }

  @Test func reportsTwoEntitiesOfOneName() {
    #expect(problems(EntityDescription("A"), EntityDescription("A")) == ["duplicateName A"])
  }

  @Test func reportsEntitiesThatDifferInCaseAlone() {
    #expect(problems(EntityDescription("Pet"), EntityDescription("PET")) == ["duplicateName PET"])
  }

  @Test func reportsTwoPropertiesOfOneName() {
    let entity = EntityDescription(
      "A", attributes: [AttributeDescription("b", .string)], relationships: [.toOne("b", "A")])
    #expect(problems(entity) == ["duplicateName A.b"])
  }

  @Test func reportsPropertiesThatAreInherited() {
    #expect(
      problems(
        EntityDescription("Top", attributes: [AttributeDescription("b", .string)]),
        EntityDescription("Middle", superentityName: "Top"),
        EntityDescription(
          "Low", attributes: [AttributeDescription("b", .string)], superentityName: "Middle"))
        == ["duplicateName Low.b"])
  }

  @Test func siblingsMayShareNames() {
    #expect(
      problems(
        EntityDescription("Top"),
        EntityDescription(
          "A", attributes: [AttributeDescription("b", .string)], superentityName: "Top"),
        EntityDescription(
          "B", attributes: [AttributeDescription("b", .date)], superentityName: "Top")) == [])
  }

  @Test(
    arguments: [
      "objectID", "entity", "managedObjectContext", "isInserted", "isUpdated", "isDeleted",
      "isFault", "hasChanges", "description", "hash", "self", "class", "zone", "_pk",
    ])
  func reportsReservedPropertyNames(name: String) {
    let entity = EntityDescription("A", attributes: [AttributeDescription(name, .string)])
    #expect(problems(entity) == ["reservedName A.\(name)"])
  }

  @Test(arguments: ["_PrimaryKey", "_metadata", "_ModelCache", "_1Pets", "_RT_A"])
  func reportsEntityNamesThatAreTablesOfTheStore(name: String) {
    #expect(problems(EntityDescription(name)) == ["reservedName \(name)"])
  }

  @Test(arguments: ["1a", "a b", "a.b", "a-b", "\"", "a\u{0}", "🐶"])
  func reportsNamesThatAreNotIdentifiers(name: String) {
    let entity = EntityDescription(
      "A", attributes: [AttributeDescription(name, .string)],
      relationships: [])
    #expect(problems(entity) == ["invalidName A.\(name)"])
    #expect(problems(EntityDescription(name)) == ["invalidName \(name)"])
  }

  @Test func reportsEmptyNames() {
    #expect(problems(EntityDescription("")).map { $0.prefix(11) } == ["invalidName"])
  }

  @Test func acceptsNamesInAnyScript() {
    #expect(
      problems(
        EntityDescription("Бук", attributes: [AttributeDescription("_größe", .double)])) == [])
  }

  @Test func reportsMissingSuperentities() {
    #expect(problems(EntityDescription("A", superentityName: "B")) == ["missingSuperentity A"])
  }

  @Test func reportsEachEntityOfAnInheritanceCycle() {
    #expect(
      problems(
        EntityDescription("A", superentityName: "C"), EntityDescription("B", superentityName: "A"),
        EntityDescription("C", superentityName: "B"), EntityDescription("D", superentityName: "A"))
        == ["inheritanceCycle A", "inheritanceCycle B", "inheritanceCycle C"])
    #expect(problems(EntityDescription("A", superentityName: "A")) == ["inheritanceCycle A"])
  }

  @Test func reportsTreesThatAreTooDeep() {
    let entities = (0..<4000).map {
      EntityDescription("E\($0)", superentityName: $0 == 0 ? nil : "E\($0 - 1)")
    }
    let error = #expect(throws: ModelError.self) { try ManagedObjectModel(entities: entities) }
    #expect(error?.problems.first?.code == .tooLarge)
    #expect(error?.problems.first?.entity == "E250")
  }

  @Test func reportsModelsWithMoreEntitiesThanKeysCanName() throws {
    let entities = (0...RowKey.largestEntity).map { EntityDescription("E\($0)") }
    let error = #expect(throws: ModelError.self) { try ManagedObjectModel(entities: entities) }
    #expect(error?.problems.map(\.code) == [.tooLarge])
    let model = try ManagedObjectModel(entities: Array(entities.dropLast()))
    #expect(model.shapes.count == RowKey.largestEntity)
  }
}
