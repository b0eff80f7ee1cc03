// SPDX-License-Identifier: MIT
import Foundation
import SporadesCare
import SporadesGraph
import SporadesModel
import SporadesSQLite
import SporadesStore
import Testing

/// A store of a first version, which other versions open.
struct OtherStore {
  let path = Sample.temporaryPath()
  let model: ManagedObjectModel

  init(_ entities: EntityDescription..., fill: (ManagedObjectContext) throws -> Void = { _ in })
    throws
  {
    model = try ManagedObjectModel(entities: entities)
    try change(model, fill)
  }

  var url: URL { URL(fileURLWithPath: path) }

  /// Opens the store with a model, which migrates it, and runs the block on a new context.
  @discardableResult
  func change<Output>(
    _ model: ManagedObjectModel, through versions: [ManagedObjectModel] = [],
    _ body: (ManagedObjectContext) throws -> Output
  ) throws -> Output {
    var options = SQLiteStoreOptions()
    options.migration.versions = versions
    options.migration.losses = .allowed
    let store = try SQLiteStore(path: path, model: model, options: options)
    let output = try DataStack(store: store).newContext().performAndWait { context in
      let output = try body(context)
      try context.save()
      return output
    }
    #expect(try store.integrityProblems() == [])
    try store.close()
    return output
  }

  @discardableResult
  func open<Output>(
    _ entities: EntityDescription..., body: (ManagedObjectContext) throws -> Output
  ) throws -> Output {
    try change(ManagedObjectModel(entities: entities), body)
  }

  /// The error with which the store is refused.
  func refusal(
    _ entities: EntityDescription..., options: SQLiteStoreOptions = .losing,
    location: SourceLocation = #_sourceLocation
  ) throws -> StoreError? {
    let model = try ManagedObjectModel(entities: entities)
    return #expect(throws: StoreError.self, sourceLocation: location) {
      try SQLiteStore(path: path, model: model, options: options).close()
    }
  }

  func problems(
    _ entities: EntityDescription..., location: SourceLocation = #_sourceLocation
  ) throws -> [MigrationProblem] {
    let model = try ManagedObjectModel(entities: entities)
    let error = #expect(throws: StoreError.self, sourceLocation: location) {
      try SQLiteStore(path: path, model: model, options: .losing).close()
    }
    guard case .cannotMigrate(let problems)? = error?.code else { return [] }
    let forecast = try SQLiteStore.migrationForecast(
      forStoreAt: url, to: model, options: .losing)
    #expect(forecast.problems == problems, sourceLocation: location)
    return problems
  }

  func forecast(_ entities: EntityDescription...) throws -> MigrationForecast {
    try SQLiteStore.migrationForecast(
      forStoreAt: url, to: ManagedObjectModel(entities: entities), options: .losing)
  }

  /// Runs statements as any program could.
  func sql(_ text: String) throws { try PlainStore(path).run(text) }

  func rows(_ sql: String) throws -> [[PlainStore.Cell]] { try PlainStore(path).rows(sql) }

  func texts(_ sql: String) throws -> [String] {
    try rows(sql).map { row in
      switch row[0] {
      case .text(let text): text
      case .integer(let number): "\(number)"
      case .real(let number): "\(number)"
      case .null: "null"
      case .blob(let bytes): "\(bytes)"
      }
    }
  }
}

// MARK: - Models as short as they can be

/// `entity("Dog", text("name")) { $0.superentityName = "Animal" }`
func entity(
  _ name: String, _ attributes: AttributeDescription...,
  links: [RelationshipDescription] = [], change: (inout EntityDescription) -> Void = { _ in }
) -> EntityDescription {
  var entity = EntityDescription(name, attributes: attributes, relationships: links)
  change(&entity)
  return entity
}

func text(_ name: String, was former: String? = nil) -> AttributeDescription {
  attribute(name, .string, was: former)
}

func attribute(
  _ name: String, _ type: AttributeType, was former: String? = nil, required value: Value? = nil
) -> AttributeDescription {
  var attribute = AttributeDescription(name, type, isOptional: value == nil)
  attribute.renamingIdentifier = former
  if let value { attribute.defaultValue = value }
  return attribute
}

extension RelationshipDescription {
  func was(_ name: String) -> RelationshipDescription {
    var copy = self
    copy.renamingIdentifier = name
    return copy
  }
}

extension ManagedObjectContext {
  @discardableResult
  func add(_ entity: String, _ values: [String: Value] = [:]) throws -> ManagedObject {
    let object = try insert(entityNamed: entity)
    for (name, value) in values { object[name] = value }
    return object
  }

  /// The values of an attribute in the order of the keys.
  func valuesByKey(_ entity: String, _ name: String) throws -> [Value] {
    try allByKey(entity).map { $0[name] }
  }

  func allByKey(_ entity: String) throws -> [ManagedObject] {
    try fetch(FetchRequest(entity)).sorted {
      $0.objectID.key.primaryKey < $1.objectID.key.primaryKey
    }
  }
}
