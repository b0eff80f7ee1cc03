// SPDX-License-Identifier: MIT
import Foundation
import SporadesGraph
import SporadesModel
import SporadesSQLite
import SporadesStore
import Testing

@testable import Sporades
@testable import SporadesXcode

/// Versions of a model file that repeat hashes, or whose names tell no order.
@Suite struct ModelFileOrderTests {
  private let folder: TemporaryFolder
  private let store: URL

  init() throws {
    folder = try TemporaryFolder()
    store = folder.file("Pets.sqlite")
  }

  /// A version with the attributes `a`, `b` and so on, with a default that no hash contains.
  private static func version(_ names: String, _ value: Int64 = 0) throws -> ManagedObjectModel {
    try ManagedObjectModel(entities: [
      EntityDescription(
        "Pet",
        attributes: names.map {
          AttributeDescription(
            "\($0)", .integer32, isOptional: true, defaultValue: .integer(value))
        })
    ])
  }

  private func fill(_ model: ManagedObjectModel) throws {
    let stack = try DataStack(sqlite: store, model: model)
    try stack.main.performAndWait { context in
      try context.insert(entityNamed: "Pet")["a"] = 7
      try context.save()
    }
    if let error = stack.root.close() { throw error }
  }

  private func options(
    _ versions: [(String, ManagedObjectModel)], current: String
  ) throws -> SQLiteStoreOptions {
    let file = folder.file("Pets.xcdatamodeld")
    try ModelFile.write(versions, current: current, to: file)
    var options = SQLiteStoreOptions()
    options.migrationPlan = ModelFileMigration(contentsOf: file, mappingModelsIn: [])
    return options
  }

  /// The values of the store in the program's version, which then closes it.
  private func values(
    _ model: ManagedObjectModel, _ options: SQLiteStoreOptions
  ) throws -> [Value] {
    let stack = try DataStack(sqlite: store, model: model, options: options)
    let values = try stack.main.performAndWait { context in
      try context.fetch(FetchRequest("Pet")).map { $0["a"] }
    }
    if let error = stack.root.close() { throw error }
    return values
  }

  @Test(arguments: [
    ["a", "a", "a", "ab"], ["a", "ab", "a", "ab", "abc"], ["a", "ab", "a"], ["a", "a", "ab", "ab"],
    ["a", "ab", "abc", "ab", "abc", "abcd"],
  ])
  func storesOfEachVersionReachTheProgram(_ contents: [String]) throws {
    let versions = try contents.enumerated().map { place, names in
      (place == 0 ? "Pets" : "Pets \(place + 1)", try Self.version(names, Int64(place)))
    }
    let (current, program) = try #require(versions.last)
    let options = try options(versions, current: current)
    for (name, version) in versions {
      try fill(version)
      #expect(try values(program, options) == [7], "\(name)")
      for end in ["", "-wal", "-shm"] {
        let file = URL(fileURLWithPath: store.path + end)
        if FileManager.default.fileExists(atPath: file.path) {
          try FileManager.default.removeItem(at: file)
        }
      }
    }
  }

  @Test(arguments: [["Pets", "Animals 2"], ["B", "A", "C"], ["2024", "Base", "new"]])
  func versionsWithoutAnOrderOfNamesAreOneStepApart(_ names: [String]) throws {
    let contents = ["a", "ac", "abc"]
    let versions = try names.enumerated().map { ($1, try Self.version(contents[$0])) }
    let (current, program) = versions[names.count - 1]
    let options = try options(versions, current: current)
    try fill(versions[0].1)
    #expect(try values(program, options) == [7])
    let error = #expect(throws: StoreError.self) {
      try values(versions[0].1, SQLiteStoreOptions())
    }
    #expect(error?.description.contains("later version") == true)
  }

  /// Of `AddPhotos` and `Base` the first one is older by its name alone.
  @Test func contentThatAVersionInBetweenByNameLacksStays() throws {
    let options = try options(
      [
        ("Base", Self.version("b")), ("AddPhotos", Self.version("ab")),
        ("Current", Self.version("abc")),
      ], current: "Current")
    try fill(Self.version("ab"))
    #expect(try values(Self.version("abc"), options) == [7])
  }

  @Test func theOrderOfNames() {
    func isTold(_ names: String...) -> Bool { ModelFileOrder(names: names, current: nil).isTold }
    #expect(isTold("Pets", "Pets 2", "Pets 10"))
    #expect(isTold("Pets", "Pets v2", "Pets v3"))
    #expect(isTold("PetsV1", "PetsV2"))
    #expect(isTold("Pets"))
    #expect(!isTold("Pets", "Animals 2"))
    #expect(!isTold("Base", "AddPhotos", "Current"))
    #expect(!isTold("Pets", "Pets-old", "Pets 2"))
  }

  // MARK: - Mapping models

  /// A mapping model that was made before the newer version got an entity more.
  @Test(.enabled(if: MigrationFixtures.areThere))
  func theForecastSaysThatAMappingModelIsNotUsed() throws {
    func moody(_ number: Int) throws -> ManagedObjectModel {
      try MigrationFixtures.model("\(MigrationFixtures.moody)/Moody.xcdatamodeld/Moody \(number)")
    }
    let (old, new) = try (moody(2), moody(3))
    let program = try ManagedObjectModel(entities: new.entities + [EntityDescription("Toy")])
    let file = folder.file("Moody.xcdatamodeld")
    let mappings = MigrationFixtures.folder.appendingPathComponent(
      "mapping/\(MigrationFixtures.moody)")
    try SQLiteStore(url: store, model: old).close()
    for (version, isUsed) in [(new, true), (program, false)] {
      try ModelFile.write(
        [("Moody 2", old), ("Moody 3", version)], current: "Moody 3", to: file, replacing: true)
      let plan = ModelFileMigration(contentsOf: file, mappingModelsIn: [mappings])
      let forecast = try plan.forecast(
        forStoreAt: store, to: version, options: SQLiteStoreOptions())
      let note = forecast.notes.first { $0.contains("Moody 2-Moody 3.xcmappingmodel") }
      #expect((note == nil) == isUsed)
      #expect(isUsed || note?.contains("lacks Toy") == true)
    }
  }
}
