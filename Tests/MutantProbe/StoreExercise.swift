// SPDX-License-Identifier: MIT
import Foundation
import SporadesCare
import SporadesChain
import SporadesGraph
import SporadesModel
import SporadesSQLite
import SporadesStore
import SporadesXcode

/// Reads all of a store in every way, and writes to it.
struct StoreExercise {
  private let path: String
  private let model: ManagedObjectModel
  private let random: Randomness
  /// The number of rows that are read one by one.
  private static let rows = 40

  init(_ path: String, _ model: ManagedObjectModel, seed: UInt64) {
    self.path = path
    self.model = model
    random = Randomness(seed)
  }

  func run() throws {
    var options = SQLiteStoreOptions()
    // The limit is above the need of these stores, and low enough to end an endless statement soon.
    options.stepLimit = 20_000_000
    var refusals = Refusals()
    try refusals.attempt { try readWithoutItsModel(options) }
    let store = try SQLiteStore(path: path, model: model, options: options)
    try refusals.attempt { _ = try store.integrityProblems() }
    try refusals.attempt { try store.setMetadata(try store.metadata()) }
    for shape in model.shapes { try read(shape, store, &refusals) }
    let stack = DataStack(store: store)
    for shape in model.shapes where !shape.isAbstract {
      try refusals.attempt { try look(at: shape, stack) }
      try refusals.attempt { try write(shape, stack) }
    }
    try refusals.attempt { if let error = stack.root.commit(.immediate) { throw error } }
    try refusals.attempt { try store.close() }
    try refusals.check()
  }

  /// Reads with the model that the store carries, or by its tables.
  private func readWithoutItsModel(_ options: SQLiteStoreOptions) throws {
    let url = URL(fileURLWithPath: path)
    let found = try StoreModel(ofStoreAt: url)
    let store = try SQLiteStore(url: url, opening: found, options: options)
    var refusals = Refusals()
    for shape in found.model.shapes {
      var fetch = StoreFetch(shape)
      fetch.limit = Self.rows
      try refusals.attempt { _ = try store.rows(fetch, in: .committed) }
    }
    try store.close()
    try refusals.check()
  }

  // MARK: - Rows

  private func read(
    _ shape: EntityShape, _ store: SQLiteStore, _ refusals: inout Refusals
  ) throws {
    let all = StoreFetch(shape)
    try refusals.attempt { _ = try store.rows(all, in: .committed) }
    try refusals.attempt { _ = try store.count(all, in: .accepted) }
    for attribute in shape.attributes where attribute.slot != nil {
      var fetch = all
      fetch.sortTerms = [SortTerm(attribute.name, ascending: false, options: [.caseInsensitive])]
      fetch.predicate = .comparison(.init(.keyPath([attribute.name]), .notEqual, .constant(.null)))
      fetch.limit = 5
      fetch.offset = 1
      try refusals.attempt { _ = try store.rows(fetch, in: .committed) }
      for function in [AggregateFunction.min, .max, .sum, .average]
      where has(function, attribute, shape) {
        try refusals.attempt {
          _ = "\(try store.aggregate(function, of: [attribute.name], all, in: .committed))"
        }
      }
    }
    try refusals.attempt {
      let keys = try store.keys(all, in: .committed)
      _ = try store.rows(for: Array(keys.prefix(Self.rows)), in: .committed)
      _ = try store.absent(Array(keys.prefix(Self.rows)))
      for relationship in shape.relationships {
        _ = try store.links(of: relationship, owners: keys, in: .committed)
        guard let owner = keys.first, relationship.isOrdered else { continue }
        _ = try store.lastPosition(in: relationship, of: owner, in: .accepted)
      }
    }
  }

  /// Whether the attribute's type has the aggregate. A refusal of another one says nothing about the file.
  private func has(
    _ function: AggregateFunction, _ attribute: AttributeShape, _ shape: EntityShape
  ) -> Bool {
    do {
      let argument = try ExpressionShape(.keyPath([attribute.name]), in: shape, model)
      let functions: [AggregateFunction: FetchFunction] = [
        .sum: .sum, .min: .min, .max: .max, .average: .average,
      ]
      guard let function = functions[function] else { return false }
      _ = try AggregateShape(function, of: argument, isDistinct: false, in: shape)
      return true
    } catch {
      return false
    }
  }

  // MARK: - Objects

  private func look(at shape: EntityShape, _ stack: DataStack) throws {
    try stack.newContext().performAndWait { context in
      for object in try context.fetch(FetchRequest(shape.name, limit: Self.rows)) {
        _ = "\(object.objectID.uriRepresentation()) \(object)"
        for property in Self.shape(of: object, shape, model).properties {
          switch property {
          case .attribute: _ = "\(object.value(forKey: property.name))"
          case .relationship(let relationship) where relationship.isToMany:
            for other in object.objects(forKey: property.name).prefix(Self.rows) {
              _ = "\(other.objectID) \(other.isFault)"
            }
          case .relationship:
            if let other = object.object(forKey: property.name) { touch(other) }
          case .fetched: _ = object.objects(forKey: property.name).count
          }
        }
      }
    }
  }

  private func touch(_ object: ManagedObject) {
    guard let shape = model.shape(named: object.objectID.entityName) else { return }
    for attribute in shape.attributes { _ = object.value(forKey: attribute.name) }
  }

  /// The shape of the object's own entity, which may be a subentity of the requested one.
  private static func shape(
    of object: ManagedObject, _ other: EntityShape, _ model: ManagedObjectModel
  ) -> EntityShape {
    model.shape(named: object.objectID.entityName) ?? other
  }

  /// Inserts one object, changes one and deletes one.
  private func write(_ shape: EntityShape, _ stack: DataStack) throws {
    var random = random
    try stack.newContext().performAndWait { context in
      let stored = try context.fetch(FetchRequest(shape.name, limit: 4))
      let made = try context.insert(entityNamed: shape.name)
      for object in [made] + stored.prefix(1) { setValues(of: object, &random) }
      for relationship in shape.relationships where !relationship.description.isTransient {
        let destination = model.shape(numbered: relationship.destination)
        let others = try context.fetch(FetchRequest(destination.name, limit: 3))
        if relationship.isToMany {
          made.setObjects(others, forKey: relationship.name)
          if let owner = stored.first {
            owner.setObjects(
              others
                + owner.objects(forKey: relationship.name).prefix(Self.rows).reversed()
                .filter { !others.contains($0) },
              forKey: relationship.name)
          }
        } else {
          made.setObject(others.first, forKey: relationship.name)
        }
      }
      if let last = stored.dropFirst().last { context.delete(last) }
      try context.save()
      setValues(of: made, &random)
      try context.save()
    }
  }

  private func setValues(of object: ManagedObject, _ random: inout Randomness) {
    guard let shape = model.shape(named: object.objectID.entityName) else { return }
    for attribute in shape.attributes
    where !attribute.description.isDerived && attribute.elements.isEmpty {
      guard let value = value(attribute.type, &random) else { continue }
      object.setValue(value, forKey: attribute.name)
    }
  }

  private func value(_ type: AttributeType, _ random: inout Randomness) -> Value? {
    switch type {
    case .integer16, .integer32, .integer64: .integer(Int64(random.below(100)))
    case .double, .float: .double(Double(random.below(100)) / 3)
    case .decimal: .decimal(Decimal(random.below(100)) / 8)
    case .boolean: .boolean(random.below(2) == 0)
    case .string: .string("text \(random.next())")
    case .date: .date(Date(timeIntervalSinceReferenceDate: Double(random.below(1000))))
    case .binary: .data(Data(repeating: 7, count: random.below(200)))
    case .uuid, .uri, .undefined, .transformable, .objectID, .composite: nil
    }
  }
}
