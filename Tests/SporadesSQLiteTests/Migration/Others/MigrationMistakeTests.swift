// SPDX-License-Identifier: MIT
import CSQLite
import Foundation
import SporadesGraph
import SporadesModel
import SporadesSQLite
import SporadesStore
import Testing

/// Mistakes that people make when a model changes. Each error names the part, the reason, and what to do.
@Suite struct MigrationMistakeTests {
  private func dogs(_ names: String...) throws -> OtherStore {
    try OtherStore(entity("Dog", text("name"), attribute("born", .string))) { context throws in
      for name in names { try context.add("Dog", ["name": .string(name), "born": "1.2.2020"]) }
    }
  }

  /// Every word occurs in the sentence.
  private func expect(
    _ error: StoreError?, _ words: String..., location: SourceLocation = #_sourceLocation
  ) {
    let sentence = error?.detail ?? ""
    for word in words where !sentence.contains(word) {
      Issue.record("“\(word)” is not in: \(sentence)", sourceLocation: location)
    }
  }

  // MARK: - Models

  @Test func aRenamingIdentifierWithATypoIsALossThatTheForecastTells() throws {
    let store = try dogs("Rex")
    let forecast = try store.forecast(
      entity("Dog", text("title", was: "nmae"), attribute("born", .string)))
    #expect(forecast.losses == [.init(entity: "Dog", property: "name", count: 1)])
  }

  /// A mistake of the model, which no store has to meet.
  @Test func twoPropertiesFromOne() throws {
    let dog = entity(
      "Dog", text("first", was: "name"), text("last", was: "name"), attribute("born", .string))
    let error = #expect(throws: ModelError.self) { try ManagedObjectModel(entities: [dog]) }
    #expect(error?.problems.map(\.code) == [.duplicateName])
    #expect(
      error?.description.contains("Dog.last: says that it was name, and so does first") == true)
  }

  @Test func aRequiredAttributeWithoutADefault() throws {
    expect(
      try dogs("Rex").refusal(
        entity(
          "Dog", text("name"), attribute("born", .string),
          attribute("age", .integer16, required: .null))),
      "Dog.age", "default", "optional")
  }

  @Test func aTextThatShouldBecomeADate() throws {
    expect(
      try dogs("Rex").refusal(entity("Dog", text("name"), attribute("born", .date))),
      "Dog.born", "String", "Date", "custom")
  }

  @Test func aRenamedEntityWithoutIdentifier() throws {
    let store = try dogs("Rex", "Bo")
    let forecast = try store.forecast(entity("Hound", text("name"), attribute("born", .string)))
    #expect(forecast.losses == [.init(entity: "Dog", count: 2)])
  }

  @Test func anEntityThatBecomesAbstractWithObjects() throws {
    expect(
      try dogs("Rex").refusal(
        entity("Dog", text("name"), attribute("born", .string)) { $0.isAbstract = true }),
      "Dog", "abstract")
  }

  @Test func aSmallerNumberThanTheValues() throws {
    let store = try OtherStore(entity("Dog", attribute("weight", .integer64))) { context throws in
      for weight in [5, 40_000, 70_000] {
        try context.add("Dog", ["weight": .integer(Int64(weight))])
      }
    }
    expect(
      try store.refusal(entity("Dog", attribute("weight", .integer16))), "Dog.weight", "2 values",
      "Integer16")
  }

  @Test func aConstraintWithEqualValues() throws {
    expect(
      try dogs("Rex", "Rex").refusal(
        entity("Dog", text("name"), attribute("born", .string)) {
          $0.uniquenessConstraints = [["name"]]
        }),
      "Dog", "name", "2")
  }

  @Test func severalMistakesAreToldTogether() throws {
    let store = try dogs("Rex", "Rex")
    let problems = try store.problems(
      entity(
        "Dog", text("name"), attribute("born", .date), attribute("age", .integer16, required: .null)
      ) {
        $0.uniquenessConstraints = [["name"]]
      })
    #expect(Set(problems.map(\.kind)) == [.duplicates, .inconvertibleType, .missingValue])
  }

  // MARK: - Versions

  @Test func aDowngrade() throws {
    let store = try dogs("Rex")
    try store.open(entity("Dog", text("name"), attribute("born", .string), text("nick"))) { _ in }
    expect(
      try store.refusal(entity("Dog", text("name"), attribute("born", .string))), "later version")
  }

  @Test func migrationSwitchedOff() throws {
    var options = SQLiteStoreOptions()
    options.migration = .off
    expect(
      try dogs("Rex").refusal(entity("Dog", text("name")), options: options), "Dog",
      "migration.isAutomatic")
  }

  @Test func inferenceSwitchedOff() throws {
    var options = SQLiteStoreOptions()
    options.migration.infersMapping = false
    expect(
      try dogs("Rex").refusal(entity("Dog", text("name")), options: options),
      "migration.infersMapping")
  }

  @Test func aStoreWithoutItsModel() throws {
    let store = try dogs("Rex")
    try store.sql("DELETE FROM Z_MODELCACHE")
    expect(try store.refusal(entity("Dog", text("name"))), "migration.versions", "Dog")
  }

  @Test func aStoreOfAVersionThatIsNotListed() throws {
    let store = try dogs("Rex")
    try store.sql("DELETE FROM Z_MODELCACHE")
    var options = SQLiteStoreOptions()
    options.migration.versions = [
      try ManagedObjectModel(entities: [entity("Cat", text("name"))]),
      try ManagedObjectModel(entities: [entity("Dog", text("nam"), attribute("born", .string))]),
    ]
    expect(try store.refusal(entity("Dog", text("name")), options: options), "version")
  }

  @Test func anotherProgramsStore() throws {
    let store = try dogs("Rex")
    let forecast = try store.forecast(entity("Invoice", text("number")))
    #expect(forecast.losses == [.init(entity: "Dog", count: 1)])
  }

  // MARK: - Files

  @Test func aReadOnlyStore() throws {
    var options = SQLiteStoreOptions()
    options.isReadOnly = true
    expect(
      try dogs("Rex").refusal(entity("Dog", text("name")), options: options), "for writing")
  }

  @Test func aFileThatIsNotThere() throws {
    let url = URL(fileURLWithPath: Sample.temporaryPath())
    let model = try ManagedObjectModel(entities: [entity("Dog", text("name"))])
    let error = #expect(throws: StoreError.self) {
      try SQLiteStore.migrate(storeAt: url, to: model)
    }
    expect(error, url.path)
    #expect(!FileManager.default.fileExists(atPath: url.path))
  }

  @Test func aFileThatIsNoStore() throws {
    let path = Sample.temporaryPath()
    let database = unsafe try StoreFixture.database(path)
    unsafe try SQLRows.run(database, "CREATE TABLE notes (text)")
    unsafe sqlite3_close(database)
    let model = try ManagedObjectModel(entities: [entity("Dog", text("name"))])
    let error = #expect(throws: StoreError.self) {
      try SQLiteStore.migrate(storeAt: URL(fileURLWithPath: path), to: model)
    }
    expect(error, path)
  }

  @Test func aFileThatAnotherProgramIsWriting() throws {
    let store = try dogs("Rex")
    let other = try PlainStore(store.path)
    try other.run("BEGIN IMMEDIATE")
    var options = SQLiteStoreOptions()
    options.busyMilliseconds = 50
    options.migration.patienceMilliseconds = 50
    expect(
      try store.refusal(entity("Dog", text("name")), options: options), "Another process",
      "patienceMilliseconds")
    try other.run("ROLLBACK")
  }

  @Test func aFileWhoseTableSomebodyDropped() throws {
    let store = try dogs("Rex")
    try store.sql("DROP TABLE ZDOG")
    expect(try store.refusal(entity("Dog", text("name"))), "ZDOG")
  }

  @Test func aFileWhoseCachedModelIsOfAnotherStore() throws {
    let (store, other) = (try dogs("Rex"), try OtherStore(entity("Cat", text("name"))))
    try store.sql(
      "ATTACH '\(other.path)' AS other; DELETE FROM Z_MODELCACHE; "
        + "INSERT INTO Z_MODELCACHE SELECT * FROM other.Z_MODELCACHE")
    expect(try store.refusal(entity("Dog", text("name"))), "migration.versions")
  }
}
