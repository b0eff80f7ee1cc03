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

  // MARK: - The order of versions

  /// A value that got another name in each of three versions.
  private static func versions() throws -> [ManagedObjectModel] {
    try [("a", nil), ("b", "a"), ("c", "b")].map { name, former in
      var attribute = AttributeDescription(name, .string, isOptional: true)
      attribute.renamingIdentifier = former
      return try model(EntityDescription("Book", attributes: [attribute]))
    }
  }

  @Test func theErrorTellsThatTheOrderIsTheMatter() throws {
    let all = try Self.versions()
    var store = try MigratedStore(from: all[0], to: all[2]) {
      try $0.make("Book", ["a": "kept"])
    }
    store.options.migration.losses = .declared
    store.options.migration.versions = [all[1], all[0]]
    #expect(try store.problems().map(\.kind) == [.loss])
    #expect(try store.forecast().notes.contains { $0.contains("number 2 of 2") })
    let first = #expect(throws: StoreError.self) { try store.migrate() }
    #expect(
      first?.description.contains("The order of migration.versions seems to be wrong") == true)
    store.options.migration.versions = [all[2], all[1], all[0]]
    let error = #expect(throws: StoreError.self) { try store.migrate() }
    #expect(error?.description.contains("put the versions into their order") == true)
    store.options.migration.versions = [all[0], all[1]]
    let stack = try store.migrate()
    try stack.look { context throws in
      #expect(try context.values("Book", "c", by: "c") == ["kept"])
    }
    try stack.store.close()
  }

  /// A version before the store's explains nothing here.
  @Test func theErrorOfARightOrderSaysNothingOfIt() throws {
    let all = try Self.versions()
    var store = try MigratedStore(from: all[1], to: Self.model(Self.log)) {
      try $0.make("Book", ["b": "kept"])
    }
    store.options.migration.losses = .declared
    store.options.migration.versions = [all[0], all[1]]
    let error = #expect(throws: StoreError.self) { try store.migrate() }
    #expect(error?.description.contains("order") == false)
  }
}
