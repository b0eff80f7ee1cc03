// SPDX-License-Identifier: MIT
import Foundation
import Sporades
import SporadesGraph
import SporadesModel
import SporadesPostgreSQL
import SporadesSQLite
import SporadesServerStages
import SporadesStore
import TestServer
import Testing

/// The store of a shop on a server and in a file, with the same objects of the first version, for plans that take both further.
final class StagedShop {
  let place: TestStore
  private let file: URL
  private var history = HistoryTracking.asInFile

  init() throws {
    place = try TestStore()
    file = FileManager.default.temporaryDirectory.appendingPathComponent(
      "shop-\(UUID().uuidString).sqlite")
  }

  deinit {
    // A store that a test has not filled has no file.
    if FileManager.default.fileExists(atPath: file.path) {
      #expect(throws: Never.self) { try SQLiteStore.destroy(storeAt: file) }
    }
  }

  func keepHistory() { history = .on }

  /// Three books in both stores.
  func fill() throws {
    var options = SQLiteStoreOptions()
    options.persistentHistory = history
    let stores: [any PersistentStore] = [
      try place.open(Self.first) { $0.persistentHistory = history },
      try SQLiteStore(url: file, model: Self.first, options: options),
    ]
    for store in stores {
      try DataStack(store: store).newContext().performAndWait { context in
        for (number, title) in ["a", "b", "c"].enumerated() {
          let book = try context.insert(entityNamed: "Book")
          book["title"] = .string(title)
          book["price"] = number == 1 ? "none" : .string("\(number + 1)")
        }
        try context.save()
      }
      try store.close()
    }
  }

  /// Takes both stores to a version.
  func open(
    _ model: ManagedObjectModel, _ plan: MigrationPlan
  ) throws -> (server: PostgreSQLStore, file: SQLiteStore) {
    var migration = MigrationOptions()
    migration.losses = .allowed
    var options = SQLiteStoreOptions()
    options.migration = migration
    options.migrationPlan = plan
    return (
      try place.open(model, migration) { $0.migrationPlan = plan },
      try SQLiteStore(url: file, model: model, options: options)
    )
  }

  /// The tables are those of a new store.
  func expectTables(of model: ManagedObjectModel) throws {
    let fresh = try TestStore()
    try fresh.open(model) { $0.persistentHistory = history }.close()
    #expect(Set(try place.schema()).symmetricDifference(try fresh.schema()).sorted() == [])
  }

  static func titles(_ store: any PersistentStore, _ name: String = "title") throws -> [String] {
    try DataStack(store: store).newContext().performAndWait { context in
      try context.fetch(FetchRequest("Book", sortedBy: [SortTerm(name)])).compactMap {
        if case .string(let text) = $0[name] { text } else { nil }
      }
    }
  }

  // MARK: - Versions

  static let first = version("first") { _ in }
  static let second = version("second") { book in
    book.attributes.append(AttributeDescription("note", .string, isOptional: true))
  }
  static let third = version("third", hasShelves: true) { book in
    book.attributes.append(AttributeDescription("note", .string, isOptional: true))
  }
  /// A number takes the place of a text.
  static let fourth = version("fourth", hasShelves: true) { book in
    book.attributes.removeLast()
    book.attributes += [
      AttributeDescription("cents", .integer32, isOptional: true),
      AttributeDescription("rate", .decimal, isOptional: true),
    ]
  }
  static let fifth = version("fifth", hasShelves: true) { book in
    book.attributes = [
      AttributeDescription("title", .string, isOptional: true),
      AttributeDescription("cents", .integer64, isOptional: true),
      AttributeDescription("rate", .decimal, isOptional: true),
    ]
  }
  static let sixth = version("sixth", hasShelves: true) { book in
    var name = AttributeDescription("name", .string, isOptional: true)
    name.renamingIdentifier = "title"
    book.attributes = [
      name, AttributeDescription("cents", .integer64, isOptional: true),
      AttributeDescription("rate", .decimal, isOptional: true),
    ]
  }

  private static func version(
    _ name: String, hasShelves: Bool = false, _ change: (inout EntityDescription) -> Void
  ) -> ManagedObjectModel {
    // `try!`, because the versions are written here.
    try! model(name, hasShelves: hasShelves, change)
  }

  static func model(
    _ name: String, hasShelves: Bool = false, _ change: (inout EntityDescription) -> Void
  ) throws -> ManagedObjectModel {
    var book = EntityDescription(
      "Book",
      attributes: [
        AttributeDescription("title", .string, isOptional: true),
        AttributeDescription("price", .string, isOptional: true),
      ])
    change(&book)
    book.versionHashModifier = name
    guard hasShelves else { return try ManagedObjectModel(entities: [book]) }
    book.relationships = [.toOne("shelf", "Shelf", inverse: "books")]
    let shelf = EntityDescription(
      "Shelf", attributes: [AttributeDescription("name", .string, isOptional: true)],
      relationships: [.toMany("books", "Book", inverse: "shelf")])
    return try ManagedObjectModel(entities: [book, shelf])
  }
}
