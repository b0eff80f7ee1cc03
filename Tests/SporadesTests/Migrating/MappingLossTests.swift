// SPDX-License-Identifier: MIT
import Foundation
import Sporades
import SporadesXcode
import Testing

/// The content that a mapping model leaves behind.
@Suite final class MappingLossTests: StoreOfTwoModels {
  init() throws {
    let (name, note) = (Self.text("name"), Self.text("note"))
    let length = AttributeDescription("length", .integer64, isOptional: true)
    try super.init(
      [
        EntityDescription("Customer", attributes: [name, note]),
        EntityDescription("Order", attributes: [name]),
        EntityDescription("Tag", attributes: [name]),
        EntityDescription("Empty", attributes: [name]),
      ],
      [
        EntityDescription("Customer", attributes: [name, length]),
        EntityDescription("Order", attributes: [name]),
        EntityDescription("Empty", attributes: [name, length]),
      ])
    try withObjects(of: url, old) { context in
      for number in 1...3 {
        try context.add("Customer", ["name": .string("C\(number)")])
        try context.add("Order", ["name": .string("O\(number)")])
      }
      try context.add("Customer", ["note": "n"])
      try context.add("Tag", ["name": "T"])
    }
  }

  private static let customer = EntityMapping(
    from: "Customer", to: "Customer", attributes: [.init("name"), .init("length", "1")])
  private static let order = EntityMapping(from: "Order", to: "Order", attributes: [.init("name")])

  private func options(
    _ mapping: MappingModel, _ losses: MigrationOptions.Losses = .declared,
    policies: [String: EntityMigrationPolicy.Type] = [:]
  ) -> SQLiteStoreOptions {
    options(.mapping(from: old, to: new, mapping, policies: policies), losses)
  }

  private func forecast(_ options: SQLiteStoreOptions) throws -> MigrationForecast {
    try SQLiteStore.migrationForecast(forStoreAt: url, to: new, options: options)
  }

  /// The problems of an opening, which are those of its forecast. The store stays as it is.
  private func problems(_ options: SQLiteStoreOptions) throws -> [MigrationProblem] {
    let problems = try problems(leaving: ["shop.sqlite"]) { try open(options) }
    #expect(try forecast(options).problems == problems)
    try withObjects(of: url, old) { context throws in
      let counts = try ["Customer", "Order", "Tag"].map { try context.all($0).count }
      #expect(counts == [4, 3, 1])
    }
    return problems
  }

  @Test func anEntityThatSomebodyForgotIsRefused() throws {
    let options = options(MappingModel([Self.customer]))
    let problems = try problems(options)
    #expect(problems.map(\.kind) == [.loss])
    #expect(problems.map(\.entity) == ["Order"] && problems.map(\.count) == [3])
    #expect(problems.first?.sentence.contains("Order has 3 objects and no entity mapping") == true)
    let losses = try forecast(options).losses.map {
      "\($0.entity).\($0.property ?? ""): \($0.count)"
    }
    #expect(losses == ["Customer.note: 1", "Order.: 3", "Tag.: 1"])
  }

  /// No part of the program says that the value of an attribute goes.
  @Test func anAttributeThatSomebodyForgotIsRefused() throws {
    let bare = EntityMapping(from: "Customer", to: "Customer")
    let problems = try problems(options(MappingModel([bare, Self.order])))
    #expect(problems.map(\.property) == ["name"] && problems.map(\.count) == [3])
    #expect(problems.first?.sentence.contains("PropertyMapping(\"name\")") == true)
  }

  @Test func theManagerRefusesThemToo() throws {
    let error = #expect(throws: StoreError.self) {
      try MigrationManager(source: old, destination: new)
        .migrateStore(from: url, with: MappingModel([Self.customer]))
    }
    #expect(error?.detail.contains("Order has 3 objects") == true)
    #expect(try folder.names == ["shop.sqlite"])
  }

  /// The newer version lacks one entity, and a mapping removes the other.
  @Test func whatTheProgramRemovesGoes() throws {
    let nothing = PropertyMapping("name", nil)
    let mapping = MappingModel([
      EntityMapping(from: "Customer", to: "Customer", attributes: [nothing]),
      EntityMapping(from: "Order", to: nil),
    ])
    let options = options(mapping)
    #expect(try forecast(options).problems == [])
    #expect(try forecast(options).losses.map(\.count) == [3, 1, 3, 1])
    try open(options)
    try withObjects(of: url, new) { context throws in
      let counts = try ["Customer", "Order"].map { try context.all($0).count }
      #expect(counts == [4, 0])
    }
  }

  @Test func refusedLossesRemoveNothing() throws {
    let mapping = MappingModel([Self.customer, Self.order])
    let problems = try problems(options(mapping, .refused))
    #expect(Set(problems.map { "\($0.entity).\($0.property ?? "")" }) == ["Customer.note", "Tag."])
    #expect(problems.allSatisfy { $0.sentence.contains("migration.losses is .refused") })
    let inferred = MappingModel.inferred(from: old, to: new)
    #expect(try self.problems(options(inferred, .refused)).count == 2)
  }

  @Test func allowedLossesGo() throws {
    let options = options(MappingModel([Self.customer]), .allowed)
    #expect(try forecast(options).problems == [])
    try open(options)
    try withObjects(of: url, new) { context throws in
      #expect(try context.all("Order").isEmpty)
    }
  }

  /// A policy sees all objects, so that nobody knows what it leaves behind.
  @Test func whatCodeSeesIsLeftToIt() throws {
    var customer = Self.customer
    customer.entityMigrationPolicyClassName = "Plain"
    let mapping = MappingModel([customer, Self.order])
    let options = options(mapping, .refused, policies: ["Plain": EntityMigrationPolicy.self])
    let forecast = try forecast(options)
    #expect(forecast.losses == [] && forecast.problems == [])
    #expect(forecast.lossesLeftToCode.map(\.entity) == ["Customer", "Tag"])
    try open(options)
  }

  @Test func anInferredMappingModelLosesWhatItsVersionsRemove() throws {
    let options = options(.inferred(from: old, to: new))
    #expect(try forecast(options).problems == [])
    #expect(try forecast(options).losses.map(\.entity) == ["Customer", "Tag"])
    try open(options)
  }

  /// A stage without code names both of its versions, too.
  @Test func aStageRemovesNothingWhereLossesAreRefused() throws {
    var options = SQLiteStoreOptions()
    options.migrationPlan = MigrationPlan([.lightweight(from: old, to: new)])
    options.migration.losses = .refused
    #expect(Set(try problems(options).map(\.entity)) == ["Customer", "Tag"])
    options.migrationPlan = MigrationPlan([
      .custom(from: old, to: new, willMigrate: { _ in }, didMigrate: { _ in })
    ])
    #expect(try forecast(options).problems == [])
    try open(options)
  }

  @Test func theManagerNamesTheStoreOfAnotherVersion() throws {
    let error = #expect(throws: StoreError.self) {
      try MigrationManager(source: new, destination: old)
        .migrateStore(from: url, with: .inferred(from: new, to: old))
    }
    #expect(error?.detail.contains("than the source model of the migration manager") == true)
    #expect(error?.description.contains("draft") == false)
  }
}
