// SPDX-License-Identifier: MIT
import Foundation
import SporadesGraph
import SporadesModel
import SporadesMoving
import SporadesSQLite
import SporadesStore
import SporadesTesting
import TestServer
import Testing

@testable import SporadesPostgreSQL

/// A filled store goes from a file to a server and back.
@Suite(.enabled(if: TestServer.isThere, "There is no PostgreSQL on this machine."))
struct StoreMoveTests {
  private let place: TestStore

  init() throws { place = try TestStore() }

  /// A store in a new file.
  private func file(_ model: ManagedObjectModel = SampleLibrary.model) throws -> SQLiteStore {
    let folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("sporades-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    return try SQLiteStore(path: folder.appendingPathComponent("Store.sqlite").path, model: model)
  }

  private func library(_ seed: UInt64 = 1) throws -> SQLiteStore {
    let store = try file()
    for part in 0..<UInt64(6) {
      try store.execute(SampleLibrary.rows(seed: seed + part, behind: Int64(part) * 100))
    }
    try store.setMetadata(try store.metadata().merging(["owner": .string("Ada")]) { $1 })
    try store.commit(.immediate)
    return store
  }

  private func remove(_ files: SQLiteStore...) throws {
    for file in files {
      let path = try #require(file.path)
      try file.close()
      try FileManager.default.removeItem(
        at: URL(fileURLWithPath: path).deletingLastPathComponent())
    }
  }

  // MARK: - There and back

  @Test func aLibraryGoesToAServerAndBack() throws {
    let (source, back) = (try library(), try file())
    let server = try place.open(SampleLibrary.model)
    var seen: [StoreMove.Progress] = []
    let moved = try StoreMove(from: source, to: server).run { seen.append($0) }
    let image = try StoreImage(source)
    #expect(moved.rows == image.rowCount && moved.allRows == image.rowCount)
    #expect(moved.links > 0 && seen.last?.links == moved.links)
    #expect(image.differences(in: try StoreImage(server)) == [])
    #expect(image.metadata == ["owner": .string("Ada")])
    #expect(try StoreMove(from: server, to: back).run().links == moved.links)
    #expect(image.differences(in: try StoreImage(back)) == [])
    #expect(try StoreImage(server).differences(in: try StoreImage(back)) == [])
    // New objects get keys behind those that came.
    for store in [server, back] as [any PersistentStore] {
      for shape in SampleLibrary.model.shapes where shape.superNumber == 0 {
        let largest = try store.keys(StoreFetch(shape), in: .committed).map(\.primaryKey).max()
        #expect(try store.reserveKeys(1, for: shape).lowerBound > largest ?? 0)
      }
    }
    try server.close()
    try remove(source, back)
  }

  @Test(arguments: 1...8) func aRandomGraphGoesToAServerAndBack(seed: UInt64) throws {
    var random = RandomStore(seed: seed)
    let (source, back) = (try file(random.model), try file(random.model))
    try random.fill(source)
    let server = try place.open(random.model)
    try move(source, to: server)
    try StoreMove(from: server, to: back).run()
    let image = try StoreImage(source)
    #expect(image.rowCount > 100 && image.linkCount > 100)
    #expect(image.differences(in: try StoreImage(server)) == [])
    #expect(image.differences(in: try StoreImage(back)) == [])
    // The random rows name each other, and those that they name do not lead back.
    try server.checkIntegrity { problem in
      if problem.kind != .oneSidedLink { Issue.record("\(problem)") }
    }
    try server.close()
    try remove(source, back)
  }

  @Test func aServerGivesTheModelOfItsStore() throws {
    var options = place.options
    func model() throws -> ManagedObjectModel? {
      try .cachedModel(forStoreAt: place.server.address, options: options)
    }
    #expect(try model() == nil)
    try place.open(SampleLibrary.model).close()
    let found = try #require(try model())
    #expect(
      found.entityVersionHashesByName == SampleLibrary.model.entityVersionHashesByName)
    options.schema += "_elsewhere"
    #expect(try model() == nil)
  }

  // MARK: - Refusals

  @Test func whatAServerCannotKeepIsNamedBeforeAnythingIsWritten() throws {
    let source = try file()
    let author = RowDraft("Author", 1, ["name": "a\u{0}b", "born": .date(.distantPast)])
    let late = Date(timeIntervalSinceReferenceDate: 1e18)
    let book = RowDraft(
      "Book", 1, ["title": "t", "copies": 1, "isRead": false, "published": .date(late)],
      to: ["author": author])
    let lost = RowDraft(
      "Book", 2, ["title": "t", "copies": 1, "isRead": false],
      to: ["shelf": RowDraft("Shelf", 7)])
    try source.execute(ChangeSet(inserting: [author, book, lost]))
    let shape = SampleLibrary.shape("Author")
    var odd = RowPageBuilder(layout: shape.layout)
    odd.appendRow(RowKey(entity: shape.number, primaryKey: 2), version: 1)
    odd.set(try #require(shape.slot(named: "name")), to: [0x61, 0xFF] as [UInt8])
    try source.execute(ChangeSet(inserted: [odd.finish()]))
    try source.commit(.immediate)
    let server = try place.open(SampleLibrary.model)
    let move = try StoreMove(from: source, to: server)
    let lacks = try move.unkeepable()
    let names = lacks.map {
      "\($0.objectID.entityName) \($0.objectID.key.primaryKey) \($0.property)"
    }
    #expect(
      names.sorted() == ["Author 1 name", "Author 2 name", "Book 1 published", "Book 2 shelf"])
    #expect(lacks.allSatisfy { !$0.reason.isEmpty && $0.description.contains($0.property) })
    let empty = try StoreImage(server)
    let error = try #require(throws: StoreError.self) { try move.run() }
    #expect(error.code == .unsupported && error.detail.contains("published"))
    #expect(empty.differences(in: try StoreImage(server)) == [])
    // The same values are no problem for a file.
    let other = try file()
    try StoreMove(from: source, to: other).run()
    #expect(try StoreImage(source).differences(in: try StoreImage(other)) == [])
    try server.close()
    try remove(source, other)
  }

  @Test func aTargetThatIsNotEmptyIsRefused() throws {
    let source = try library()
    let server = try place.open(SampleLibrary.model)
    try server.execute(ChangeSet(inserting: [RowDraft("Shelf", 3, ["label": "mine"])]))
    try server.commit(.immediate)
    let before = try StoreImage(server)
    let error = try #require(throws: StoreError.self) {
      try StoreMove(from: source, to: server).run()
    }
    #expect(error.code == .unsupported && error.detail.contains("Shelf"))
    #expect(before.rowCount == 1)
    #expect(before.differences(in: try StoreImage(server)) == [])
    try server.close()
    try remove(source)
  }

  @Test func anotherModelIsRefused() throws {
    let source = try library()
    let server = try place.open(CutWork.model)
    let error = try #require(throws: StoreError.self) {
      try StoreMove(from: source, to: server)
    }
    guard case .incompatibleModel = error.code else {
      Issue.record("\(error)")
      return
    }
    try server.close()
    try remove(source)
  }

  // MARK: - Failures in the middle

  @Test func whatTheServerRefusesInTheMiddleLeavesItEmpty() throws {
    let source = try library()
    let server = try place.open(SampleLibrary.model)
    let schema = place.options.schema
    _ = try place.server.answer(
      to: "ALTER TABLE \(schema).loan ADD CONSTRAINT none CHECK (row_id < 0)")
    let empty = try StoreImage(server)
    var rows = 0
    #expect(throws: StoreError.self) {
      try StoreMove(from: source, to: server).run { rows = $0.rows }
    }
    #expect(rows > 0)
    #expect(empty.differences(in: try StoreImage(server)) == [])
    _ = try place.server.answer(to: "ALTER TABLE \(schema).loan DROP CONSTRAINT none")
    try StoreMove(from: source, to: server).run()
    #expect(try StoreImage(source).differences(in: try StoreImage(server)) == [])
    try server.close()
    try remove(source)
  }

  @Test func whatOthersSavedMeanwhileIsNotRemoved() throws {
    let source = try library()
    let server = try place.open(SampleLibrary.model)
    let other = try place.open(SampleLibrary.model)
    var key: Int64?
    let error = try #require(throws: StoreError.self) {
      try StoreMove(from: source, to: server).run { (_) throws(StoreError) in
        guard key == nil else { throw StoreError(.cancelled, "The program has other plans.") }
        key = try other.reserveKeys(1, for: SampleLibrary.shape("Shelf")).lowerBound
        try other.execute(ChangeSet(inserting: [RowDraft("Shelf", key ?? 0, ["label": "mine"])]))
        try other.commit(.immediate)
      }
    }
    #expect(error.code == .cancelled)
    #expect(error.detail.contains("Somebody else has saved objects of Shelf"))
    let kept = RowKey(entity: SampleLibrary.shape("Shelf").number, primaryKey: try #require(key))
    #expect(try server.absent([kept]) == [])
    try other.close()
    try server.close()
    try remove(source)
  }

  @Test func lostConnectionsAreFoundAgain() throws {
    let source = try library()
    let name = place.options.schema
    let server = try PostgreSQLStore(
      "\(place.server.address) application_name=\(name)", model: SampleLibrary.model,
      options: place.options)
    let own = "FROM pg_stat_activity WHERE application_name = '\(name)'"
    var ended = 0
    try StoreMove(from: source, to: server).run { _ in
      do {
        ended += try place.server.answer(to: "SELECT pg_terminate_backend(pid) \(own)").count
        let deadline = ContinuousClock.now + .seconds(20)
        while try place.server.answer(to: "SELECT count(*) \(own)") != ["0"] {
          try #require(ContinuousClock.now < deadline, "The connections do not end.")
        }
      } catch {
        Issue.record("\(error)")
      }
    }
    #expect(ended > 5)
    #expect(try StoreImage(source).differences(in: try StoreImage(server)) == [])
    try server.close()
    try remove(source)
  }

  @Test func aServerThatDiesInTheMiddleSaysSoLater() throws {
    let primary = try TestServer.primary()
    var options = PostgreSQLStoreOptions(schema: "app", connectTimeout: .seconds(1))
    options.reconnectTimeout = .seconds(1)
    let source = try library()
    let server = try PostgreSQLStore(
      primary.address, model: SampleLibrary.model, options: options)
    let error = try #require(throws: StoreError.self) {
      try StoreMove(from: source, to: server).run { progress in
        guard progress.rows == progress.allRows, progress.links == 0 else { return }
        do { try primary.kill() } catch { Issue.record("\(error)") }
      }
    }
    #expect(error.detail.contains("removeAllRows()"))
    try primary.start()
    // Another process that has not seen what the server lost.
    let again = try PostgreSQLStore(
      primary.address, model: SampleLibrary.model, options: options)
    let move = try StoreMove(from: source, to: again)
    let second = try #require(throws: StoreError.self) { try move.run() }
    #expect(second.code == .unsupported)
    #expect(second.detail.contains("ended in the middle"))
    try again.removeAllRows()
    try move.run()
    #expect(try StoreImage(source).differences(in: try StoreImage(again)) == [])
    try again.close()
    // `try?`, because what the first store wrote last was lost with the server.
    try? server.close()
    try remove(source)
  }
}

// snippet: store-move
func move(_ file: SQLiteStore, to server: PostgreSQLStore) throws {
  let move = try StoreMove(from: file, to: server)
  for lack in try move.unkeepable() { print(lack) }
  try move.run { progress in print("\(progress.rows) of \(progress.allRows) objects") }
}
// snippet end
