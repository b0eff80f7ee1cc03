// SPDX-License-Identifier: MIT
import SporadesGraph
import SporadesModel
import SporadesStore
import SporadesTesting
import SporadesXcode
import Testing

/// The hooks of policies, in their order and with what they see.
@Suite struct MigrationPolicyTests {
  private let old = MemoryStore(model: Village.old)
  private let new = MemoryStore(model: Village.new)
  private let manager = MigrationManager(source: Village.old, destination: Village.new)

  @Test func hooksAreCalledInCoreDatasOrder() throws {
    try Village.fill(old, count: 2)
    manager.register(WitnessPolicy.self)
    var mappings = Village.mappings
    for name in ["IEM_Transform_Human", "IEM_Transform_House"] {
      mappings[name]?.entityMigrationPolicyClassName = "Village.WitnessPolicy"
    }
    try manager.migrate(from: old, to: new, with: mappings)
    #expect(
      manager.userInfo["calls"] as? [String] == [
        "begin House", "create House", "endCreation House",
        "begin Human", "create Human", "create Human", "endCreation Human",
        "relate House", "endRelation House", "relate Human", "relate Human", "endRelation Human",
        "validate House", "end House", "validate Human", "end Human",
      ])
    #expect(manager.currentEntityMapping == nil)
  }

  @Test func objectsOfAPolicyAreFoundAgain() throws {
    try Village.fill(old, count: 4)
    manager.batchSize = 1
    manager.register(SplittingPolicy.self, named: "Split")
    var mappings = Village.mappings
    mappings["IEM_Transform_Animal"] = nil
    mappings["Dogs"] = nil
    mappings["Pets"] = EntityMapping("Pets", from: "Pet", to: "Animal", policy: "Split")
    mappings["IEM_Transform_Human"]?[relationship: "pets"] = PropertyMapping(
      "pets", .destinationInstances(forEntityMappingNamed: "Pets", of: "$source.pets"))
    try manager.migrate(from: old, to: new, with: mappings)
    try DataStack(store: new).newContext().performAndWait { context in
      let humans = try context.fetch(FetchRequest("Human"))
      // Each of two pets became two animals.
      #expect(humans.map { $0.objects(forKey: "pets").count } == [4, 4, 4, 4])
      let stamps = try context.fetch(FetchRequest("Stamp"))
      #expect(stamps.map { $0["text"] } == ["dog", "cat"])
    }
  }

  @Test func functionsOfPoliciesAreCalledByExpressions() throws {
    try Village.fill(old, count: 2)
    manager.register(NamingPolicy.self)
    var mappings = Village.mappings
    mappings["IEM_Transform_Human"]?.entityMigrationPolicyClassName = "NamingPolicy"
    mappings["IEM_Transform_Human"]?[attribute: "surname"] = PropertyMapping(
      "surname", "FUNCTION($entityPolicy, \"fullName:separator:\", $source, \"-\")")
    try manager.migrate(from: old, to: new, with: mappings)
    try DataStack(store: new).newContext().performAndWait { context in
      let humans = try context.fetch(FetchRequest("Human"))
      #expect(humans.map { $0["surname"] } == ["F0-L0", "F1-L1"])
    }
  }

  @Test func anErrorOfAPolicyIsTheCause() throws {
    try Village.fill(old, count: 2)
    manager.register(FailingPolicy.self)
    var mappings = Village.mappings
    mappings["Dogs"]?.entityMigrationPolicyClassName = "FailingPolicy"
    let error = #expect(throws: StoreError.self) {
      try manager.migrate(from: old, to: new, with: mappings)
    }
    guard case .cannotMigrate(let problems)? = error?.code else { return }
    #expect(problems.map(\.kind) == [.policy])
    #expect(problems.map(\.mapping) == ["Dogs"])
    #expect(problems.map(\.keys) == [[1]])
    #expect(error?.underlying is Enough)
  }
}

private final class WitnessPolicy: EntityMigrationPolicy {
  private func note(_ call: String, _ mapping: EntityMapping, _ manager: MigrationManager) {
    let calls = manager.userInfo["calls"] as? [String] ?? []
    manager.userInfo["calls"] = calls + ["\(call) \(mapping.destinationEntityName ?? "")"]
    if manager.currentEntityMapping?.name != mapping.name { Issue.record("\(call)") }
  }

  override func begin(_ mapping: EntityMapping, with manager: MigrationManager) {
    note("begin", mapping, manager)
  }
  override func createDestinationInstances(
    forSource source: ManagedObject, in mapping: EntityMapping, manager: MigrationManager
  ) throws {
    note("create", mapping, manager)
    try super.createDestinationInstances(forSource: source, in: mapping, manager: manager)
    let made = manager.destinationInstances(
      forEntityMappingNamed: mapping.name, sourceInstances: [source])
    let back = manager.sourceInstances(
      forEntityMappingNamed: mapping.name, destinationInstances: made)
    if made.count != 1 || back != [source] { Issue.record("\(made) \(back)") }
  }
  override func endInstanceCreation(forMapping mapping: EntityMapping, manager: MigrationManager) {
    note("endCreation", mapping, manager)
  }
  override func createRelationships(
    forDestination destination: ManagedObject, in mapping: EntityMapping, manager: MigrationManager
  ) throws {
    note("relate", mapping, manager)
    try super.createRelationships(forDestination: destination, in: mapping, manager: manager)
  }
  override func endRelationshipCreation(
    forMapping mapping: EntityMapping, manager: MigrationManager
  ) {
    note("endRelation", mapping, manager)
  }
  override func performCustomValidation(
    forMapping mapping: EntityMapping, manager: MigrationManager
  ) {
    note("validate", mapping, manager)
  }
  override func end(_ mapping: EntityMapping, manager: MigrationManager) {
    note("end", mapping, manager)
  }
}

/// Makes two animals of each pet, and one stamp for each kind, which it keeps in the manager's notes.
private final class SplittingPolicy: EntityMigrationPolicy {
  override func createDestinationInstances(
    forSource source: ManagedObject, in mapping: EntityMapping, manager: MigrationManager
  ) throws {
    for suffix in ["", "+"] {
      let animal = try manager.destinationContext.insert(entityNamed: "Animal")
      animal["name"] = .string("\(source["name"])\(suffix)")
      try manager.associate(
        sourceInstance: source, withDestinationInstance: animal, for: mapping)
    }
    let kind = source["kind"]
    guard manager.userInfo["\(kind)"] == nil else { return }
    let stamp = try manager.destinationContext.insert(entityNamed: "Stamp")
    stamp["text"] = kind
    manager.userInfo["\(kind)"] = stamp
  }
}

private final class NamingPolicy: EntityMigrationPolicy {
  override func value(
    forFunction name: String, arguments: [MappingValue], in mapping: EntityMapping,
    manager: MigrationManager
  ) throws -> MappingValue {
    guard name == "fullName:separator:", case .object(let person) = arguments[0],
      case .value(.string(let separator)) = arguments[1],
      case .string(let first) = person["first"], case .string(let last) = person["last"]
    else {
      return try super.value(
        forFunction: name, arguments: arguments, in: mapping, manager: manager)
    }
    return .value(.string(first + separator + last))
  }
}

private final class FailingPolicy: EntityMigrationPolicy {
  override func createDestinationInstances(
    forSource source: ManagedObject, in mapping: EntityMapping, manager: MigrationManager
  ) throws {
    throw Enough()
  }
}
