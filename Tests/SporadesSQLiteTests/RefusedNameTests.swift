// SPDX-License-Identifier: MIT
import Foundation
import SporadesModel
import SporadesSQLite
import SporadesStore
import Testing

/// Names beside a store of which the system tells nothing, or which nothing can have. The opening ends all the same.
@Suite(.timeLimit(.minutes(60))) struct RefusedNameTests {
  private let files = FileManager.default
  private let folder = URL(fileURLWithPath: Sample.temporaryPath()).deletingLastPathComponent()

  private func model(_ names: String...) throws -> ManagedObjectModel {
    let attributes = names.map { AttributeDescription($0, .string, isOptional: true) }
    return try ManagedObjectModel(entities: [EntityDescription("Pet", attributes: attributes)])
  }

  private func link(_ name: String, to target: String) throws {
    try files.createSymbolicLink(
      atPath: folder.appendingPathComponent(name).path, withDestinationPath: target)
  }

  private var migratingOptions: SQLiteStoreOptions {
    var options = SQLiteStoreOptions()
    options.migration.keepsCopy = true
    return options
  }

  @Test func aPathInALoopOfLinksIsRefused() throws {
    try link("one", to: "two")
    try link("two", to: "one")
    let path = folder.appendingPathComponent("one/Store.sqlite").path
    let error = #expect(throws: StoreError.self) {
      try SQLiteStore(path: path, model: Sample.model).close()
    }
    #expect(error?.code == .cannotOpen)
    #expect(error?.detail.contains(path) == true)
  }

  /// 247 bytes, so that SQLite's own names beside the file have 255.
  @Test func aNameIsAsLongAsTheSystemAllows() throws {
    let path = folder.appendingPathComponent(
      String(repeating: "n", count: 240) + ".sqlite"
    ).path
    try SQLiteStore(path: path, model: model("name")).close()
    let error = #expect(throws: StoreError.self) {
      try SQLiteStore(path: path, model: model("name", "kind"), options: migratingOptions).close()
    }
    #expect(error?.code == .io)
    #expect(error?.detail.contains("The store was not migrated.") == true)
    // Without the copy, it is.
    try SQLiteStore(path: path, model: model("name", "kind")).close()
  }

  @Test func aNameThatIsTooLongIsRefused() throws {
    let path = folder.appendingPathComponent(
      String(repeating: "n", count: 260) + ".sqlite"
    ).path
    let error = #expect(throws: StoreError.self) {
      try SQLiteStore(path: path, model: Sample.model).close()
    }
    #expect(error?.code == .cannotOpen)
  }

  /// A link to nothing has its name, too.
  @Test(arguments: ["nothing.sqlite", "Store-before-1.sqlite"])
  func aCopyPassesOverALink(to target: String) throws {
    let path = folder.appendingPathComponent("Store.sqlite").path
    try SQLiteStore(path: path, model: model("name")).close()
    try link("Store-before-1.sqlite", to: target)
    try SQLiteStore(path: path, model: model("name", "kind"), options: migratingOptions).close()
    let copy = folder.appendingPathComponent("Store-before-2.sqlite").path
    try SQLiteStore(path: copy, model: model("name")).close()
  }
}
