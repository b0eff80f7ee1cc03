// SPDX-License-Identifier: MIT
import CSQLite
import Foundation
import SporadesCare
import SporadesModel
import SporadesSQLite
import SporadesStore
import Testing

@Suite struct SQLiteFailureTests {
  private let name = Sample.slot("Person", "name")
  private let persons = StoreFetch(Sample.shape("Person"))

  private func insert(_ store: SQLiteStore, _ key: Int64, _ values: [String: Value]) throws {
    try store.execute(ChangeSet(inserted: [Sample.page("Person", [(key, values)])]))
  }

  // MARK: - Commits that fail

  @Test func keepsAcceptedChangesWhenACommitFails() throws {
    for store in [
      try SQLiteStore(path: Sample.temporaryPath(), model: Sample.model),
      try SQLiteStore(inMemory: Sample.model),
    ] {
      try insert(store, 1, ["name": "Ada"])
      let keys = try store.reserveKeys(3, for: Sample.shape("Person"))
      try insert(store, keys.lowerBound, ["name": "Bo"])
      // A commit hook that says no makes SQLite roll the transaction back.
      unsafe store.withWriter { unsafe sqlite3_commit_hook($0, { _ in 1 }, nil) }
      #expect(throws: StoreError.self) { try store.commit(.eventual) }
      #expect(try store.names(persons, name) == ["Ada", "Bo"])
      #expect(try store.count(persons, in: .committed) == 0)
      try insert(store, keys.lowerBound + 1, ["name": "Cy"])
      unsafe store.withWriter { unsafe _ = sqlite3_commit_hook($0, nil, nil) }
      try store.commit(.immediate)
      #expect(try store.names(persons, name, in: .committed) == ["Ada", "Bo", "Cy"])
      #expect(try store.reserveKeys(1, for: Sample.shape("Person")).lowerBound >= keys.upperBound)
      #expect(try store.integrityProblems() == [])
    }
  }

  @Test func aFullDiskUndoesOneChangeSetAndNoOther() throws {
    let store = try SQLiteStore(path: Sample.temporaryPath(), model: Sample.model)
    try insert(store, 1, ["name": "Ada"])
    unsafe store.withWriter {
      unsafe _ = sqlite3_exec($0, "PRAGMA max_page_count = 40", nil, nil, nil)
    }
    let large = Value.data(Data(repeating: 7, count: 90_000))
    let error = #expect(throws: StoreError.self) {
      for key in 2...9 { try insert(store, Int64(key), ["photo": large]) }
    }
    #expect(error?.code == .full)
    let accepted = try store.count(persons, in: .accepted)
    #expect(accepted >= 1)
    unsafe store.withWriter {
      unsafe _ = sqlite3_exec($0, "PRAGMA max_page_count = 100000", nil, nil, nil)
    }
    try store.commit(.eventual)
    #expect(try store.count(persons, in: .committed) == accepted)
    #expect(try store.integrityProblems() == [])
  }

  // MARK: - Files that are no stores

  @Test func anErrorOfOpeningNamesTheFileAndSaysWhatToDo() throws {
    let text = Sample.temporaryPath()
    try Data(repeating: 65, count: 9000).write(to: URL(fileURLWithPath: text))
    let unreadable = #expect(throws: StoreError.self) {
      try SQLiteStore(path: text, model: Sample.model)
    }
    #expect(unreadable?.code == .corrupt)
    #expect(unreadable?.detail.contains(text) == true)
    #expect(unreadable?.detail.contains("PRAGMA") == false)
    let nowhere = #expect(throws: StoreError.self) {
      try SQLiteStore(path: text + "/folder/a.sqlite", model: Sample.model)
    }
    #expect(nowhere?.code == .cannotOpen)
    #expect(nowhere?.detail.contains("Its folder must exist") == true)
  }

  // MARK: - Opening

  @Test func namesWhatIsInTheWayOfOpening() throws {
    let folder = URL(fileURLWithPath: Sample.temporaryPath()).deletingLastPathComponent().path
    #expect(code(folder + "/missing/Store.sqlite") == .cannotOpen)
    #expect(code(folder) == .cannotOpen)
    var options = SQLiteStoreOptions()
    options.createsFile = false
    #expect(code(folder + "/None.sqlite", options) == .cannotOpen)
    let text = Data("This is a letter, and no database at all. ".utf8) + Data(count: 4096)
    #expect(FileManager.default.createFile(atPath: folder + "/Letter", contents: text))
    #expect(code(folder + "/Letter") == .corrupt)
    #expect(FileManager.default.contents(atPath: folder + "/Letter") == text)
    #expect(!FileManager.default.fileExists(atPath: folder + "/None.sqlite"))
  }

  @Test func refusesADatabaseOfAnotherKind() throws {
    let path = Sample.temporaryPath()
    var database: OpaquePointer?
    unsafe sqlite3_open(path, &database)
    unsafe sqlite3_exec(database, "CREATE TABLE letters (text)", nil, nil, nil)
    unsafe sqlite3_close(database)
    #expect(code(path) == .corrupt)
  }

  @Test func namesTheEntitiesThatDifferFromTheModel() throws {
    let path = Sample.temporaryPath()
    try SQLiteStore(path: path, model: Sample.model).close()
    let other = try ManagedObjectModel(entities: [
      EntityDescription("Pet", attributes: [AttributeDescription("name", .string)])
    ])
    var options = SQLiteStoreOptions()
    options.migration = .off
    let error = #expect(throws: StoreError.self) {
      try SQLiteStore(path: path, model: other, options: options)
    }
    #expect(error?.code == .incompatibleModel(["Employee", "Person", "Pet", "Tag"]))
    #expect(try SQLiteStore(path: path, model: Sample.model).integrityProblems() == [])
  }

  @Test(arguments: [-1, 1 << 48, Int64.max])
  func namesTheRowWhoseVersionNobodyMade(_ version: Int64) throws {
    let path = Sample.temporaryPath()
    let store = try SQLiteStore(path: path, model: Sample.model)
    for key in 1...2 { try insert(store, Int64(key), [:]) }
    try store.commit(.eventual)
    func set(_ version: Int64) {
      var database: OpaquePointer?
      unsafe _ = sqlite3_open(path, &database)
      defer { unsafe sqlite3_close_v2(database) }
      let sql = "UPDATE ZPERSON SET Z_OPT = \(version) WHERE Z_PK = 2"
      #expect(unsafe sqlite3_exec(database, sql, nil, nil, nil) == SQLITE_OK)
    }
    set(version)
    let error = #expect(throws: StoreError.self) { try store.names(persons, name) }
    #expect(error?.code == .corrupt)
    #expect(
      error.map { "\($0)".contains("Row 2 of ZPERSON has an impossible version in Z_OPT") } == true)
    set((1 << 47) - 1)
    #expect(try store.rows(persons, in: .accepted).first?.version(1) == (1 << 47) - 1)
  }

  @Test func readsWithoutWritingWhereAskedTo() throws {
    let path = Sample.temporaryPath()
    let store = try SQLiteStore(path: path, model: Sample.model)
    try insert(store, 1, ["name": "Ada"])
    try store.close()
    let before = FileManager.default.contents(atPath: path)
    var options = SQLiteStoreOptions()
    options.isReadOnly = true
    let reader = try SQLiteStore(path: path, model: Sample.model, options: options)
    #expect(try reader.names(persons, name) == ["Ada"])
    let error = #expect(throws: StoreError.self) { try insert(reader, 2, [:]) }
    #expect(error?.code == .readOnly)
    try reader.close()
    #expect(FileManager.default.contents(atPath: path) == before)
  }

  private func code(
    _ path: String, _ options: SQLiteStoreOptions = SQLiteStoreOptions()
  ) -> StoreError.Code? {
    do {
      _ = try SQLiteStore(path: path, model: Sample.model, options: options)
      return nil
    } catch { return error.code }
  }

  // MARK: - Files

  @Test func makesFilesOnlyTheirOwnerCanRead() throws {
    let path = Sample.temporaryPath()
    let store = try SQLiteStore(path: path, model: Sample.model)
    try insert(store, 1, ["name": "Ada"])
    try store.commit(.immediate)
    for suffix in ["", "-wal", "-shm"] {
      let attributes = try FileManager.default.attributesOfItem(atPath: path + suffix)
      #expect(attributes[.posixPermissions] as? Int == 0o600)
    }
  }

  @Test(arguments: ["an absolute path", "a relative path"])
  func keepsLargeValuesInFilesAndTakesThemBackOnFailure(of kind: String) throws {
    var path = Sample.temporaryPath()
    let folder =
      URL(fileURLWithPath: path).deletingLastPathComponent().path
      + "/.Store_SUPPORT/_EXTERNAL_DATA"
    func files() -> Int {
      (try? FileManager.default.contentsOfDirectory(atPath: folder).count) ?? 0
    }
    if kind == "a relative path" {
      let depth = FileManager.default.currentDirectoryPath.split(separator: "/").count
      path = String(repeating: "../", count: depth) + path.dropFirst()
    }
    let photo = Data((0..<200_000).map { UInt8(truncatingIfNeeded: $0 &* 31) })
    let store = try SQLiteStore(path: path, model: Sample.model)
    try insert(store, 1, ["photo": .data(photo), "email": "a"])
    try store.commit(.eventual)
    #expect(files() == 1)
    #expect(throws: StoreError.self) {
      try insert(store, 2, ["photo": .data(photo), "email": "a"])
    }
    #expect(files() == 1)
    try store.close()
    let again = try SQLiteStore(path: path, model: Sample.model)
    // Who holds the row holds its file.
    try #expect(
      again.rows(persons, in: .accepted).first?.data(0, slot: Sample.slot("Person", "photo"))
        == photo)
    let stale = DeletedRow(key: Sample.key("Person", 1), version: 9)
    #expect(throws: StoreError.self) { try again.execute(ChangeSet(deleted: [stale])) }
    try again.execute(
      ChangeSet(deleted: [DeletedRow(key: Sample.key("Person", 1), version: 1)]))
    #expect(files() == 1)
    try again.commit(.immediate)
    #expect(files() == 0)
    try insert(again, 3, ["photo": .data(photo)])
    try again.commit(.eventual)
    #expect(files() == 1)
    try again.removeAllRows()
    #expect(files() == 0)
  }

  @Test func twoStoresOnOneFileSeeEachOthersCommitsAndConflicts() throws {
    let path = Sample.temporaryPath()
    let first = try SQLiteStore(path: path, model: Sample.model)
    var options = SQLiteStoreOptions()
    options.busyMilliseconds = 1
    let second = try SQLiteStore(path: path, model: Sample.model, options: options)
    try insert(first, 1, ["name": "Ada"])
    let busy = #expect(throws: StoreError.self) { try insert(second, 2, [:]) }
    #expect(busy?.code == .busy)
    try first.commit(.eventual)
    #expect(try second.names(persons, name) == ["Ada"])
    let update = Sample.updates(Sample.page("Person", [(1, ["name": "Eve"])], version: 2), [name])
    try second.execute(ChangeSet(updated: [update]))
    try second.commit(.eventual)
    let conflict = #expect(throws: StoreError.self) {
      try first.execute(ChangeSet(updated: [update]))
    }
    guard case .conflict? = conflict?.code else {
      Issue.record("The second writer should have been told of a conflict.")
      return
    }
    #expect(try first.names(persons, name) == ["Eve"])
  }

  @Test func whatWasThereIsLookedForAgainAfterOthersAndFailures() throws {
    let path = Sample.temporaryPath()
    let first = try SQLiteStore(path: path, model: Sample.model)
    let second = try SQLiteStore(path: path, model: Sample.model)
    let keys = (1...3).map { Sample.key("Person", $0) }
    for number in 1...2 { try insert(first, Int64(number), ["name": .string("\(number)")]) }
    #expect(try first.absent(keys) == [keys[2]])
    try first.commit(.eventual)
    #expect(try first.absent(keys) == [keys[2]])
    try second.execute(ChangeSet(deleted: [DeletedRow(key: keys[0], version: 1)]))
    try second.commit(.eventual)
    try insert(first, 3, [:])
    #expect(try first.absent(keys) == [keys[0]])
    // A change set that fails takes back what it inserted.
    let stale = DeletedRow(key: keys[1], version: 7)
    let both = ChangeSet(
      inserted: [Sample.page("Person", [(4, [:])])], deleted: [stale])
    #expect(throws: StoreError.self) { try first.execute(both) }
    #expect(
      try first.absent([Sample.key("Person", 4)] + keys) == [Sample.key("Person", 4), keys[0]])
  }
}
