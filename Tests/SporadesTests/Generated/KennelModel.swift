// SPDX-License-Identifier: MIT
// swift-format-ignore-file
import Foundation
import Sporades

/// The model in code.
enum KennelModel {
  static func makeModel() throws -> ManagedObjectModel {
    var entities: [EntityDescription] = []
    entities.append(try entity1())
    entities.append(try entity2())
    entities.append(try entity3())
    entities.append(try entity4())
    entities.append(try entity5())
    var templates: [String: FetchRequest] = [:]
    templates["grown"] = FetchRequest("Dog")
    templates["grown"]!.predicate = try FetchPredicate(format: "age > $least")
    return try ManagedObjectModel(entities: entities, configurations: ["Dogs": ["Dog", "Keeper"], "Rest": ["Set"]], fetchRequestTemplates: templates, versionIdentifiers: ["3"])
  }

  private static func entity1() throws -> EntityDescription {
    var entity = EntityDescription("Beast")
    entity.isAbstract = true
    entity.versionHashModifier = "b"
    entity.renamingIdentifier = "Thing"
    entity.userInfo = ["key": "value"]
    entity.uniquenessConstraints = [["name"], ["age", "born"]]
    entity.attributes.append(AttributeDescription("name", .string, defaultValue: .string("\"é\\\n\u{301}")))
    entity.attributes[0].isIndexedBySpotlight = true
    entity.attributes[0].versionHashModifier = "2"
    entity.attributes[0].renamingIdentifier = "title"
    entity.attributes[0].userInfo = ["a": "1", "b": "2"]
    entity.attributes[0].validation.minimumLength = 1
    entity.attributes[0].validation.maximumLength = 40
    entity.attributes[0].validation.pattern = "[^\\\\\"]+"
    entity.attributes[0].validation.predicates = [try FetchPredicate(format: "SELF != \"x\"")]
    entity.attributes.append(AttributeDescription("age", .integer16, isOptional: true, defaultValue: .integer(-1)))
    entity.attributes[1].validation.minimum = .integer(-5)
    entity.attributes[1].validation.maximum = .integer(300)
    entity.attributes.append(AttributeDescription("photo", .binary, isOptional: true))
    entity.attributes[2].allowsExternalBinaryDataStorage = true
    entity.attributes[2].preservesValueInHistoryOnDeletion = true
    entity.attributes.append(AttributeDescription("born", .date, defaultValue: .date(Date(timeIntervalSinceReferenceDate: 12.5))))
    entity.attributes[3].validation.maximum = .date(Date(timeIntervalSinceReferenceDate: 86400.0))
    entity.attributes.append(AttributeDescription("weight", .decimal, defaultValue: .decimal(Decimal(string: "5")!)))
    entity.attributes[4].validation.minimum = .decimal(Decimal(string: "0.5")!)
    entity.attributes.append(AttributeDescription("place", .composite, isOptional: true))
    entity.attributes[5].elements.append(AttributeDescription("inner", .composite))
    entity.attributes[5].elements[0].elements.append(AttributeDescription("x", .double, defaultValue: .double(0.25)))
    entity.attributes[5].elements.append(AttributeDescription("in", .float, isOptional: true))
    entity.attributes.append(AttributeDescription("default", .boolean, defaultValue: .boolean(true)))
    entity.attributes.append(AttributeDescription("scratch", .integer64, isOptional: true, isTransient: true))
    entity.attributes.append(AttributeDescription("anything", .undefined, isOptional: true, isTransient: true))
    entity.indexes.append(FetchIndexDescription("age", [.init("age")]))
    entity.indexes.append(FetchIndexDescription("both", [.init("name", isAscending: false), .init("age")]))
    entity.indexes.append(FetchIndexDescription("young", [.init("age")], where: try FetchPredicate(format: "age < 3")))
    return entity
  }

  private static func entity2() throws -> EntityDescription {
    var entity = EntityDescription("Dog")
    entity.managedObjectClassName = "Kennel.KennelDog"
    entity.superentityName = "Beast"
    entity.attributes.append(AttributeDescription("count", .integer64, isOptional: true))
    entity.attributes[0].derivationExpression = "tricks.@count"
    entity.attributes.append(AttributeDescription("colors", .transformable, isOptional: true))
    entity.attributes[1].valueTransformerName = "Colors"
    entity.attributes[1].attributeValueClassName = "NSArray"
    entity.relationships.append(.toMany("tricks", "Set", inverse: "dog", isOptional: false, isOrdered: true, deleteRule: .cascade))
    entity.relationships[0].maxCount = 5
    entity.relationships[0].userInfo = ["r": "s"]
    entity.relationships.append(.toOne("handler", "Keeper", inverse: "dogs", deleteRule: .nullify))
    entity.relationships[1].minCount = 1
    entity.fetchedProperties.append(FetchedPropertyDescription("others", FetchRequest("Dog")))
    return entity
  }

  private static func entity3() throws -> EntityDescription {
    var entity = EntityDescription("Keeper")
    entity.attributes.append(AttributeDescription("id", .uuid, defaultValue: .uuid(UUID(uuidString: "00000000-0000-0000-0000-000000000001")!)))
    entity.attributes.append(AttributeDescription("home", .uri, isOptional: true))
    entity.attributes.append(AttributeDescription("String", .string, isOptional: true))
    entity.relationships.append(.toMany("dogs", "Dog", inverse: "handler", isOptional: false, deleteRule: .deny))
    entity.relationships[0].minCount = 1
    entity.relationships.append(.toOne("friend", "Keeper", isOptional: false, deleteRule: .noAction))
    entity.relationships[1].versionHashModifier = "x"
    entity.relationships[1].renamingIdentifier = "pal"
    entity.relationships.append(.toOne("mate", "Keeper", deleteRule: .nullify))
    entity.relationships[2].isTransient = true
    return entity
  }

  private static func entity4() throws -> EntityDescription {
    var entity = EntityDescription("Set")
    entity.attributes.append(AttributeDescription("ratio", .float, defaultValue: .double(0.5)))
    entity.attributes.append(AttributeDescription("total", .double, defaultValue: .double(1e-300)))
    entity.attributes.append(AttributeDescription("small", .integer32))
    entity.attributes.append(AttributeDescription("large", .integer64))
    entity.relationships.append(.toOne("dog", "Dog", inverse: "tricks", isOptional: false, deleteRule: .nullify))
    return entity
  }

  private static func entity5() throws -> EntityDescription {
    let entity = EntityDescription("Hollow")
    return entity
  }
}
