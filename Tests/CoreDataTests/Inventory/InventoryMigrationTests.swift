// SPDX-License-Identifier: MIT
import CoreData
import Foundation
import Testing

/// Chapter 1.9 of the inventory: migrations.
@Suite struct InventoryMigrationTests {
  let model = Notes.model()
  let newer: NSManagedObjectModel

  init() throws {
    newer = Notes.model()
    let pages = NSAttributeDescription()
    (pages.name, pages.attributeType) = ("pages", .integer16AttributeType)
    let note = try #require(newer.entitiesByName["Note"])
    note.properties += [pages]
  }

  // MARK: - Mappings

  @Test func mappingModelsComeFromFilesAndInference() throws {
    let _: ([Bundle]?, NSManagedObjectModel?, NSManagedObjectModel?) -> NSMappingModel? =
      NSMappingModel.init(from:forSourceModel:destinationModel:)
    let _: (URL?) -> NSMappingModel? = NSMappingModel.init(contentsOf:)
    let _: (NSManagedObjectModel, NSManagedObjectModel) throws -> NSMappingModel =
      NSMappingModel.inferredMappingModel(forSourceModel:destinationModel:)
    #expect(NSMappingModel(contentsOf: nil) == nil)
    let inferred = try NSMappingModel.inferredMappingModel(
      forSourceModel: model, destinationModel: newer)
    let mappings: [NSEntityMapping] = inferred.entityMappings
    let byName: [String: NSEntityMapping] = inferred.entityMappingsByName
    #expect(mappings.count == 3 && byName.count == 3)
    let note = try #require(mappings.first { $0.destinationEntityName == "Note" })
    #expect(note.mappingType == .transformEntityMappingType)
    #expect(note.attributeMappings?.contains { $0.name == "title" } == true)
  }

  @Test func mappingsHaveTheirParts() {
    let kinds: [NSEntityMappingType] = [
      .undefinedEntityMappingType, .customEntityMappingType, .addEntityMappingType,
      .removeEntityMappingType, .copyEntityMappingType, .transformEntityMappingType,
    ]
    #expect(kinds.map(\.rawValue) == [0, 1, 2, 3, 4, 5])
    let mapping = NSEntityMapping()
    mapping.name = "NoteToNote"
    mapping.mappingType = .customEntityMappingType
    (mapping.sourceEntityName, mapping.destinationEntityName) = ("Note", "Page")
    (mapping.sourceEntityVersionHash, mapping.destinationEntityVersionHash) = (Data([1]), nil)
    mapping.entityMigrationPolicyClassName = "Policy"
    mapping.userInfo = ["a": "b"]
    let property = NSPropertyMapping()
    (property.name, property.userInfo) = ("title", ["c": "d"])
    mapping.attributeMappings = [property]
    mapping.relationshipMappings = []
    let texts: [String?] = [
      mapping.name, mapping.sourceEntityName, mapping.destinationEntityName,
      mapping.entityMigrationPolicyClassName, property.name,
    ]
    #expect(texts == ["NoteToNote", "Note", "Page", "Policy", "title"])
    let hashes: [Data?] = [mapping.sourceEntityVersionHash, mapping.destinationEntityVersionHash]
    let notes: [[AnyHashable: Any]?] = [mapping.userInfo, property.userInfo]
    let lists: [[NSPropertyMapping]?] = [mapping.attributeMappings, mapping.relationshipMappings]
    #expect(hashes == [Data([1]), nil] && notes.map { $0?.count } == [1, 1])
    #expect(lists == [[property], []])
  }

  @available(*, deprecated)
  @Test func mappingsHaveExpressions() {
    let property = NSPropertyMapping()
    let none: NSExpression? = property.valueExpression
    #expect(none == nil)
    property.valueExpression = NSExpression(format: "$source.title")
    #expect(property.valueExpression?.description == "$source.title")
  }

  @Test func aMappingHasTheTextOfItsFetch() {
    let mapping = NSEntityMapping()
    #expect(mapping.sourceExpressionText == nil)
    let request = NSMigrationManager.requestText
    mapping.sourceExpressionText = "FETCH(\(request), $manager.sourceContext, NO)"
    #expect(mapping.sourceExpressionText == "FETCH(\(request), $manager.sourceContext, NO)")
  }

  // MARK: - Managers

  @Test func aManagerHasItsParts() {
    typealias Manager = NSMigrationManager
    typealias Options = [AnyHashable: Any]
    let _:
      (Manager) -> (URL, String, Options?, NSMappingModel?, URL, String, Options?) throws -> Void =
        Manager.migrateStore(
          from:sourceType:options:with:toDestinationURL:destinationType:destinationOptions:)
    let _: (Manager) -> (NSEntityMapping) -> NSEntityDescription? = Manager.sourceEntity(for:)
    let _: (Manager) -> (NSManagedObject, NSManagedObject, NSEntityMapping) -> Void =
      Manager.associate(sourceInstance:withDestinationInstance:for:)
    typealias Instances = (Manager) -> (String, [NSManagedObject]?) -> [NSManagedObject]
    let _: Instances = Manager.destinationInstances(forEntityMappingName:sourceInstances:)
    let _: Instances = Manager.sourceInstances(forEntityMappingName:destinationInstances:)
    let _: (Manager) -> (any Error) -> Void = Manager.cancelMigrationWithError
    let _: (Manager) -> NSEntityMapping = { $0.currentEntityMapping }
    let manager = Manager(sourceModel: model, destinationModel: newer)
    let models: [NSManagedObjectModel] = [manager.sourceModel, manager.destinationModel]
    let contexts: [NSManagedObjectContext] = [manager.sourceContext, manager.destinationContext]
    let mappings: NSMappingModel = manager.mappingModel
    let progress: Float = manager.migrationProgress
    let userInfo: [AnyHashable: Any]? = manager.userInfo
    #expect(models[0] === model && models[1] === newer && contexts.count == 2)
    #expect(mappings.entityMappings.isEmpty && progress == 0 && userInfo == nil)
    #expect(manager.usesStoreSpecificMigrationManager)
    let mapping = NSEntityMapping()
    (mapping.sourceEntityName, mapping.destinationEntityName) = ("Note", "Note")
    #expect(manager.sourceEntity(for: mapping) === model.entitiesByName["Note"])
    #expect(manager.destinationEntity(for: mapping) === newer.entitiesByName["Note"])
    manager.reset()
  }

  @Test func aManagerMigratesByMappings() throws {
    let folder = try TemporaryFolder()
    let (old, new) = (folder.file("old.sqlite"), folder.file("new.sqlite"))
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
    try coordinator.remove(coordinator.addPersistentStore(type: .sqlite, at: old))
    let manager = NSMigrationManager(sourceModel: model, destinationModel: newer)
    let mappings = try NSMappingModel.inferredMappingModel(
      forSourceModel: model, destinationModel: newer)
    try manager.migrateStore(from: old, type: .sqlite, mapping: mappings, to: new, type: .sqlite)
    let metadata = try NSPersistentStore.metadataForPersistentStore(with: new)
    #expect(newer.isConfiguration(withName: nil, compatibleWithStoreMetadata: metadata))
  }

  // MARK: - Policies

  @Test func policiesHaveStages() {
    typealias Policy = NSEntityMigrationPolicy
    let _: (Policy) -> (NSEntityMapping, NSMigrationManager) throws -> Void = Policy.begin(_:with:)
    typealias OfObject =
      (Policy) -> (NSManagedObject, NSEntityMapping, NSMigrationManager) throws -> Void
    let _: OfObject = Policy.createDestinationInstances(forSource:in:manager:)
    let _: OfObject = Policy.createRelationships(forDestination:in:manager:)
    let stages: [(Policy) -> (NSEntityMapping, NSMigrationManager) throws -> Void] = [
      Policy.endInstanceCreation(forMapping:manager:),
      Policy.endRelationshipCreation(forMapping:manager:),
      Policy.performCustomValidation(forMapping:manager:), Policy.end(_:manager:),
    ]
    let keys: [String] = [
      NSMigrationManagerKey, NSMigrationSourceObjectKey, NSMigrationDestinationObjectKey,
      NSMigrationEntityMappingKey, NSMigrationPropertyMappingKey, NSMigrationEntityPolicyKey,
    ]
    #expect(stages.count == 4)
    #expect(
      keys == [
        "manager", "source", "destination", "entityMapping", "propertyMapping", "entityPolicy",
      ])
  }

  // MARK: - Stages

  @Test func stagesHaveTheirParts() {
    let references = [model, newer].map {
      NSManagedObjectModelReference(model: $0, versionChecksum: $0.versionChecksum)
    }
    let light = NSLightweightMigrationStage([model.versionChecksum, newer.versionChecksum])
    light.label = "light"
    let custom = NSCustomMigrationStage(migratingFrom: references[0], to: references[1])
    typealias Handler = (NSStagedMigrationManager, NSCustomMigrationStage) throws -> Void
    let handlers: [Handler?] = [custom.willMigrateHandler, custom.didMigrateHandler]
    let (label, none): (String?, String?) = (light.label, custom.label)
    let checksums: [String] = light.versionChecksums
    #expect(handlers.allSatisfy { $0 == nil } && label == "light" && none == nil)
    #expect(checksums == [model.versionChecksum, newer.versionChecksum])
    let models: [NSManagedObjectModelReference] = [custom.currentModel, custom.nextModel]
    #expect(models == references)
    let manager = NSStagedMigrationManager([light, custom])
    let (stages, container): ([NSMigrationStage], NSPersistentContainer?) = (
      manager.stages, manager.container
    )
    #expect(stages == [light, custom] && container == nil)
  }
}

extension NSMigrationManager {
  /// A request as Xcode writes it into mapping models.
  fileprivate static let requestText =
    "FUNCTION($manager, \"fetchRequestForSourceEntityNamed:predicateString:\", \"Note\", \"TRUEPREDICATE\")"
}
