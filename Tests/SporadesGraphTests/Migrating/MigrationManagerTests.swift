// SPDX-License-Identifier: MIT
import Foundation
import SporadesGraph
import SporadesModel
import SporadesStore
import SporadesTesting
import SporadesXcode
import Testing

/// A manager moves objects by a mapping model, from any store to any store.
@Suite struct MigrationManagerTests {
  private func migrated(
    _ pair: StorePair, count: Int, batch: Int = 500, _ mappings: MappingModel = Village.mappings
  ) throws -> (manager: MigrationManager, store: any PersistentStore) {
    let (old, new) = (try pair.old.store(Village.old), try pair.new.store(Village.new))
    try Village.fill(old, count: count)
    let manager = MigrationManager(source: Village.old, destination: Village.new)
    manager.batchSize = batch
    try manager.migrate(from: old, to: new, with: mappings)
    return (manager, new)
  }

  @Test(arguments: StorePair.all, [3, 500])
  func objectsLinksOrdersAndKeysArrive(_ pair: StorePair, batch: Int) throws {
    let (manager, store) = try migrated(pair, count: 10, batch: batch)
    #expect(manager.renumberedEntities.isEmpty)
    #expect(manager.migrationProgress.fractionCompleted == 1)
    try DataStack(store: store).newContext().performAndWait { context in
      let humans = try context.fetch(FetchRequest("Human"))
      #expect(humans.map(\.primaryKey) == Array(1...10))
      for (number, human) in humans.enumerated() {
        #expect(human["first"] == .string("F\(number)"))
        #expect(human["surname"] == .string("L\(number)"))
        #expect(human["age"] == (number % 3 == 0 ? .null : .string("\(number)")))
        #expect(human["state"] == "new")
        let pets = human.objects(forKey: "pets").sorted { $0.primaryKey < $1.primaryKey }
        #expect(pets.map { $0["name"] } == [.string("a\(number)"), .string("b\(number)")])
        #expect(pets.map(\.entity.name) == ["Dog", "Animal"])
        #expect(pets.map(\.primaryKey) == [Int64(number * 2 + 1), Int64(number * 2 + 2)])
        let friends = Set(human.objects(forKey: "friends").map(\.primaryKey))
        let wanted = [number, number + 2].filter { 1...10 ~= $0 }.map(Int64.init)
        #expect(friends == Set(wanted))
      }
      let houses = try context.fetch(FetchRequest("House"))
      #expect(houses.map { $0["number"] } == [0, 4, 8])
      #expect(
        houses.map { $0.objects(forKey: "people").map(\.primaryKey) } == [
          [4, 3, 2, 1], [8, 7, 6, 5], [10, 9],
        ])
      #expect(try context.count(FetchRequest("Stamp")) == 0)
      #expect(try context.fetch(FetchRequest("Dog")).allSatisfy { $0["barks"] == true })
    }
  }

  @Test func newObjectsGetKeysAboveTheKeptOnes() throws {
    let (_, store) = try migrated(StorePair(old: .memory, new: .sqlite), count: 5)
    try DataStack(store: store).newContext().performAndWait { context in
      let human = try context.insert(entityNamed: "Human")
      (human["first"], human["surname"]) = ("a", "b")
      try context.save()
      #expect(human.primaryKey > 5)
    }
  }

  @Test func anObjectWithSeveralSuccessorsIsRenumbered() throws {
    var mappings = Village.mappings
    mappings["Stamps"] = EntityMapping(
      "Stamps", from: "Person", to: "Stamp", attributes: [.init("text", "$source.first")])
    mappings["Twins"] = EntityMapping(
      "Twins", from: "Person", to: "Stamp", attributes: [.init("text", "$source.last")])
    let (manager, store) = try migrated(
      StorePair(old: .memory, new: .sqlite), count: 4, mappings)
    #expect(manager.renumberedEntities == ["Stamp"])
    try DataStack(store: store).newContext().performAndWait { context in
      let stamps = try context.fetch(FetchRequest("Stamp"))
      #expect(stamps.map(\.primaryKey).count == 8)
      #expect(stamps.prefix(4).map { $0["text"] } == ["F0", "F1", "F2", "F3"])
    }
  }

  @Test func expressionsReadRelationshipsNotesAndClosures() throws {
    var mappings = Village.mappings
    mappings["Stamps"] = EntityMapping(
      "Stamps", from: "Person", to: "Stamp",
      attributes: [
        PropertyMapping("text") { source in
          "\(source["first"]) lives with \(source.objects(forKey: "pets").count)"
        }
      ])
    mappings["IEM_Transform_Human"]?[attribute: "age"] = PropertyMapping(
      "age", "$source.pets.@count + $source.friends.@max.age * 0 + $source.house.people.@count")
    mappings["Dogs"]?[attribute: "name"] = PropertyMapping(
      "name", "$entityMapping.userInfo.by")
    mappings["IEM_Transform_Animal"]?[attribute: "name"] = PropertyMapping(
      "name", "$propertyMapping.name")
    mappings["IEM_Transform_Animal"]?[relationship: "owner"] = PropertyMapping(
      "owner",
      relating: { source, manager in
        let owner = source.object(forKey: "owner")
        return manager.destinationInstances(
          forEntityMappingNamed: "IEM_Transform_Human", sourceInstances: owner.map { [$0] } ?? [])
      })
    let (_, store) = try migrated(StorePair(old: .memory, new: .memory), count: 3, mappings)
    try DataStack(store: store).newContext().performAndWait { context in
      #expect(try context.fetch(FetchRequest("Human")).last?["age"] == "5")
      #expect(try context.fetch(FetchRequest("Dog")).first?["name"] == "hand")
      let animal = try context.fetch(FetchRequest("Animal")).first { $0.entity.name == "Animal" }
      #expect(animal?["name"] == "name")
      #expect(animal?.object(forKey: "owner")?["first"] == "F0")
    }
  }

  @Test func twoMappingModelsFillOneStore() throws {
    let (old, new) = (
      try StoreKind.sqlite.store(Village.old), try StoreKind.sqlite.store(Village.new)
    )
    try Village.fill(old, count: 6)
    let all = Village.mappings.entityMappings
    let manager = MigrationManager(source: Village.old, destination: Village.new)
    var people = MappingModel(all.filter { $0.destinationEntityName != "House" })
    people["IEM_Transform_Human"]?[relationship: "house"] = nil
    #expect(people.entityMappings.count == 3)
    try manager.migrate(from: old, to: new, with: people)
    var houses = MappingModel(all.filter { $0.destinationEntityName == "House" })
    houses["IEM_Transform_House"]?[relationship: "people"] = PropertyMapping(
      "people",
      relating: { source, manager in
        manager.destinationInstances(
          forEntityMappingNamed: "IEM_Transform_Human",
          sourceInstances: source.objects(forKey: "people"))
      })
    try manager.migrate(from: old, to: new, with: houses)
    try DataStack(store: new).newContext().performAndWait { context in
      let orders = try context.fetch(FetchRequest("House")).map {
        $0.objects(forKey: "people").map(\.primaryKey)
      }
      #expect(orders == [[4, 3, 2, 1], [6, 5]])
    }
    #expect(manager.mappingModel != nil)
    manager.reset()
    #expect(manager.mappingModel == nil)
  }

  // MARK: - Failures

  @Test func aValueThatCannotBeConvertedIsNamed() throws {
    let (old, new) = (MemoryStore(model: Village.old), MemoryStore(model: Village.new))
    try Village.fill(old, count: 5)
    try DataStack(store: old).newContext().performAndWait { context in
      context.durability = .immediate
      try context.fetch(FetchRequest("House"))[1]["number"] = "4b"
      try context.save()
    }
    let manager = MigrationManager(source: Village.old, destination: Village.new)
    let found = problems { try manager.migrate(from: old, to: new, with: Village.mappings) }
    #expect(found.map(\.kind) == [.inconvertibleValue])
    #expect(found.map(\.mapping) == ["IEM_Transform_House"])
    #expect(found.map(\.entity) == ["House"])
    #expect(found.map(\.property) == ["number"])
    #expect(found.map(\.keys) == [[2]])
    #expect(found.first?.sentence.contains("4b") == false)
  }

  @Test func objectsThatBreakRulesOfTheNewerModelAreListed() throws {
    let (old, new) = (MemoryStore(model: Village.old), MemoryStore(model: Village.new))
    try Village.fill(old, count: 5)
    var mappings = Village.mappings
    mappings["Dogs"]?[relationship: "owner"] = nil
    mappings["IEM_Transform_Human"]?[relationship: "pets"] = nil
    mappings["IEM_Transform_Human"]?[attribute: "surname"] = nil
    let manager = MigrationManager(source: Village.old, destination: Village.new)
    let found = problems { try manager.migrate(from: old, to: new, with: mappings) }
    #expect(found.map(\.kind) == [.missingValue, .missingValue])
    #expect(found.map(\.property) == ["owner", "surname"])
    #expect(found.map(\.count) == [5, 5])
    #expect(found.map(\.entity) == ["Dog", "Human"])
    #expect(found.first?.keys == [1, 3, 5, 7, 9])
  }

  @Test func severalObjectsForAToOneRelationshipAreRefused() throws {
    let (old, new) = (MemoryStore(model: Village.old), MemoryStore(model: Village.new))
    try Village.fill(old, count: 5)
    var mappings = Village.mappings
    mappings["IEM_Transform_Human"]?[relationship: "house"] = PropertyMapping(
      "house",
      .destinationInstances(
        forEntityMappingNamed: "IEM_Transform_House", of: "$source.house.people.house"))
    mappings["IEM_Transform_Animal"]?[relationship: "owner"] = PropertyMapping(
      "owner",
      .destinationInstances(
        forEntityMappingNamed: "IEM_Transform_Human", of: "$source.owner.friends"))
    let manager = MigrationManager(source: Village.old, destination: Village.new)
    let found = problems { try manager.migrate(from: old, to: new, with: mappings) }
    #expect(found.map(\.kind) == [.tooManyLinks])
  }

  @Test func whatDoesNotFitIsRefusedBeforeAnythingIsWritten() throws {
    let (old, new) = (MemoryStore(model: Village.old), MemoryStore(model: Village.new))
    try Village.fill(old, count: 2)
    var mappings = Village.mappings
    mappings["Dogs"]?.entityMigrationPolicyClassName = "Shop.MissingPolicy"
    mappings["Stamps"] = EntityMapping(from: "Person", to: "Stamps")
    let manager = MigrationManager(source: Village.old, destination: Village.new)
    let found = problems { try manager.migrate(from: old, to: new, with: mappings) }
    #expect(found.map(\.kind) == [.mapping, .policy])
    #expect(found.last?.sentence.contains("Shop.MissingPolicy") == true)
    let error = #expect(throws: StoreError.self) {
      try manager.migrate(from: new, to: old, with: Village.mappings)
    }
    guard case .incompatibleModel? = error?.code else {
      Issue.record("\(String(describing: error))")
      return
    }
    try DataStack(store: new).newContext().performAndWait { context in
      let count = try context.count(FetchRequest("Human"))
      #expect(count == 0)
    }
  }

  @Test(arguments: [
    "$source.first.first", "FUNCTION($manager, \"nothing:\", 1)",
    "$manager.userInfo.absent + $source.age",
    "FUNCTION($source, \"length\")", "$source.pets.@wrong.name", "sum($manager)",
    "$manager.nothing",
    "FUNCTION($entityPolicy, \"unknown:\", $source)", "FETCH(1, $manager.sourceContext, NO)",
  ])
  func anExpressionWithoutAValueIsAnErrorOrNil(_ text: String) throws {
    let (old, new) = (MemoryStore(model: Village.old), MemoryStore(model: Village.new))
    try Village.fill(old, count: 2)
    var mappings = Village.mappings
    mappings["IEM_Transform_Human"]?[attribute: "age"] = PropertyMapping(
      "age", try MappingExpression(format: text))
    let manager = MigrationManager(source: Village.old, destination: Village.new)
    do {
      try manager.migrate(from: old, to: new, with: mappings)
      #expect(text.contains("absent"))
    } catch let error as StoreError {
      guard case .cannotMigrate(let problems) = error.code else {
        Issue.record("\(error)")
        return
      }
      #expect(problems.first?.property == "age", "\(problems)")
    }
  }

  // MARK: - Cancelling

  @Test func aCancelledMigrationStopsAtTheNextObject() throws {
    let (old, new) = (MemoryStore(model: Village.old), MemoryStore(model: Village.new))
    try Village.fill(old, count: 20)
    let progress = MigrationProgress()
    let manager = MigrationManager(
      source: Village.old, destination: Village.new, progress: progress)
    manager.batchSize = 5
    progress.observe { if $0 > 0.2 { progress.cancel() } }
    let error = #expect(throws: StoreError.self) {
      try manager.migrate(from: old, to: new, with: Village.mappings)
    }
    #expect(error?.code == .cancelled)
    #expect(progress.fractionCompleted < 0.5)
  }

  @Test func aPolicyCancelsWithItsOwnError() throws {
    let (old, new) = (MemoryStore(model: Village.old), MemoryStore(model: Village.new))
    try Village.fill(old, count: 5)
    let manager = MigrationManager(source: Village.old, destination: Village.new)
    manager.register(CancellingPolicy.self)
    var mappings = Village.mappings
    mappings["IEM_Transform_Human"]?.entityMigrationPolicyClassName = "CancellingPolicy"
    #expect(throws: Enough.self) { try manager.migrate(from: old, to: new, with: mappings) }
    #expect(manager.userInfo["made"] as? Int == 1)
  }
}

struct Enough: Error {}

final class CancellingPolicy: EntityMigrationPolicy {
  override func createDestinationInstances(
    forSource source: ManagedObject, in mapping: EntityMapping, manager: MigrationManager
  ) throws {
    manager.userInfo["made"] = (manager.userInfo["made"] as? Int ?? 0) + 1
    manager.cancelMigration(with: Enough())
  }
}
