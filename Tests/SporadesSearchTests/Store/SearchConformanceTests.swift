// SPDX-License-Identifier: MIT
import Foundation
import SporadesModel
import SporadesSQLite
import SporadesSearch
import SporadesSearchTesting
import SporadesStore
import SporadesTesting
import Testing

/// The chapter on searches of the conformance suite, over the stores of this package.
@Suite struct SearchConformanceTests {
  // snippet: search-conformance
  @Test(arguments: StoreCheck.searching)
  func conforms(to check: StoreCheck) throws {
    try check.run(StoreUnderTest { MemoryStore(model: $0) })
  }
  // snippet end

  @Test(arguments: StoreCheck.searching, [HistoryTracking.asInFile, .on])
  func aFileConforms(to check: StoreCheck, history: HistoryTracking) throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    // What is left in the system's temporary folder harms nobody.
    defer { try? FileManager.default.removeItem(at: folder) }
    @Sendable func open(_ path: String, _ model: ManagedObjectModel) throws -> SQLiteStore {
      var options = SQLiteStoreOptions()
      options.persistentHistory = history
      // One thread uses both stores of a check, so that waiting for the other one is in vain.
      options.busyMilliseconds = 10
      return try SQLiteStore(path: path, model: model, options: options)
    }
    try check.run(
      StoreUnderTest { model in
        try open(folder.appendingPathComponent("\(UUID().uuidString).sqlite").path, model)
      } reopen: { store in
        try open(try #require(store.path), store.model)
      } openBeside: { store in
        try open(try #require(store.path), store.model)
      })
  }

  @Test(arguments: StoreCheck.searching)
  func sqliteInMemoryConforms(to check: StoreCheck) throws {
    try check.run(StoreUnderTest { try SQLiteStore(inMemory: $0) })
  }
}
