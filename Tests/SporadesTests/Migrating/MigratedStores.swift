// SPDX-License-Identifier: MIT
import Foundation
import Sporades
import SporadesGraph
import Testing

// Superclasses of suites: a store that a migration is to change, in a folder that is gone after the test.

/// The place of a store of one model, and the model that follows.
class StoreOfTwoModels {
  let folder: MigrationFolder
  let url: URL
  let old: ManagedObjectModel
  let new: ManagedObjectModel

  init(_ old: [EntityDescription], _ new: [EntityDescription]) throws {
    folder = try MigrationFolder()
    url = folder.url.appendingPathComponent("shop.sqlite")
    self.old = try ManagedObjectModel(entities: old)
    self.new = try ManagedObjectModel(entities: new)
  }

  /// An attribute whose large values lie in files.
  static var largePicture: AttributeDescription {
    var picture = AttributeDescription("picture", .binary, isOptional: true)
    picture.allowsExternalBinaryDataStorage = true
    return picture
  }

  static func text(_ name: String) -> AttributeDescription {
    AttributeDescription(name, .string, isOptional: true)
  }

  func options(
    _ stage: MigrationStage, _ losses: MigrationOptions.Losses = .declared
  ) -> SQLiteStoreOptions {
    var options = SQLiteStoreOptions()
    options.migration.losses = losses
    options.migrationPlan = MigrationPlan([stage])
    return options
  }

  /// Opens the store with the newer model, and closes it.
  func open(_ options: SQLiteStoreOptions) throws {
    try SQLiteStore(url: url, model: new, options: options).close()
  }

  /// The problems for which a migration is refused. The folder keeps the named entries.
  func problems(leaving names: [String], _ body: () throws -> Void) throws -> [MigrationProblem] {
    let error = #expect(throws: StoreError.self, performing: body)
    guard case .cannotMigrate(let problems)? = error?.code else {
      Issue.record("\(String(describing: error))")
      return []
    }
    #expect(error?.isRetryable == false)
    #expect(try folder.names == names)
    return problems
  }
}

/// The store of a shop's first version.
class ShopStore {
  let folder: TemporaryFolder
  let file: URL

  init(_ fill: (ManagedObjectContext) throws -> Void) throws {
    folder = try TemporaryFolder()
    file = folder.file("Shop.sqlite")
    let stack = try DataStack(sqlite: file, entities: ShopV1.entities)
    try stack.main.performAndWait { context in
      try fill(context)
      try context.save()
    }
    if let error = stack.root.close() { throw error }
  }

  func open(
    _ entities: [ManagedObject.Type], _ stages: MigrationStage...,
    change: (inout SQLiteStoreOptions) -> Void = { _ in }
  ) throws -> DataStack {
    try open(file, entities, stages, change)
  }

  func open(
    _ file: URL, _ entities: [ManagedObject.Type], _ stages: [MigrationStage],
    _ change: (inout SQLiteStoreOptions) -> Void = { _ in }
  ) throws -> DataStack {
    var options = SQLiteStoreOptions()
    options.migrationPlan = MigrationPlan(stages)
    change(&options)
    return try DataStack(sqlite: file, entities: entities, options: options)
  }
}
