// SPDX-License-Identifier: MIT
import Foundation
import SporadesModel
import SporadesTesting
import Testing

@testable import SporadesArchives

/// A model goes into an archive and comes out again.
@Suite struct ModelArchiveTests {
  /// A model with every construct that an archive can hold.
  static func model() throws -> ManagedObjectModel {
    let id = UUID(uuid: (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16))
    var name = AttributeDescription("name", .string, defaultValue: "Rex é")
    name.userInfo = ["key": "value"]
    name.versionHashModifier = "2"
    name.renamingIdentifier = "title"
    name.preservesValueInHistoryOnDeletion = true
    name.isIndexedBySpotlight = true
    name.validation.minimumLength = 1
    name.validation.maximumLength = 40
    var age = AttributeDescription("age", .integer16, isOptional: true, defaultValue: .integer(-1))
    age.validation.minimum = .integer(-5)
    age.validation.maximum = .integer(300)
    var photo = AttributeDescription("photo", .binary, isOptional: true)
    photo.allowsExternalBinaryDataStorage = true
    var tags = AttributeDescription("tags", .transformable, isOptional: true)
    tags.valueTransformerName = "Tags"
    var place = AttributeDescription("place", .composite, isOptional: true)
    place.elements = [
      AttributeDescription("x", .double, defaultValue: .double(0.5)),
      AttributeDescription("y", .double),
    ]
    var count = AttributeDescription("count", .integer64, isOptional: true)
    count.derivationExpression = "count:(pets)"
    let born = AttributeDescription(
      "born", .date, isOptional: true,
      defaultValue: .date(Date(timeIntervalSinceReferenceDate: 12.5)))
    var being = EntityDescription(
      "Being",
      attributes: [
        name, age, photo, tags, place, born,
        AttributeDescription("seen", .boolean, isTransient: true),
        AttributeDescription("id", .uuid, defaultValue: .uuid(id)),
      ], isAbstract: true, uniquenessConstraints: [["name"]],
      indexes: [
        .init("byAge", [.init("age", isAscending: false), .init("name")], where: nil),
        .init("name", on: "name"), .init("kind", [.init("entity")]),
      ])
    being.userInfo = ["a": "b"]
    var owner = EntityDescription(
      "Owner", attributes: [count],
      relationships: [
        .toMany("pets", "Pet", inverse: "owner", isOrdered: true, deleteRule: .cascade)
      ], superentityName: "Being")
    var request = FetchRequest(
      "Pet", where: try FetchPredicate(format: "owner == $FETCH_SOURCE AND name LIKE[c] 'R*'"))
    request.sortTerms = [SortTerm("name", ascending: false, options: .caseInsensitive)]
    owner.fetchedProperties = [FetchedPropertyDescription("friends", request)]
    owner.managedObjectClassName = "App.Owner"
    let pet = EntityDescription(
      "Pet", relationships: [.toOne("owner", "Owner", inverse: "pets", deleteRule: .deny)],
      superentityName: "Being")
    return try ManagedObjectModel(
      entities: [being, owner, pet], configurations: ["Local": ["Pet"]],
      fetchRequestTemplates: [
        "old": FetchRequest(
          "Being", where: try FetchPredicate(format: "age > 10 OR NOT age == nil")),
        "computed": FetchRequest(
          "Owner",
          where: try FetchPredicate(
            format: "lowercase:(name) == 'a' AND age * 2 - 1 > pets.@count AND pets.@max.age < 7"),
          sortedBy: [SortTerm("name", ascending: false, collation: .localizedStandard)]),
      ], versionIdentifiers: ["7"])
  }

  @Test func comesOutAsItWentIn() throws {
    let model = try Self.model()
    let (bytes, omissions) = ModelArchiver.archive(model)
    #expect(omissions.map(\.description) == [])
    let reading = try ModelUnarchiver.read(bytes, source: "test")
    #expect(reading.warnings.map(\.description) == [])
    let read = reading.model
    #expect(read.entityVersionHashesByName == model.entityVersionHashesByName)
    #expect(read.configurations == model.configurations)
    #expect(read.fetchRequestTemplates == model.fetchRequestTemplates)
    #expect(read.versionIdentifiers == model.versionIdentifiers)
    for entity in model.entities {
      var expected = entity
      expected.attributes.sort { $0.name < $1.name }
      #expect(read.entitiesByName[entity.name] == expected)
    }
    #expect(ModelArchiver.archive(model).bytes == bytes)
  }

  /// In a compiled file, each property is in the entity that declares it.
  @Test func comesOutOfACompiledFileAsItWentIn() throws {
    let model = try Self.model()
    let (bytes, omissions) = ModelArchiver.archive(model, form: .compiled)
    #expect(omissions.map(\.description) == [])
    #expect(bytes.count < ModelArchiver.archive(model).bytes.count)
    let read = try ModelUnarchiver.read(bytes, source: "test").model
    #expect(read.differences(from: model).description == "")
  }

  @Test func survivesCompression() throws {
    let model = try Self.model()
    let deflated = try ModelArchiver.deflated(model)
    #expect(deflated.count < ModelArchiver.archive(model).bytes.count)
    let read = try ModelUnarchiver.read(deflated: deflated, source: "test").model
    #expect(read.versionChecksum == model.versionChecksum)
  }

  @Test func partsWithoutAKnownFormAreLeftOutAndNamed() throws {
    var name = AttributeDescription("name", .string)
    name.validation.pattern = "a+"
    let price = AttributeDescription("price", .decimal, defaultValue: .decimal(1))
    let entity = EntityDescription(
      "A", attributes: [name, price],
      indexes: [
        .init("some", [.init("name")], where: try FetchPredicate(format: "name BEGINSWITH 'a'"))
      ])
    let model = try ManagedObjectModel(entities: [entity])
    let (bytes, omissions) = ModelArchiver.archive(model)
    #expect(omissions.map(\.property) == ["name", "price", nil])
    #expect(omissions.map(\.code) == [.invalidBounds, .invalidDefault, .invalidPredicate])
    let read = try ModelUnarchiver.read(bytes, source: "test").model
    #expect(read.versionChecksum == model.versionChecksum)
    #expect(read.entities[0].indexes == [])
  }

  @Test func fetchedPropertiesWithoutAKnownFormAreLeftOut() throws {
    var base = EntityDescription("A", attributes: [AttributeDescription("name", .string)])
    let strange = FetchRequest("A", where: try FetchPredicate(format: "name BEGINSWITH 'a'"))
    base.fetchedProperties = [
      FetchedPropertyDescription("all", FetchRequest("A")),
      FetchedPropertyDescription("some", strange),
    ]
    let model = try ManagedObjectModel(entities: [
      base, EntityDescription("B", superentityName: "A"),
    ])
    let (bytes, omissions) = ModelArchiver.archive(model)
    #expect(omissions.map(\.entity) == ["A", "B"])
    #expect(omissions.map(\.property) == ["some", "some"])
    let reading = try ModelUnarchiver.read(bytes, source: "test")
    #expect(reading.warnings.map(\.description) == [])
    #expect(reading.model.entitiesByName["A"]?.propertyNames == ["name", "all"])
    #expect(reading.model.entitiesByName["B"]?.propertyNames == [])
    #expect(reading.model.versionChecksum == model.versionChecksum)
  }
}
