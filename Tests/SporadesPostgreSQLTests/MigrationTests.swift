// SPDX-License-Identifier: MIT
import Foundation
import Sporades
import SporadesGraph
import SporadesModel
import SporadesPostgreSQL
import SporadesStore
import TestServer
import Testing

/// Stores on a server that get another version of their model.
@Suite(.enabled(if: TestServer.isThere, "There is no PostgreSQL on this machine."))
struct MigrationTests {
  private let place: TestStore

  init() throws { place = try TestStore() }

  private static func attribute(
    _ name: String, _ type: AttributeType = .string, isOptional: Bool = true,
    defaultValue: Value = .null, was former: String? = nil
  ) -> AttributeDescription {
    var attribute = AttributeDescription(
      name, type, isOptional: isOptional, defaultValue: defaultValue)
    attribute.renamingIdentifier = former
    return attribute
  }

  private static func pet(_ attributes: [AttributeDescription]) throws -> ManagedObjectModel {
    try ManagedObjectModel(entities: [
      EntityDescription("Pet", attributes: [attribute("name")] + attributes)
    ])
  }

  private func fill(_ model: ManagedObjectModel, _ rows: [[String: Value]]) throws {
    let store = try place.open(model)
    try DataStack(store: store).newContext().performAndWait { context in
      for row in rows {
        let object = try context.insert(entityNamed: "Pet")
        for (name, value) in row { object[name] = value }
      }
      try context.save()
    }
    try store.close()
  }

  private func values(_ store: PostgreSQLStore, _ name: String) throws -> [Value] {
    try DataStack(store: store).newContext().performAndWait { context in
      try context.fetch(FetchRequest("Pet", sortedBy: [SortTerm("name")])).map { $0[name] }
    }
  }

  /// Each message of a migration is the last one of its connection once, for either side.
  @Test(arguments: [ServerProxy.Speaker.client, .server], [false, true])
  func theNextOneDoesAMigrationThatWasCut(
    _ speaker: ServerProxy.Speaker, isDelivered: Bool
  ) throws {
    let old = try Self.pet([Self.attribute("nick"), Self.attribute("age", .integer16)])
    let new = try Self.pet([
      Self.attribute("alias", was: "nick"), Self.attribute("age", .string),
      Self.attribute("legs", .integer32, isOptional: false, defaultValue: .integer(4)),
    ])
    let proxy = try ServerProxy(to: place.server)
    var cuts = 0
    for number in stride(from: isDelivered ? 3 : 1, to: .max, by: 7) {
      let tests = try MigrationTests()
      try tests.fill(old, [["name": "a", "nick": "A", "age": .integer(3)], ["name": "b"]])
      proxy.expect([ServerProxy.Cut(speaker, number, isDelivered: isDelivered)])
      var options = tests.place.options
      options.migration.versions = [old, new]
      // The store may be open already when its connection is cut, which a later request would notice.
      _ = try? PostgreSQLStore(proxy.address, model: new, options: options).close()
      let isOver = proxy.cutsLeft > 0
      proxy.expect()
      let store = try tests.place.open(new, options.migration)
      #expect(try tests.values(store, "alias") == ["A", .null], "\(number)")
      #expect(try tests.values(store, "age") == ["3", .null], "\(number)")
      #expect(try tests.values(store, "legs") == [.integer(4), .integer(4)], "\(number)")
      try store.close()
      if isOver { break }
      cuts += 1
    }
    #expect(cuts > 10)
  }

  @Test func attributesComeGoAndGetOtherNames() throws {
    let old = try Self.pet([
      Self.attribute("nick"), Self.attribute("age", .integer16), Self.attribute("born", .date),
    ])
    let new = try Self.pet([
      Self.attribute("alias", was: "nick"), Self.attribute("age", .integer64),
      Self.attribute("legs", .integer32, isOptional: false, defaultValue: .integer(4)),
    ])
    try fill(old, [["name": "a", "nick": "A", "age": .integer(3)], ["name": "b"]])
    var options = MigrationOptions()
    options.versions = [old, new]
    let store = try place.open(new, options)
    #expect(try values(store, "alias") == ["A", .null])
    #expect(try values(store, "age") == [.integer(3), .null])
    #expect(try values(store, "legs") == [.integer(4), .integer(4)])
    try store.close()
    let again = try place.open(new)
    #expect(try values(again, "legs") == [.integer(4), .integer(4)])
    try again.close()
    let fresh = try TestStore()
    try fresh.open(new).close()
    #expect(try place.schema() == fresh.schema())
  }

  @Test func aConstantForAllRowsIsKeptOnce() throws {
    let old = try Self.pet([])
    let new = try Self.pet([
      Self.attribute("legs", .integer32, isOptional: false, defaultValue: .integer(4)),
      Self.attribute("isTame", .boolean, isOptional: false, defaultValue: .boolean(true)),
      Self.attribute("kind", isOptional: false, defaultValue: "it's"),
    ])
    try fill(old, [["name": "a"]])
    let before = try place.lines("SELECT xmin FROM pet")
    let store = try place.open(new)
    #expect(try values(store, "kind") == ["it's"])
    #expect(try values(store, "isTame") == [.boolean(true)])
    // Nobody wrote the row.
    #expect(try place.lines("SELECT xmin FROM pet") == before)
    try store.close()
  }

  @Test func whatCannotBeKeptIsRefusedByNameAndNothingChanges() throws {
    let old = try Self.pet([Self.attribute("code")])
    let new = try Self.pet([Self.attribute("code", .integer32)])
    try fill(
      old, [["name": "a", "code": "7"], ["name": "b", "code": "x"], ["name": "c", "code": "y"]])
    let former = try place.schema() + place.contents()
    let error = #expect(throws: StoreError.self) { try place.open(new).close() }
    guard case .cannotMigrate(let problems)? = error?.code else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(problems.map(\.kind) == [.inconvertibleValue])
    #expect(problems.map(\.entity) == ["Pet"])
    #expect(problems.map(\.property) == ["code"])
    #expect(problems.map(\.count) == [2])
    #expect(try place.schema() + place.contents() == former)
    let forecast = try PostgreSQLStore.migrationForecast(
      forStoreAt: place.server.address, to: new, options: place.options)
    #expect(forecast.problems == problems)
    #expect(try place.schema() + place.contents() == former)
    try place.open(old).close()
  }

  @Test func contentIsRemovedOnlyIfThatIsDeclared() throws {
    let old = try Self.pet([Self.attribute("nick")])
    let new = try Self.pet([])
    try fill(old, [["name": "a", "nick": "A"]])
    let error = #expect(throws: StoreError.self) { try place.open(new).close() }
    guard case .cannotMigrate(let problems)? = error?.code else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(problems.map(\.kind) == [.loss])
    var options = MigrationOptions()
    options.versions = [old, new]
    let store = try place.open(new, options)
    #expect(try values(store, "name") == ["a"])
    try store.close()
  }

  @Test func aStoreIsNotChangedBack() throws {
    let old = try Self.pet([])
    let new = try Self.pet([Self.attribute("age", .integer32)])
    try place.open(old).close()
    try place.open(new).close()
    let error = #expect(throws: StoreError.self) { try place.open(old).close() }
    #expect(error?.code == .incompatibleModel(["Pet"]))
  }

  @Test func aStoreOfAnotherVersionIsRefusedWhereMigrationIsOff() throws {
    try place.open(Self.pet([])).close()
    let new = try Self.pet([Self.attribute("age", .integer32)])
    let error = #expect(throws: StoreError.self) { try place.open(new, .off).close() }
    #expect(error?.code == .incompatibleModel(["Pet"]))
    var options = MigrationOptions()
    options.keepsCopy = true
    let other = #expect(throws: StoreError.self) { try place.open(new, options).close() }
    #expect(other?.code == .unsupported)
    #expect(other?.detail.contains("keepsCopy") == true)
  }

  // MARK: - Several processes

  /// The older store's tables are still there, with more columns, so that only the number of migrations tells it.
  @Test func aStoreThatWasMigratedMeanwhileCommitsNothing() throws {
    let old = try Self.pet([])
    let new = try Self.pet([Self.attribute("age", .integer32)])
    try fill(old, [["name": "a"]])
    let stale = try place.open(old)
    let stack = DataStack(store: stale)
    let fresh = try place.open(new)
    let error = #expect(throws: (any Error).self) {
      try stack.newContext().performAndWait { context in
        try context.insert(entityNamed: "Pet")["name"] = "b"
        try context.save()
      }
      try stale.commit(.immediate)
    }
    #expect("\(String(describing: error))".contains("another version of the model"))
    let metadata = #expect(throws: StoreError.self) { try stale.setMetadata(["a": .string("b")]) }
    #expect(metadata?.code == .modelChanged)
    let removal = #expect(throws: StoreError.self) { try stale.removeAllRows() }
    #expect(removal?.code == .modelChanged)
    #expect(try values(fresh, "name") == ["a"])
    try fresh.close()
  }

  @Test func severalWhoOpenAtOnceMigrateOnce() async throws {
    let old = try Self.pet([])
    let new = try Self.pet([Self.attribute("age", .integer32)])
    try fill(old, [["name": "a"]])
    let place = place
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<6 {
        group.addTask { try place.open(new).close() }
      }
      try await group.waitForAll()
    }
    #expect(try place.lines("SELECT migrations FROM sporades_store") == ["1"])
  }

  @Test func aMigrationWaitsForATransactionAndEndsBusyWhereItDoesNotEnd() throws {
    let old = try Self.pet([])
    let new = try Self.pet([Self.attribute("age", .integer32)])
    try fill(old, [["name": "a"]])
    let holder = try place.open(old)
    let changes = try holder.generation()
    _ = try holder.rows(
      StoreFetch(try #require(old.shape(named: "Pet"))), in: .generation(changes))
    var options = MigrationOptions()
    options.patienceMilliseconds = 200
    let error = #expect(throws: StoreError.self) { try place.open(new, options).close() }
    #expect(error?.code == .busy)
    withExtendedLifetime(changes) {}
    try holder.close()
  }

  @Test func aCancelledMigrationLeavesEverything() throws {
    let old = try Self.pet([])
    let new = try Self.pet([Self.attribute("age", .integer32)])
    try fill(old, [["name": "a"]])
    let former = try place.schema() + place.contents()
    var options = MigrationOptions()
    let progress = MigrationProgress()
    options.progress = progress
    progress.cancel()
    let error = #expect(throws: StoreError.self) { try place.open(new, options).close() }
    #expect(error?.code == .cancelled)
    #expect(try place.schema() + place.contents() == former)
  }
}
