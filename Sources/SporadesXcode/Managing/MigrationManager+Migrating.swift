// SPDX-License-Identifier: MIT
import FoundationEssentials
import SporadesChain
public import SporadesGraph
import SporadesModel
public import SporadesModelFiles
public import SporadesStore

// A migration from its beginning to its end.
extension MigrationManager {
  /// Migrates the objects of one store into another.
  ///
  /// The mapping model is checked first: a `StoreError` with the code `cannotMigrate` lists everything that does not
  /// fit, and each policy that is not registered. An error later names the mapping, the object and the property; the
  /// destination then holds a part of the objects, and should be thrown away. The source is only read.
  ///
  /// `sourceClasses` and `destinationClasses` are the classes of objects that policies see.
  public func migrate(
    from source: any PersistentStore, to destination: any PersistentStore,
    with mapping: MappingModel, sourceClasses: [ManagedObject.Type] = [],
    destinationClasses: [ManagedObject.Type] = []
  ) throws {
    try carryOut(
      mapping, from: source, to: destination, sourceClasses: sourceClasses,
      destinationClasses: destinationClasses)
    migrationProgress.advance(to: 1)
  }

  /// Carries out one of several mapping models, whose share of the whole progress is `part`.
  package func carryOut(
    _ mapping: MappingModel, from source: any PersistentStore,
    to destination: any PersistentStore, sourceClasses: [ManagedObject.Type],
    destinationClasses: [ManagedObject.Type], part: Range<Double> = 0..<1
  ) throws {
    progressPart = part
    // Contexts over the source see what is committed.
    if !source.isReadOnly { try source.commit(.eventual) }
    try checkModels(source, destination)
    let mapping = mapping.resolved(from: sourceModel, to: destinationModel)
    try check(mapping)
    let stacks = (
      old: host?.stack(over: source, isOlder: true)
        ?? DataStack(store: source, classes: sourceClasses),
      new: host?.stack(over: destination, isOlder: false)
        ?? DataStack(store: destination, classes: destinationClasses)
    )
    let old = stacks.old.contextOverStore("the older version")
    let new = stacks.new.contextOverStore("the newer version")
    new.saving.validatesChanges = false
    mappingModel = mapping
    beginning = Date()
    contexts = (old, new)
    host?.hold(stacks.old, old, isOlder: true)
    host?.hold(stacks.new, new, isOlder: false)
    defer { endContexts() }
    try old.access.hold { try new.access.hold { try runPasses() } }
    if let failure = stacks.new.root.commit(.immediate) { throw failure }
  }

  private func endContexts() {
    contexts?.source.retire()
    contexts?.destination.retire()
    contexts = nil
    currentEntityMapping = nil
    place = MigrationPlace()
    forgetPolicies()
  }

  // MARK: - Checks

  private func checkModels(
    _ source: any PersistentStore, _ destination: any PersistentStore
  ) throws(StoreError) {
    for (store, model, age) in [
      (source, sourceModel, "older"), (destination, destinationModel, "newer"),
    ] where store.model.entityVersionHashesByName != model.entityVersionHashesByName {
      let differing = model.entitiesDiffering(from: store.model.entityVersionHashesByName)
      throw StoreError(
        .incompatibleModel(differing),
        "The store \(store.placeText) does not have the \(age) model of the migration manager: "
          + "\(differing.joined(separator: ", ")) differ. Open the store with that model.")
    }
  }

  private func check(_ mapping: MappingModel) throws(StoreError) {
    var problems = mapping.problems(from: sourceModel, to: destinationModel)
    for entity in mapping.entityMappings {
      guard let name = entity.entityMigrationPolicyClassName, policyType(named: name) == nil else {
        continue
      }
      var problem = MigrationProblem(
        .policy, entity: entity.destinationEntityName ?? entity.sourceEntityName ?? entity.name,
        "The entity mapping \(entity.name) needs the policy \(name), which is not registered. Name "
          + "its class in the policies of the stage, or call register(_:named:) of the migration manager with it."
      )
      problem.mapping = entity.name
      problems.append(problem)
    }
    guard problems.isEmpty else {
      throw StoreError(
        .cannotMigrate(problems), problems.map(\.description).joined(separator: "\n"))
    }
  }

  // MARK: - Passes

  private func runPasses() throws {
    do {
      try planKeys()
      try forEachMapping(from: 0, to: 0.5) { try createInstances($0, $1) }
      try forEachMapping(from: 0.5, to: 0.85) { try createRelationships($0, $1) }
      try forEachMapping(from: 0.85, to: 0.9) { mapping, _ in
        try policy(for: mapping).performCustomValidation(forMapping: mapping, manager: self)
        try policy(for: mapping).end(mapping, manager: self)
      }
      try flush()
      place = MigrationPlace()
      try validateDestination()
    } catch {
      if let store = error as? StoreError, case .cannotMigrate = store.code { throw store }
      try checkCancelling()
      throw place.locate(error)
    }
  }

  private func forEachMapping(
    from start: Double, to end: Double,
    _ body: (EntityMapping, (Double) -> Void) throws -> Void
  ) throws {
    let mappings = mappingModel?.entityMappings ?? []
    let share = (end - start) / Double(max(1, mappings.count))
    for (number, mapping) in mappings.enumerated() {
      currentEntityMapping = mapping
      place = MigrationPlace(mapping: mapping)
      let first = start + share * Double(number)
      try body(mapping) { advance(to: first + share * $0) }
      advance(to: first + share)
    }
    currentEntityMapping = nil
  }

  func advance(to fraction: Double) {
    let length = progressPart.upperBound - progressPart.lowerBound
    migrationProgress.advance(to: progressPart.lowerBound + length * fraction)
  }

  /// Finds the inheritance trees whose objects keep their primary keys, and reserves those keys.
  private func planKeys() throws {
    keptTrees = []
    var sources: [Int: Set<Int>] = [:]
    for mapping in mappingModel?.entityMappings ?? [] {
      guard let old = mapping.sourceEntityName.flatMap(sourceModel.shape(named:)),
        let new = mapping.destinationEntityName.flatMap(destinationModel.shape(named:))
      else { continue }
      sources[new.rootNumber, default: []].insert(old.rootNumber)
    }
    for (root, trees) in sources.inOrder {
      guard trees.count == 1, let tree = trees.first else { continue }
      let shape = destinationModel.shape(numbered: root)
      guard try destinationContext.count(FetchRequest(shape.name)) == 0 else { continue }
      let old = sourceModel.shape(numbered: tree)
      let keys = try sourceContext.fetchIDs(FetchRequest(old.name)).map(\.key.primaryKey)
      guard let last = keys.max(), last > 0 else { continue }
      let reserved = try destinationContext.source.reserveKeys(
        Int(last), for: shape, inStore: 0)
      if reserved.lowerBound == 1 { keptTrees.insert(root) }
    }
  }
}
