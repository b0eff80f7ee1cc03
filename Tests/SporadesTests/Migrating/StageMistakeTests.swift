// SPDX-License-Identifier: MIT
import Foundation
import Sporades
import SporadesGraph
import Testing

/// Mistakes in plans, and what their errors say.
@Suite final class StageMistakeTests: ShopStore {
  init() throws { try super.init { ShopV1.Book.create(in: $0).title = "Emma" } }

  private func failure(
    _ entities: [ManagedObject.Type], _ stages: MigrationStage...
  ) throws -> StoreError {
    try #require(throws: StoreError.self) { _ = try open(file, entities, stages) }
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
    let stack = try open(
      ShopV3.entities,
      .custom(
        fromVersion: ShopV1.self, toVersion: ShopV2b.self,
        willMigrate: { for book in try ShopV1.Book.all(in: $0) { book.price = nil } }),
      .custom(fromVersion: ShopV2b.self, toVersion: ShopV3.self) { context in
        let author = ShopV3.Author.create(in: context)
        for book in try ShopV3.Book.all(in: context) { book.author = author }
      })
    if let error = stack.root.close() { throw error }
    let error = try failure(
      ShopV2b.entities, .lightweight(fromVersion: ShopV1.self, toVersion: ShopV2b.self))
    #expect(error.description.contains("written with a later version of the model"))
    #expect(error.description.contains("newer version of the program"))
  }

  /// The program of the second version has no plan, and the new attribute has no values.
  @Test func aStoreThatAPlanMadeRefusesAFormerProgram() throws {
    let place = folder.file("New.sqlite")
    let stack = try open(
      place, ShopV3.entities,
      [
        .lightweight(fromVersion: ShopV1.self, toVersion: ShopV2b.self),
        .lightweight(fromVersion: ShopV2b.self, toVersion: ShopV3.self),
      ])
    if let error = stack.root.close() { throw error }
    for entities in [ShopV1.entities, ShopV2b.entities] {
      let error = try #require(throws: StoreError.self) {
        _ = try DataStack(sqlite: place, entities: entities)
      }
      #expect(error.description.contains("written with a later version"), "\(error)")
    }
  }

  /// Whoever exchanges the versions of a stage is told so.
  @Test func aStageThatLeadsBackIsNamed() throws {
    let error = try failure(
      ShopV2b.entities, .lightweight(fromVersion: ShopV2b.self, toVersion: ShopV1.self))
    #expect(
      error.description.contains(
        "The stage from ShopV2b leads to it: if that is the newer version, exchange fromVersion and toVersion."
      ),
      "\(error)")
  }
}
