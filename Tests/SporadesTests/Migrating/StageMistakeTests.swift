// SPDX-License-Identifier: MIT
import Foundation
import Sporades
import SporadesGraph
import Testing

/// Mistakes in plans, and what their errors say.
@Suite struct StageMistakeTests {
  private let folder: TemporaryFolder
  private let file: URL

  init() throws {
    folder = try TemporaryFolder()
    file = folder.file("Shop.sqlite")
    let stack = try DataStack(sqlite: file, entities: ShopV1.entities)
    try stack.main.performAndWait { context in
      ShopV1.Book.create(in: context).title = "Emma"
      try context.save()
    }
    if let error = stack.root.close() { throw error }
  }

  private func failure(
    _ entities: [ManagedObject.Type], _ stages: MigrationStage...
  ) throws -> StoreError {
    var options = SQLiteStoreOptions()
    options.migrationPlan = MigrationPlan(stages)
    return try #require(throws: StoreError.self) {
      _ = try DataStack(sqlite: file, entities: entities, options: options)
    }
  }

  @Test func aClassThatTheVersionLacksIsNamedWithItsVersion() throws {
    let error = try failure(
      ShopV2b.entities,
      .custom(
        fromVersion: ShopV1.self, toVersion: ShopV2b.self,
        willMigrate: { _ = try ShopV2b.Author.all(in: $0) }))
    #expect(error.description.contains("ShopV1 has no Author. The class is one of ShopV2b"))
    #expect(!error.description.contains("Mark the class @Entity"))
  }

  /// The store has a later version than all of the plan's.
  @Test func aProgramThatIsOlderThanTheStoreIsToldSo() throws {
    var options = SQLiteStoreOptions()
    options.migrationPlan = MigrationPlan([
      .custom(
        fromVersion: ShopV1.self, toVersion: ShopV2b.self,
        willMigrate: { for book in try ShopV1.Book.all(in: $0) { book.price = nil } }),
      .custom(fromVersion: ShopV2b.self, toVersion: ShopV3.self) { context in
        let author = ShopV3.Author.create(in: context)
        for book in try ShopV3.Book.all(in: context) { book.author = author }
      },
    ])
    let stack = try DataStack(sqlite: file, entities: ShopV3.entities, options: options)
    if let error = stack.root.close() { throw error }
    let error = try failure(
      ShopV2b.entities, .lightweight(fromVersion: ShopV1.self, toVersion: ShopV2b.self))
    #expect(error.description.contains("written with a later version of the model"))
    #expect(error.description.contains("newer version of the program"))
  }

  /// The program of the second version has no plan, and the new attribute has no values.
  @Test func aStoreThatAPlanMadeRefusesAFormerProgram() throws {
    let place = folder.file("New.sqlite")
    var options = SQLiteStoreOptions()
    options.migrationPlan = MigrationPlan([
      .lightweight(fromVersion: ShopV1.self, toVersion: ShopV2b.self),
      .lightweight(fromVersion: ShopV2b.self, toVersion: ShopV3.self),
    ])
    let stack = try DataStack(sqlite: place, entities: ShopV3.entities, options: options)
    if let error = stack.root.close() { throw error }
    for entities in [ShopV1.entities, ShopV2b.entities] {
      let error = try #require(throws: StoreError.self) {
        _ = try DataStack(sqlite: place, entities: entities)
      }
      #expect(error.description.contains("written with a later version"), "\(error)")
    }
  }
}
