// SPDX-License-Identifier: MIT
import CSQLite
import Foundation
import SporadesModel
import SporadesSQLite
import SporadesStore
import Testing

/// Each stage of opening is asked alone, and leaves the file and its folder as they were.
@Suite struct OpeningStageTests {
  /// A place of each kind, and the word for what lies there.
  enum Place: String, CaseIterable {
    case nothing, noBytes, noTables, store, database, text, letter, noIdentity

    func make() throws -> String {
      switch self {
      case .nothing: return Sample.temporaryPath()
      case .noBytes: return try file("")
      case .noTables: return try database("PRAGMA user_version = 7")
      case .store: return try EditedStore().path
      case .database: return try database("CREATE TABLE letters (text)")
      case .text: return try file(String(repeating: "No database. ", count: 100))
      case .letter: return try file("A")
      case .noIdentity: return try EditedStore("UPDATE Z_METADATA SET Z_UUID = 'x'").path
      }
    }

    private func file(_ text: String) throws -> String {
      let path = Sample.temporaryPath()
      try Data(text.utf8).write(to: URL(fileURLWithPath: path))
      return path
    }

    private func database(_ sql: String) throws -> String {
      let path = try file("")
      let database = unsafe try StoreFixture.database(path)
      defer { unsafe sqlite3_close(database) }
      try unsafe SQLRows.run(database, "PRAGMA journal_mode = WAL")
      try unsafe SQLRows.run(database, sql)
      return path
    }

    /// How a look at the place is told.
    var content: String {
      switch self {
      case .nothing: "nothing"
      case .noBytes, .noTables: "empty"
      case .store: "store"
      case .database, .text, .letter, .noIdentity: "unreadable corrupt"
      }
    }
  }

  private func word(_ content: StoreContent) -> String {
    switch content {
    case .nothing: "nothing"
    case .empty: "empty"
    case .store: "store"
    case .unreadable(let error): "unreadable \(error.code)"
    }
  }

  // MARK: - What lies at the place

  @Test(arguments: Place.allCases)
  func aLookChangesNothingAndMakesNoFile(_ place: Place) throws {
    let path = try place.make()
    let before = try FolderImage(ofStoreAt: path)
    let content = try StoreContent.read(at: path)
    #expect(word(content) == place.content)
    if case .unreadable(let error) = content { #expect(error.detail.contains(path)) }
    #expect(try FolderImage(ofStoreAt: path) == before)
  }

  @Test func aLookTellsTheIdentityOfTheStore() throws {
    let path = Sample.temporaryPath()
    let store = try SQLiteStore(path: path, model: Sample.model)
    try store.setMetadata(["mine": .integer(3)])
    try store.close()
    guard case .store(let identity) = try StoreContent.read(at: path) else {
      Issue.record("There is a store.")
      return
    }
    #expect(identity.identifier == store.identifier)
    #expect(identity.metadata["mine"] == .integer(3))
    #expect(identity.metadata["NSStoreType"] == .string("SQLite"))
  }

  @Test func aLookWaitsForNoLockAndHoldsNone() throws {
    let path = try EditedStore("PRAGMA journal_mode = DELETE").path
    let other = unsafe try StoreFixture.database(path)
    defer { unsafe sqlite3_close(other) }
    try unsafe SQLRows.run(other, "BEGIN EXCLUSIVE")
    #expect(word(try StoreContent.read(at: path)) == "store")
    try unsafe SQLRows.run(other, "COMMIT")
    try unsafe SQLRows.run(other, "BEGIN EXCLUSIVE; COMMIT")
  }

  @Test func aLookAtAStoreInUseReadsItsLog() throws {
    let path = Sample.temporaryPath()
    let store = try SQLiteStore(path: path, model: Sample.model)
    try store.setMetadata(["mine": .integer(1)])
    let names = try FolderImage(ofStoreAt: path).names
    for number in Int64(2)...4 {
      try store.setMetadata(["mine": .integer(number)])
      let seen = try SQLiteStore.metadata(ofStoreAt: URL(fileURLWithPath: path))
      #expect(seen["mine"] == .integer(number))
    }
    #expect(try FolderImage(ofStoreAt: path).names == names)
    try store.close()
  }

  @Test func aLookBeginsAgainWhereTheFileWasWrittenMeanwhile() throws {
    let edited = try EditedStore()
    let identifiers = [UUID().uuidString, UUID().uuidString]
    try edited.run("UPDATE Z_METADATA SET Z_UUID = '\(identifiers[0])'")
    var seen: [String?] = []
    _ = try UntouchedFile(edited.path).read { (connection) throws(StoreError) in
      let content = try StoreContent(on: connection)
      if case .store(let identity) = content { seen.append(identity.identifier) }
      guard seen.count == 1 else { return content }
      do {
        try edited.run("UPDATE Z_METADATA SET Z_UUID = '\(identifiers[1])'")
      } catch { Issue.record(error) }
      return content
    }
    #expect(seen == identifiers)
  }

  @Test func aLookAtAFolderIsRefused() throws {
    let folder = URL(fileURLWithPath: Sample.temporaryPath()).deletingLastPathComponent().path
    #expect(Store.refusal { _ = try StoreContent.read(at: folder) }.code == .cannotOpen)
  }

  private typealias Store = EditedStore

  // MARK: - What is to be done

  private func options(createsFile: Bool = true, isReadOnly: Bool = false) -> SQLiteStoreOptions {
    var options = SQLiteStoreOptions()
    options.createsFile = createsFile
    options.isReadOnly = isReadOnly
    return options
  }

  private static let plans: [Place: String] = [
    .nothing: "create a file with a store", .noBytes: "create a store in the empty file",
    .noTables: "create a store in the empty file", .store: "open the store",
  ]

  @Test(arguments: Place.allCases)
  func aPlanIsMadeAndNotCarriedOut(_ place: Place) throws {
    let path = try place.make()
    let before = try FolderImage(ofStoreAt: path)
    let plan = try OpeningPlan.read(at: path, Sample.model, options())
    #expect(plan.description.hasPrefix(Self.plans[place] ?? "refuse: \(path)"))
    #expect(try FolderImage(ofStoreAt: path) == before)
  }

  @Test(arguments: Place.allCases, [(true, true), (false, false), (true, false)])
  func openingDoesAsPlanned(_ place: Place, _ setting: (Bool, Bool)) throws {
    let path = try place.make()
    let options = options(createsFile: setting.0, isReadOnly: setting.1)
    let plan = try OpeningPlan.read(at: path, Sample.model, options)
    guard let refusal = plan.refusal else {
      let store = try SQLiteStore(path: path, model: Sample.model, options: options)
      if case .open(let identity) = plan { #expect(identity.identifier == store.identifier) }
      return try store.close()
    }
    let refused = Store.refusal {
      _ = try SQLiteStore(path: path, model: Sample.model, options: options)
    }
    #expect(refused.code == refusal.code)
    #expect(refused.detail == refusal.detail)
  }

  @Test func aStoreWhoseTextsAreKeptOtherwiseIsRefused() throws {
    let path = Sample.temporaryPath()
    let database = unsafe try StoreFixture.database(path)
    try unsafe SQLRows.run(
      database,
      """
      PRAGMA encoding = 'UTF-16le';
      CREATE TABLE Z_PRIMARYKEY (Z_ENT INTEGER);
      CREATE TABLE Z_METADATA (Z_VERSION INTEGER PRIMARY KEY, Z_UUID VARCHAR, Z_PLIST BLOB);
      INSERT INTO Z_METADATA VALUES (1, '\(UUID().uuidString)', NULL)
      """)
    unsafe sqlite3_close(database)
    let plan = try OpeningPlan.read(at: path, Sample.model, options())
    #expect(plan.refusal?.code == .unsupported, "\(plan)")
  }
}
