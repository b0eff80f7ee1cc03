// SPDX-License-Identifier: MIT
import SporadesGraph
import SporadesModel
import SporadesModelFiles
import SporadesStore

// The three passes of a migration, in batches.
extension MigrationManager {
  /// Makes the objects of one entity mapping.
  func createInstances(_ mapping: EntityMapping, _ progress: (Double) -> Void) throws {
    let policy = policy(for: mapping)
    try policy.begin(mapping, with: self)
    let keys = try sourceKeys(of: mapping)
    let paths = prefetched(mapping.attributeMappings, mapping)
    for start in stride(from: 0, to: keys.count, by: batchSize) {
      let batch = keys[start..<min(start + batchSize, keys.count)]
      let sources = try read(batch, prefetching: paths)
      for source in sources {
        try checkCancelling()
        place.source = source
        try policy.createDestinationInstances(forSource: source, in: mapping, manager: self)
      }
      place.source = nil
      try flush()
      progress(Double(start + batch.count) / Double(keys.count))
    }
    try policy.endInstanceCreation(forMapping: mapping, manager: self)
    try flush()
  }

  /// The keys of the objects that a mapping reads.
  private func sourceKeys(of mapping: EntityMapping) throws -> [RowKey] {
    guard let expression = mapping.sourceExpression else {
      guard let name = mapping.sourceEntityName, mapping.destinationEntityName != nil else {
        return []
      }
      let request = try fetchRequest(
        forSourceEntityNamed: name, predicateString: "TRUEPREDICATE")
      return try sourceContext.fetchIDs(request).map(\.key)
    }
    place.property = "sourceExpression"
    defer { place.property = nil }
    let evaluator = MappingEvaluator(manager: self, mapping: mapping)
    if case .fetch(let inner, countsOnly: false) = expression {
      guard case .request(let request) = try evaluator.evaluate(inner) else {
        throw MappingFailure("the source expression does not begin with a fetch request.")
      }
      return try sourceContext.fetchIDs(request).map(\.key)
    }
    guard let objects = try evaluator.evaluate(expression).objects else {
      throw MappingFailure("the source expression does not lead to objects.")
    }
    return objects.map(\.objectID.key)
  }

  private func read(
    _ keys: some Sequence<RowKey>, prefetching paths: [String]
  ) throws -> [ManagedObject] {
    let objects = keys.map { sourceContext.object(forKey: $0) }
    try sourceContext.fulfil(objects)
    try sourceContext.prefetch(paths, of: objects)
    return objects
  }

  /// The relationships of the older version whose objects the expressions read.
  private func prefetched(
    _ properties: [PropertyMapping], _ mapping: EntityMapping
  ) -> [String] {
    guard let shape = mapping.sourceEntityName.flatMap(sourceModel.shape(named:)) else { return [] }
    var names: Set<String> = []
    func visit(_ expression: MappingExpression) {
      if case .keyPath(.source, let path) = expression, let first = path.first,
        case .relationship(let relationship)? = shape[first], relationship.isStored,
        relationship.isToMany || path.count > 1
      {
        names.insert(first)
      }
      expression.parts.forEach(visit)
    }
    for property in properties { property.valueExpression.map(visit) }
    return names.sorted()
  }

  /// Sets the relationships of the objects of one entity mapping.
  func createRelationships(_ mapping: EntityMapping, _ progress: (Double) -> Void) throws {
    let policy = policy(for: mapping)
    defer { place.source = nil }
    let isNeeded =
      type(of: policy) != EntityMigrationPolicy.self
      || mapping.relationshipMappings.contains { $0.valueExpression != nil }
    if isNeeded, let table = tables[mapping.name] {
      var keys: [RowKey] = []
      table.forEachSource { keys.append($0) }
      let paths = prefetched(mapping.relationshipMappings, mapping)
      for start in stride(from: 0, to: keys.count, by: batchSize) {
        let batch = keys[start..<min(start + batchSize, keys.count)]
        try relate(batch, table, paths, mapping, policy)
        progress(Double(start + batch.count) / Double(keys.count))
      }
    }
    place.source = nil
    try policy.endRelationshipCreation(forMapping: mapping, manager: self)
    try flush()
  }

  private func relate(
    _ keys: ArraySlice<RowKey>, _ table: AssociationTable, _ paths: [String],
    _ mapping: EntityMapping, _ policy: EntityMigrationPolicy
  ) throws {
    let byEntity = Dictionary(grouping: keys, by: \.entity)
    for (_, keys) in byEntity.sorted(by: { $0.key < $1.key }) {
      let sources = try read(keys, prefetching: paths)
      let successors = sources.map { source in
        table.destinations(of: source.objectID.key).map { destinationContext.object(forKey: $0) }
      }
      try destinationContext.fulfil(successors.flatMap(\.self))
      for (source, destinations) in zip(sources, successors) {
        for destination in destinations {
          try checkCancelling()
          place.source = source
          try policy.createRelationships(
            forDestination: destination, in: mapping, manager: self)
        }
      }
    }
    try flush()
  }

  /// Saves the batch, and lets go of its objects. Objects that a policy holds become faults.
  ///
  /// A value that could not be read looks like no value, and the context reports it. Such a batch is not saved.
  func flush() throws {
    try sourceContext.throwFailures(after: 0)
    try destinationContext.save()
    for context in [destinationContext, sourceContext] { release(context) }
    try sourceContext.throwFailures(after: 0)
  }

  /// Turns the objects of a context into faults, which ends the links between them, and then drops those that nobody
  /// holds. A context keeps them otherwise, and each batch would visit those of all earlier ones.
  private func release(_ context: ManagedObjectContext) {
    context.refreshAllObjects()
    context.sweep()
  }

  // MARK: - Checking

  /// Checks every object of the destination against the newer model.
  func validateDestination() throws {
    var failures = MigrationFailures()
    let roots = destinationModel.shapes.filter { $0.superNumber == 0 }
    for (number, shape) in roots.enumerated() {
      let keys = try destinationContext.fetchIDs(FetchRequest(shape.name)).map(\.key)
      for start in stride(from: 0, to: keys.count, by: batchSize) {
        try checkCancelling()
        let objects = keys[start..<min(start + batchSize, keys.count)]
          .map { destinationContext.object(forKey: $0) }
        try destinationContext.fulfil(objects)
        for object in objects { try failures.check(object) }
        try destinationContext.throwFailures(after: 0)
        release(destinationContext)
      }
      advance(to: 0.9 + 0.09 * Double(number + 1) / Double(roots.count))
    }
    let problems = failures.problems
    guard problems.isEmpty else {
      throw StoreError(
        .cannotMigrate(problems), problems.map(\.description).joined(separator: "\n"))
    }
  }
}

/// The objects that break rules of the newer model, by rule.
private struct MigrationFailures {
  private struct Rule: Hashable {
    let entity: String
    let property: String?
    let code: Int
  }

  private var counts: [Rule: (count: Int, keys: [Int64], detail: String)] = [:]
  private static let shownKeys = 10

  mutating func check(_ object: ManagedObject) throws {
    do { try object.validateForInsert() } catch let error as ValidationError {
      for failure in error.failures { note(failure, object) }
    }
  }

  private mutating func note(_ failure: ValidationError.Failure, _ object: ManagedObject) {
    let rule = Rule(
      entity: object.entity.name, property: failure.property, code: failure.code.rawValue)
    var entry = counts[rule] ?? (0, [], failure.detail)
    entry.count += 1
    if entry.keys.count < Self.shownKeys { entry.keys.append(object.objectID.key.primaryKey) }
    counts[rule] = entry
  }

  var problems: [MigrationProblem] {
    let byCode = counts.keys.inNumberOrder { $0.code }
    let rules = byCode.inOrder { $0.property ?? "" }.inOrder { $0.entity }
    return rules.compactMap { rule in
      guard let entry = counts[rule] else { return nil }
      let isMissing = rule.code == ValidationError.Code.missingMandatoryProperty.rawValue
      let name = [rule.entity, rule.property].compactMap(\.self).joined(separator: ".")
      return MigrationProblem(
        isMissing ? .missingValue : .invalidObject, entity: rule.entity, property: rule.property,
        count: entry.count, keys: entry.keys,
        "\(name) \(entry.detail) The migration made \(entry.count) such objects; change the mapping or the model."
      )
    }
  }
}
