// SPDX-License-Identifier: MIT
import SporadesModel
import Testing

/// Which part of an older version continues in a newer one, by the renaming identifiers of both.
@Suite struct RenamingTests {
  /// Attributes of one entity: `a`, or `b<a` for one with an identifier.
  private static func attributes(_ text: String) -> [AttributeDescription] {
    text.split(separator: " ").map { part in
      let names = part.split(separator: "<").map(String.init)
      var attribute = AttributeDescription(names[0], .string, isOptional: true)
      attribute.renamingIdentifier = names.count > 1 ? names[1] : nil
      return attribute
    }
  }

  private static func evolution(_ old: String, _ new: String) throws -> ModelEvolution {
    // In a superentity, whose identifiers no rule of a model compares with those of its subentity.
    func model(_ text: String) throws -> ManagedObjectModel {
      let parts = attributes(text)
      let half = parts.count / 2
      return try ManagedObjectModel(entities: [
        EntityDescription("Animal", attributes: Array(parts[..<half])),
        EntityDescription(
          "Pet", attributes: Array(parts[half...]), superentityName: "Animal"),
      ])
    }
    return ModelEvolution(from: try model(old), to: try model(new))
  }

  @Test(arguments: [
    ("old<new", "new", "new=old"), ("a", "b<a", "b=a"), ("b<a", "c<a", "c=b"),
    ("b<a", "c<b", "c=b"), ("a<b", "b<a", "b=a"), ("a<x", "b<x", "b=a"),
    // The name that a renamed part left is free, in the older version as well as in the newer one.
    ("a", "a b<a", "b=a"), ("a b<a", "a c<a", "a=a c=b"), ("b<a", "a b<a", "b=b"),
    // A part stays itself if its name is still there.
    ("a b<a", "a", "a=a"), ("a b<a", "b", "b=b"), ("a<b b<a", "a b", "a=a b=b"),
    ("b<a", "a b", "b=b"), ("b<a a", "b c<a", "b=b c=a"),
    // An identifier that nothing has falls back to the name.
    ("a", "a<x", "a=a"), ("a<x", "a", "a=a"),
  ])
  func partsAreFoundByTheIdentifiersOfBothVersions(
    _ old: String, _ new: String, _ pairs: String
  ) throws {
    let evolution = try Self.evolution(old, new)
    let found = Self.attributes(new).compactMap { attribute in
      evolution.source(ofAttribute: attribute.name, in: "Pet").map { "\(attribute.name)=\($0)" }
    }
    #expect(found.sorted().joined(separator: " ") == pairs)
    #expect(evolution.doubts.isEmpty)
  }

  @Test(arguments: [
    ("a<x b<x", "x", "x"), ("a<x b<x", "c<x", "c"), ("a b<a", "c<a", "c"),
    ("a", "b<a c<a", "b c"), ("z<a", "b<a c<a", "b c"),
  ])
  func partsInDoubtAreNamedAndNotPaired(_ old: String, _ new: String, _ doubt: String) throws {
    let evolution = try Self.evolution(old, new)
    #expect(evolution.doubts.map { $0.new.sorted().joined(separator: " ") } == [doubt])
    for name in doubt.split(separator: " ") {
      #expect(evolution.source(ofAttribute: String(name), in: "Pet") == nil)
      #expect(evolution.doubts[0].sentence.contains(".\(name)"))
    }
  }

  @Test func entitiesAndRelationshipsAreFoundByTheIdentifierOfTheOlderVersion() throws {
    var animal = EntityDescription("Animal", relationships: [.toMany("humans", "Person")])
    animal.renamingIdentifier = "Pet"
    animal.relationships[0].renamingIdentifier = "owners"
    let old = try ManagedObjectModel(entities: [animal, EntityDescription("Person")])
    let new = try ManagedObjectModel(entities: [
      EntityDescription("Pet", relationships: [.toMany("owners", "Person")]),
      EntityDescription("Person"),
    ])
    let evolution = ModelEvolution(from: old, to: new)
    #expect(evolution.source(ofEntity: "Pet") == "Animal")
    #expect(evolution.successor(ofEntity: "Animal") == "Pet")
    #expect(evolution.source(ofRelationship: "owners", in: "Pet") == "humans")
    #expect(new.differences(from: old).entities.map(\.kind) == [.renamed])
  }

  @Test func aMemberOfACompositeIsNamedByTheOlderVersion() throws {
    var place = AttributeDescription("place", .composite, isOptional: true)
    place.elements = Self.attributes("city<town zip")
    var flat = Self.attributes("street<place.zip")
    let evolution = ModelEvolution(
      from: try ManagedObjectModel(entities: [
        EntityDescription("Pet", attributes: Self.attributes("road<place.street") + [place])
      ]),
      to: try ManagedObjectModel(entities: [
        EntityDescription(
          "Pet",
          attributes: {
            place.elements = Self.attributes("town street")
            flat[0].name = "code"
            return flat + [place]
          }())
      ]))
    #expect(evolution.source(ofAttribute: "place.town", in: "Pet") == "place.city")
    #expect(evolution.source(ofAttribute: "place.street", in: "Pet") == "road")
    #expect(evolution.source(ofAttribute: "code", in: "Pet") == "place.zip")
  }
}
