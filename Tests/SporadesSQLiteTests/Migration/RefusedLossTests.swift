// SPDX-License-Identifier: MIT
import Foundation
import SporadesGraph
import SporadesModel
import SporadesSQLite
import SporadesStore
import Testing

/// Migrations that would remove content which the program has not removed on purpose.
@Suite struct RefusedLossTests {
  private static let title = AttributeDescription("title", .string, isOptional: true)
  private static let book = EntityDescription("Book", attributes: [title])
  private static let log = EntityDescription(
    "Log", attributes: [AttributeDescription("text", .string, isOptional: true)])

  private static func model(_ entities: EntityDescription...) throws -> ManagedObjectModel {
    try ManagedObjectModel(entities: entities)
  }

  /// A store with two books, one of them without a title, and a log.
  private static func store(to new: ManagedObjectModel) throws -> MigratedStore {
    var store = try MigratedStore(from: model(book, log), to: new) { context in
      try context.insert(entityNamed: "Book").setValue("Emma", forKey: "title")
      _ = try context.insert(entityNamed: "Book")
      _ = try context.insert(entityNamed: "Log")
    }
    store.options.migration.losses = .declared
    return store
  }

  @Test func anEntityThatSomebodyForgotToListKeepsTheStoreAsItIs() throws {
    let problems = try Self.store(to: Self.model(Self.book)).problems()
    #expect(problems.map(\.kind) == [.loss])
    #expect(problems.map(\.entity) == ["Log"])
    #expect(problems.map(\.count) == [1])
    #expect(problems[0].sentence.contains("1 object of it"))
  }

  @Test func anAttributeWithANewNameAloneIsALoss() throws {
    let renamed = EntityDescription(
      "Book", attributes: [AttributeDescription("name", .string, isOptional: true)])
    let problems = try Self.store(to: Self.model(renamed, Self.log)).problems()
    #expect(problems.map(\.property) == ["title"])
    #expect(problems[0].sentence.contains("renamed(from:)"))
  }

  @Test func whatHasNoContentMayGo() throws {
    let bare = EntityDescription("Log", attributes: [])
    let store = try Self.store(to: Self.model(Self.book, bare))
    #expect(try store.forecast().losses == [])
    try store.migrate().store.close()
  }

  @Test func whatTheProgramRemovedBetweenTwoVersionsMayGo() throws {
    var store = try Self.store(to: Self.model(Self.book))
    store.options.migration.versions = [store.old]
    #expect(try store.problems().map(\.kind) == [.loss])
    store.options.migration.versions = [store.old, store.new]
    #expect(try store.forecast().losses == [.init(entity: "Log", count: 1)])
    try store.migrate().store.close()
  }

  @Test func aStoreThatIsKeptLosesNothing() throws {
    var store = try Self.store(to: Self.model(Self.book))
    store.options.migration.keepsCopy = true
    try store.migrate().store.close()
    let copy = store.url.deletingLastPathComponent().appendingPathComponent(
      "Store-before-1.sqlite")
    #expect(try PlainStore(copy.path).rows("SELECT COUNT(*) FROM ZLOG") == [[.integer(1)]])
  }

  @Test func nothingMayGoWhereLossesAreRefused() throws {
    var store = try Self.store(to: Self.model(Self.book))
    store.options.migration.versions = [store.old, store.new]
    store.options.migration.keepsCopy = true
    store.options.migration.losses = .refused
    #expect(try store.problems().map(\.kind) == [.loss])
  }
}
