// SPDX-License-Identifier: MIT
import CoreData
import Foundation
import Testing

@Suite struct MigrationTests {
  let folder: TemporaryFolder
  let url: URL

  init() throws {
    folder = try TemporaryFolder()
    url = folder.file("people.sqlite")
  }

  /// A model with one entity, Person, whose texts have the names.
  private static func model(_ names: String...) -> NSManagedObjectModel {
    let person = NSEntityDescription()
    person.name = "Person"
    person.properties = names.map { name in
      let attribute = NSAttributeDescription()
      (attribute.name, attribute.attributeType) = (name, .stringAttributeType)
      return attribute
    }
    let model = NSManagedObjectModel()
    model.entities = [person]
    return model
  }

  private let first = model("name")
  private let second = model("name", "first", "last")
  private let third = model("first", "last")

  private func open(
    _ model: NSManagedObjectModel, _ options: [String: Any] = [:]
  ) throws -> NSManagedObjectContext {
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
    try coordinator.addPersistentStore(
      ofType: NSSQLiteStoreType, configurationName: nil, at: url, options: options)
    let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
    context.persistentStoreCoordinator = coordinator
    return context
  }

  private func close(_ context: NSManagedObjectContext) throws {
    let coordinator = try #require(context.persistentStoreCoordinator)
    for store in coordinator.persistentStores { try coordinator.remove(store) }
  }

  /// A store of the first version with a person.
  private func begin() throws {
    let context = try open(first)
    let person = NSEntityDescription.insertNewObject(forEntityName: "Person", into: context)
    person.setValue("Ann Lee", forKey: "name")
    try context.save()
    try close(context)
  }

  private func reference(_ model: NSManagedObjectModel) -> NSManagedObjectModelReference {
    NSManagedObjectModelReference(model: model, versionChecksum: model.versionChecksum)
  }

  private func options(_ stages: [NSMigrationStage]) -> [String: Any] {
    [
      NSMigratePersistentStoresAutomaticallyOption: true,
      NSInferMappingModelAutomaticallyOption: true,
      NSPersistentStoreStagedMigrationManagerOptionKey: NSStagedMigrationManager(stages),
    ]
  }

  private func people(_ context: NSManagedObjectContext) throws -> [[String]] {
    try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Person")).map { person in
      ["first", "last"].compactMap { person.value(forKey: $0) as? String }
    }
  }

  @Test func handlersWorkOnBothVersions() throws {
    try begin()
    var seen: [String] = []
    let stage = NSCustomMigrationStage(migratingFrom: reference(first), to: reference(second))
    stage.label = "split"
    stage.willMigrateHandler = { manager, stage in
      let context = try #require(manager.container?.newBackgroundContext())
      let person = try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Person")).first
      seen.append("\(stage.label ?? ""): \(person?.entity.attributesByName.count ?? 0)")
      person?.setValue("Ann May", forKey: "name")
      try context.save()
    }
    stage.didMigrateHandler = { manager, _ in
      let context = try #require(manager.container?.newBackgroundContext())
      for person in try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Person")) {
        let names = (person.value(forKey: "name") as? String ?? "").split(separator: " ")
        person.setValue(String(names[0]), forKey: "first")
        person.setValue(String(names[1]), forKey: "last")
      }
      try context.save()
    }
    let rest = NSLightweightMigrationStage([second.versionChecksum, third.versionChecksum])
    let context = try open(third, options([stage, rest]))
    #expect(try people(context) == [["Ann", "May"]])
    #expect(seen == ["split: 1"])
  }

  @Test func aFailingHandlerLeavesTheStoreAsItWas() throws {
    try begin()
    let stage = NSCustomMigrationStage(migratingFrom: reference(first), to: reference(second))
    stage.didMigrateHandler = { _, _ in throw CocoaError(.userCancelled) }
    #expect(throws: (any Error).self) { try open(second, options([stage])) }
    let context = try open(first)
    #expect(try context.count(for: NSFetchRequest<NSManagedObject>(entityName: "Person")) == 1)
  }

  @Test func checksumsAloneDescribeAWay() throws {
    try begin()
    let stage = NSLightweightMigrationStage([first.versionChecksum, second.versionChecksum])
    let context = try open(second, options([stage]))
    #expect(try people(context) == [[]])
  }

  @Test func changesAreInferredWhereTheOptionsAllowIt() throws {
    try begin()
    let error = #expect(throws: NSError.self) { try open(third) }
    #expect(error?.code == NSPersistentStoreIncompatibleVersionHashError)
    let missing = #expect(throws: NSError.self) {
      try open(third, [NSMigratePersistentStoresAutomaticallyOption: true])
    }
    #expect(missing?.code == NSMigrationMissingMappingModelError)
    let context = try open(
      third,
      [
        NSMigratePersistentStoresAutomaticallyOption: true,
        NSInferMappingModelAutomaticallyOption: true,
        NSPersistentStoreDeferredLightweightMigrationOptionKey: true,
      ])
    #expect(try people(context) == [[]])
    let coordinator = try #require(context.persistentStoreCoordinator)
    try coordinator.finishDeferredLightweightMigrationTask()
    try coordinator.finishDeferredLightweightMigration()
  }

  @Test func aStoreFindsItsVersionAmongModels() throws {
    try begin()
    let metadata = try NSPersistentStoreCoordinator.metadataForPersistentStore(
      ofType: NSSQLiteStoreType, at: url)
    let other = Notes.model()
    let found = NSManagedObjectModel(byMerging: [third, other, first], forStoreMetadata: metadata)
    #expect(found?.entityVersionHashesByName == first.entityVersionHashesByName)
    #expect(NSManagedObjectModel(byMerging: [third, other], forStoreMetadata: metadata) == nil)
    let carried = try NSManagedObjectModel.cachedModelForPersistentStore(at: url)
    #expect(carried?.versionChecksum == first.versionChecksum)
    #expect(NSManagedObjectModel.mergedModel(from: [], forStoreMetadata: metadata) == nil)
  }
}
