// SPDX-License-Identifier: MIT
import Foundation
import SporadesGraph
import SporadesModel
import SporadesSQLite
import SporadesStore
import Testing

@Suite struct AttributeMigrationTests {
  private func model(
    _ attributes: [AttributeDescription], _ change: (inout EntityDescription) -> Void = { _ in }
  ) throws -> ManagedObjectModel {
    var pet = EntityDescription(
      "Pet",
      attributes: [AttributeDescription("name", .string, isOptional: true)] + attributes)
    change(&pet)
    return try ManagedObjectModel(entities: [pet])
  }

  private func attribute(
    _ name: String, _ type: AttributeType = .string, isOptional: Bool = true,
    defaultValue: Value = .null, was former: String? = nil
  ) -> AttributeDescription {
    var attribute = AttributeDescription(
      name, type, isOptional: isOptional, defaultValue: defaultValue)
    attribute.renamingIdentifier = former
    return attribute
  }

  private func store(
    _ old: [AttributeDescription], _ new: [AttributeDescription], _ rows: [[String: Value]]
  ) throws -> MigratedStore {
    try MigratedStore(from: model(old), to: model(new)) { context in
      for (place, row) in rows.enumerated() {
        try context.make("Pet", row.merging(["name": .string("\(place)")]) { first, _ in first })
      }
    }
  }

  @Test func anAttributeIsAdded() throws {
    let store = try store([], [attribute("age", .integer32)], [[:], [:]])
    #expect(try store.forecast().description == "add the column ZAGE to ZPET")
    let stack = try store.migrate()
    try stack.look { context throws in
      #expect(try context.values("Pet", "name") == ["0", "1"])
      #expect(try context.values("Pet", "age") == [.null, .null])
      try context.all("Pet")[0]["age"] = 7
      try context.save()
    }
    try stack.store.close()
    #expect(try store.plain().rows("SELECT ZAGE FROM ZPET") == [[.integer(7)], [.null]])
  }

  /// The hashes of properties have no names of columns, so the modifier alone tells the versions apart.
  @Test func twoAttributesExchangeTheirNames() throws {
    let old = try model([attribute("home"), attribute("work")])
    let new = try model([attribute("home", was: "work"), attribute("work", was: "home")]) {
      $0.versionHashModifier = "2"
    }
    let store = try MigratedStore(from: old, to: new) { context in
      try context.make("Pet", ["name": "0", "home": "h", "work": "w"])
    }
    let forecast = try store.forecast()
    #expect(forecast.steps.count == 2 && forecast.rows == 0, "\(forecast)")
    let stack = try store.migrate()
    try stack.look { context throws in
      #expect(try context.values("Pet", "home") == ["w"])
      #expect(try context.values("Pet", "work") == ["h"])
    }
    try stack.store.close()
    #expect(
      try store.plain().rows("SELECT ZHOME, ZWORK FROM ZPET") == [[.text("w"), .text("h")]])
  }

  @Test func anAddedAttributeGetsItsDefault() throws {
    let store = try store(
      [],
      [
        attribute("age", .integer32, isOptional: false, defaultValue: 3),
        attribute("kind", defaultValue: "dog"),
      ], [[:], [:]])
    let stack = try store.migrate()
    try stack.look { context throws in
      #expect(try context.values("Pet", "age") == [3, 3])
      #expect(try context.values("Pet", "kind") == ["dog", "dog"])
    }
  }

  @Test func anAttributeIsRemoved() throws {
    let store = try store([attribute("age", .integer32)], [], [["age": 1], [:]])
    let forecast = try store.forecast()
    #expect(forecast.losses == [.init(entity: "Pet", property: "age", count: 1)])
    #expect(forecast.rows == 2)
    let stack = try store.migrate()
    try stack.look { context throws in
      #expect(try context.values("Pet", "name") == ["0", "1"])
    }
    #expect(try store.plain().columns(of: "ZPET") == ["Z_PK", "Z_ENT", "Z_OPT", "ZNAME"])
  }

  @Test func attributesExchangeTheirNames() throws {
    let store = try store(
      [attribute("first"), attribute("second")],
      // Another attribute makes it another version: names that are exchanged do not change the hash.
      [attribute("first", was: "second"), attribute("second", was: "first"), attribute("third")],
      [["first": "a", "second": "b"]])
    #expect(try store.forecast().rows == 0)
    let stack = try store.migrate()
    try stack.look { context throws in
      #expect(try context.values("Pet", "first") == ["b"])
      #expect(try context.values("Pet", "second") == ["a"])
    }
  }

  @Test func renamingsAreFollowedThroughTheKnownVersions() throws {
    var store = try store([attribute("a")], [attribute("c", was: "b")], [["a": "kept"]])
    store.options.migration.versions = [
      store.old, try model([attribute("b", was: "a")]), store.new,
    ]
    let stack = try store.migrate()
    try stack.look { context throws in
      #expect(try context.values("Pet", "c") == ["kept"])
    }
  }

  @Test func aRequiredAttributeGetsTheDefaultWhereItHasNoValue() throws {
    let store = try store(
      [attribute("age", .integer32)],
      [attribute("age", .integer32, isOptional: false, defaultValue: 9)], [["age": 1], [:]])
    let stack = try store.migrate()
    try stack.look { context throws in
      #expect(try context.values("Pet", "age") == [1, 9])
    }
  }

  @Test func missingValuesAreReported() throws {
    let store = try store(
      [attribute("age", .integer32)],
      [attribute("age", .integer32, isOptional: false), attribute("kind", isOptional: false)],
      [["age": 1], [:], [:]])
    let problems = try store.problems().sorted { $0.property ?? "" < $1.property ?? "" }
    #expect(problems.map(\.kind) == [.missingValue, .missingValue])
    #expect(problems.map(\.property) == ["age", "kind"])
    #expect(problems.map(\.count) == [2, 3])
    #expect(problems.map(\.keys.count) == [2, 3])
  }

  @Test func aRequiredAttributeBecomesOptional() throws {
    let store = try store(
      [attribute("age", .integer32, isOptional: false)], [attribute("age", .integer32)],
      [["age": 1]])
    #expect(try store.forecast().steps.isEmpty)
    let stack = try store.migrate()
    try stack.look { context throws in
      #expect(try context.values("Pet", "age") == [1])
    }
  }

  // MARK: - Opening

  @Test func migrationCanBeSwitchedOff() throws {
    let store = try store([], [attribute("age", .integer32)], [[:]])
    var options = SQLiteStoreOptions()
    options.migration = .off
    let error = #expect(throws: StoreError.self) {
      try SQLiteStore(url: store.url, model: store.new, options: options)
    }
    #expect(error?.code == .incompatibleModel(["Pet"]))
    options = SQLiteStoreOptions()
    options.isReadOnly = true
    let other = #expect(throws: StoreError.self) {
      try SQLiteStore(url: store.url, model: store.new, options: options)
    }
    #expect(other?.code == .incompatibleModel(["Pet"]))
  }

  @Test func anOlderVersionRefusesTheStore() throws {
    let store = try store([], [attribute("age", .integer32)], [[:]])
    try store.migrate().store.close()
    let error = #expect(throws: StoreError.self) {
      try SQLiteStore(url: store.url, model: store.old)
    }
    #expect(error?.code == .incompatibleModel(["Pet"]))
    #expect(error?.detail.contains("later version") == true)
  }

  @Test func whatBelongsToTheApplicationStays() throws {
    let store = try store([], [attribute("age", .integer32)], [[:]])
    let before = try SQLiteStore(url: store.url, model: store.old)
    try before.setMetadata(["mine": .string("kept")])
    let identifier = before.identifier
    try before.close()
    try store.plain().run("CREATE TABLE other (a, b); INSERT INTO other VALUES (1, 2)")
    try store.plain().run("CREATE VIEW seen AS SELECT ZNAME FROM ZPET")
    let stack = DataStack(store: try SQLiteStore(url: store.url, model: store.new))
    #expect(stack.store.identifier == identifier)
    #expect(try stack.store.metadata()["mine"] == .string("kept"))
    #expect(
      try stack.store.metadata()["SporadesModelLineage"]
        == .list([.string(store.old.versionChecksum)]))
    try stack.store.close()
    #expect(try store.plain().rows("SELECT * FROM other") == [[.integer(1), .integer(2)]])
    #expect(try store.plain().rows("SELECT * FROM seen") == [[.text("0")]])
    #expect(
      try ManagedObjectModel.cachedModel(forStoreAt: store.url)?.versionChecksum
        == store.new.versionChecksum)
  }

  @Test func migratingWithoutOpening() throws {
    let store = try store([], [attribute("age", .integer32)], [[:]])
    var options = SQLiteStoreOptions()
    let progress = MigrationProgress()
    options.migration.progress = progress
    progress.cancel()
    let error = #expect(throws: StoreError.self) {
      try SQLiteStore.migrate(storeAt: store.url, to: store.new, options: options)
    }
    #expect(error?.code == .cancelled)
    try SQLiteStore(url: store.url, model: store.old).close()
    let second = MigrationProgress()
    options.migration.progress = second
    try SQLiteStore.migrate(storeAt: store.url, to: store.new, options: options)
    #expect(second.fractionCompleted == 1)
    options.migration = .off
    try SQLiteStore(url: store.url, model: store.new, options: options).close()
  }

  private func former(_ store: MigratedStore) -> URL {
    store.url.deletingLastPathComponent().appendingPathComponent("Store-before-1.sqlite")
  }

  @Test func aCopyIsKeptWhereAsked() throws {
    var store = try store([], [attribute("age", .integer32)], [[:], [:]]).alone
    store.options.migration.keepsCopy = true
    try store.migrate().store.close()
    let copy = DataStack(store: try SQLiteStore(url: former(store), model: store.old))
    try copy.look { context throws in #expect(try context.values("Pet", "name") == ["0", "1"]) }
    try copy.store.close()
    try SQLiteStore(url: store.url, model: store.new, options: store.options).close()
    let second = store.url.deletingLastPathComponent().appendingPathComponent(
      "Store-before-2.sqlite")
    #expect(!FileManager.default.fileExists(atPath: second.path))
  }

  @Test func aCacheStartsAnewWhereAsked() throws {
    var store = try store([], [attribute("kind", isOptional: false)], [[:]])
    store.options.migration.startsAnewIfImpossible = true
    let stack = DataStack(
      store: try SQLiteStore(url: store.url, model: store.new, options: store.options))
    try stack.look { context throws in #expect(try context.all("Pet").isEmpty) }
    try SQLiteStore(url: former(store), model: store.old).close()
  }
}
