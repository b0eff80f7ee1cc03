// SPDX-License-Identifier: MIT
import Foundation
import SporadesModel
import SporadesSQLite
import SporadesStore
import Testing

/// The versions that a store remembers, by which a former program is refused.
@Suite struct RememberedVersionsMigrationTests {
  private let url = URL(fileURLWithPath: Sample.temporaryPath())
  /// An entity with one more attribute in each version.
  private let versions: [ManagedObjectModel]

  init() throws {
    versions = try (1...3).map { count in
      try ManagedObjectModel(entities: [
        EntityDescription(
          "Thing",
          attributes: ["a", "b", "c"].prefix(count).map {
            AttributeDescription($0, .string, isOptional: true)
          })
      ])
    }
  }

  private func options(_ listed: Int...) -> SQLiteStoreOptions {
    var options = SQLiteStoreOptions()
    options.migration.versions = listed.map { versions[$0] }
    return options
  }

  private func open(
    _ version: Int, _ options: SQLiteStoreOptions = SQLiteStoreOptions()
  ) throws(StoreError) {
    try SQLiteStore(url: url, model: versions[version], options: options).close()
  }

  private func expectOlder(
    _ version: Int, _ options: SQLiteStoreOptions = SQLiteStoreOptions(),
    _ location: SourceLocation = #_sourceLocation
  ) throws {
    let before = try SQLiteStore.metadata(ofStoreAt: url)
    for step in [
      { try open(version, options) },
      { try SQLiteStore.migrate(storeAt: url, to: versions[version], options: options) },
      {
        _ = try SQLiteStore.migrationForecast(
          forStoreAt: url, to: versions[version], options: options)
      },
    ] {
      let error = #expect(throws: StoreError.self, sourceLocation: location) { try step() }
      #expect(
        error?.detail.contains("written with a later version") == true, "\(error as Any)",
        sourceLocation: location)
    }
    #expect(try SQLiteStore.metadata(ofStoreAt: url) == before, sourceLocation: location)
  }

  @Test func theVersionsThatAStoreSkipsAreRemembered() throws {
    try open(0)
    try open(2, options(0, 1, 2))
    try expectOlder(0)
    try expectOlder(1)
    try expectOlder(1, options(0, 1))
    try open(2)
  }

  @Test func versionsBeforeTheStoresAreRememberedToo() throws {
    try open(1)
    try open(2, options(0, 1))
    try expectOlder(0)
    try expectOlder(1)
  }

  /// The model that the store carries is no listed one.
  @Test func aStoreOfAnUnknownVersionRemembersTheListedOnes() throws {
    try open(0)
    try open(2, options(1))
    try expectOlder(1)
    try expectOlder(0)
  }

  @Test(arguments: [true, false])
  func aNewStoreRemembersWhatItsProgramLists(_ listsOwn: Bool) throws {
    try open(2, listsOwn ? options(0, 1, 2) : options(0, 1))
    try expectOlder(0)
    try expectOlder(1)
    try open(2)
  }

  @Test func aNewStoreOfAnOlderVersionGoesForward() throws {
    try open(1, options(0, 1, 2))
    try open(2)
    try expectOlder(1)
  }

  // MARK: - Stores that a former program changed back

  /// A store that had the third version, was taken back to the second one, and remembers the third.
  private func takeBack() throws {
    try open(0)
    try open(2)
    try open(1)
    try expectOlder(2)
  }

  @Test(arguments: [true, false])
  func theListSaysThatTheStoresVersionIsTheOlderOne(_ listsOwn: Bool) throws {
    try takeBack()
    let options = listsOwn ? options(0, 1, 2) : options(0, 1)
    let forecast = try SQLiteStore.migrationForecast(
      forStoreAt: url, to: versions[2], options: options)
    #expect(forecast.problems == [] && !forecast.steps.isEmpty)
    try open(2, options)
    try expectOlder(1)
  }

  @Test func migratingGoesForwardToo() throws {
    try takeBack()
    try SQLiteStore.migrate(storeAt: url, to: versions[2], options: options(1, 2))
    try open(2)
  }

  @Test func theErrorSaysHowToGoForward() throws {
    try takeBack()
    let error = #expect(throws: StoreError.self) { try open(2, options(0, 2)) }
    #expect(
      error?.detail.contains("list the store's version in migration.versions, before the program's")
        == true)
  }
}
