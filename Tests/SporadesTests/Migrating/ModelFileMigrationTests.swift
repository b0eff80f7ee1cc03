// SPDX-License-Identifier: MIT
import Foundation
import SporadesContainers
import SporadesGraph
import SporadesModel
import SporadesSQLite
import SporadesStore
import SporadesXcode
import Testing

@testable import Sporades

/// Stores go through the versions in a model file.
@Suite struct ModelFileMigrationTests {
  private let folder: TemporaryFolder
  private let file: URL
  private let models: URL
  /// An attribute that gets another name in each version.
  private let versions: [ManagedObjectModel]

  init() throws {
    folder = try TemporaryFolder()
    file = folder.file("Notes.sqlite")
    models = folder.file("Notes.xcdatamodeld")
    versions = try ["body", "text", "content"].enumerated().map { place, name in
      var attribute = AttributeDescription(name, .string, isOptional: true)
      if place > 0 { attribute.renamingIdentifier = ["body", "text"][place - 1] }
      return try ManagedObjectModel(entities: [
        EntityDescription("Note", attributes: [attribute])
      ])
    }
    try ModelFile.write(
      zip(["Notes", "Notes 2", "Notes 10"], versions).map { ($0, $1) }, current: "Notes 10",
      to: models)
  }

  private func makeStore(_ version: Int) throws {
    let stack = try DataStack(sqlite: file, model: versions[version])
    try stack.main.performAndWait { context in
      try context.insert(entityNamed: "Note")[["body", "text", "content"][version]] = "kept"
      try context.save()
    }
    if let error = stack.root.close() { throw error }
  }

  private func options(_ folders: [URL] = []) -> SQLiteStoreOptions {
    var options = SQLiteStoreOptions()
    options.migrationPlan = ModelFileMigration(contentsOf: models, mappingModelsIn: folders)
    return options
  }

  private func contents(
    _ version: Int, _ name: String, _ options: SQLiteStoreOptions
  ) throws -> [Value] {
    let stack = try DataStack(sqlite: file, model: versions[version], options: options)
    let values = try stack.main.performAndWait { context in
      try context.fetch(FetchRequest("Note")).map { $0[name] }
    }
    if let error = stack.root.close() { throw error }
    return values
  }

  @Test func aPartThatIsRenamedInEachVersionIsFollowed() throws {
    try makeStore(0)
    #expect(try contents(2, "content", options()) == ["kept"])
  }

  @Test func theWayBackIsRefused() throws {
    try makeStore(2)
    let error = #expect(throws: StoreError.self) { try contents(0, "body", options()) }
    #expect(error?.description.contains("use a newer one") == true)
    #expect(try contents(2, "content", SQLiteStoreOptions()) == ["kept"])
  }

  /// The second version was published without the former name, and the program has a third one with the same hashes.
  @Test(arguments: [true, false])
  func theFormerNameOfAVersionWithTheSameHashesCounts(_ isInTheProgram: Bool) throws {
    try makeStore(0)
    let bare = try ManagedObjectModel(entities: [
      EntityDescription(
        "Note", attributes: [AttributeDescription("text", .string, isOptional: true)])
    ])
    let named = versions[1]
    let file = folder.file("Alike.xcdatamodeld")
    let order = isInTheProgram ? [versions[0], bare, named] : [versions[0], named, bare]
    try ModelFile.write(
      zip(["Notes", "Notes 2", "Notes 3"], order).map { ($0, $1) }, current: "Notes 3", to: file)
    var options = SQLiteStoreOptions()
    options.migrationPlan = ModelFileMigration(contentsOf: file, mappingModelsIn: [])
    let stack = try DataStack(sqlite: self.file, model: order[2], options: options)
    let values = try stack.main.performAndWait { context in
      try context.fetch(FetchRequest("Note")).map { $0["text"] }
    }
    #expect(values == ["kept"])
    if let error = stack.root.close() { throw error }
  }

  @Test func aNewStoreRemembersTheVersionsOfTheFile() throws {
    _ = try contents(2, "content", options())
    for (version, name) in [(0, "body"), (1, "text")] {
      let error = #expect(throws: StoreError.self) {
        try contents(version, name, SQLiteStoreOptions())
      }
      #expect(error?.description.contains("written with a later version") == true)
    }
  }

  @Test func aContainerKnowsTheVersionsOfItsModelFile() throws {
    try makeStore(0)
    let container = PersistentContainer(
      name: "Notes", versions[2], [], .usual, CacheFolder(),
      plan: ModelFileMigration(contentsOf: models))
    container.persistentStoreDescriptions = [PersistentStoreDescription(url: file)]
    try container.loadPersistentStores()
    let values = try container.viewContext.performAndWait { context in
      try context.fetch(FetchRequest("Note")).map { $0["content"] }
    }
    #expect(values == ["kept"])
  }

  @Test func nothingIsMigratedWhereTheDescriptionForbidsIt() throws {
    try makeStore(0)
    let container = PersistentContainer(name: "Notes", managedObjectModel: versions[2])
    var description = PersistentStoreDescription(url: file)
    description.shouldMigrateStoreAutomatically = false
    container.persistentStoreDescriptions = [description]
    #expect(throws: StoreError.self) { try container.loadPersistentStores() }
    description.shouldMigrateStoreAutomatically = true
    description.shouldInferMappingModelAutomatically = false
    container.persistentStoreDescriptions = [description]
    #expect(throws: StoreError.self) { try container.loadPersistentStores() }
    #expect(try contents(0, "body", SQLiteStoreOptions()) == ["kept"])
  }

  @Test func theContentOfAMappingStageComesFromItsMappingModel() throws {
    try makeStore(0)
    let mapping = MappingModel.inferred(from: versions[0], to: versions[1])
    let plan = MigrationPlan([
      .mapping(from: versions[0], to: versions[1], mapping),
      .lightweight(from: versions[1], to: versions[2]),
    ])
    var options = SQLiteStoreOptions()
    options.migrationPlan = plan
    #expect(try contents(2, "content", options) == ["kept"])
  }

  @Test func rowsTurnWhatNoRuleConverts() throws {
    let text = AttributeDescription("day", .string, isOptional: true)
    let date = AttributeDescription("day", .date)
    let old = try ManagedObjectModel(entities: [EntityDescription("Note", attributes: [text])])
    let new = try ManagedObjectModel(entities: [EntityDescription("Note", attributes: [date])])
    let stack = try DataStack(sqlite: file, model: old)
    try stack.main.performAndWait { context in
      for day in ["10", "20"] { try context.insert(entityNamed: "Note")["day"] = .string(day) }
      try context.save()
    }
    if let error = stack.root.close() { throw error }
    func options(_ work: @escaping @Sendable (MigratedRow) throws -> Void) -> SQLiteStoreOptions {
      var options = SQLiteStoreOptions()
      options.migrationPlan = MigrationPlan([.rows(from: old, to: new, [RowWork("Note", work)])])
      return options
    }
    for mistake in ["dai", "day"] {
      let error = #expect(throws: StoreError.self) {
        try SQLiteStore(url: file, model: new, options: options { $0[mistake] = "text" })
      }
      #expect(error?.description.contains("Note") == true)
    }
    let missing = #expect(throws: StoreError.self) {
      try SQLiteStore(url: file, model: new, options: options { _ in })
    }
    #expect(missing?.description.contains("2 objects of Note have no day") == true)
    let store = try SQLiteStore(
      url: file, model: new,
      options: options { row in
        guard case .string(let text) = row.old["day"], let seconds = Double(text) else { return }
        row["day"] = .date(Date(timeIntervalSinceReferenceDate: seconds))
      })
    let opened = DataStack(store: store)
    let days = try opened.main.performAndWait { context in
      Set(try context.fetch(FetchRequest("Note")).map { $0["day"] })
    }
    #expect(
      days == Set([10, 20].map { .date(Date(timeIntervalSinceReferenceDate: $0)) }))
    if let error = opened.root.close() { throw error }
  }

  @Test func removedValuesGoLaterWhereAsked() throws {
    try makeStore(0)
    let bare = try ManagedObjectModel(entities: [
      EntityDescription(
        "Note", attributes: [AttributeDescription("tag", .string, isOptional: true)])
    ])
    var options = SQLiteStoreOptions()
    options.migration.losses = .allowed
    options.migration.defersCleanup = true
    let coordinator = PersistentStoreCoordinator(model: bare)
    let store = try coordinator.addPersistentStore(type: .sqlite, at: file, options: options)
    let whole = try Data(contentsOf: file)
    #expect(whole.range(of: Data("ZBODY".utf8)) != nil)
    #expect(try coordinator.finishDeferredLightweightMigrationTask())
    #expect(try !coordinator.finishDeferredLightweightMigrationTask())
    try coordinator.finishDeferredLightweightMigration()
    try store.close()
    #expect(try Data(contentsOf: file).range(of: Data("ZBODY".utf8)) == nil)
    let stack = try DataStack(sqlite: file, model: bare)
    #expect(try stack.main.performAndWait { try $0.fetch(FetchRequest("Note")).count } == 1)
    if let error = stack.root.close() { throw error }
  }
}
