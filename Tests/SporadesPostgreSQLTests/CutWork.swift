// SPDX-License-Identifier: MIT
import Foundation
import SporadesModel
import SporadesStore
import SporadesTesting
import TestServer
import Testing

@testable import SporadesPostgreSQL

/// A fixed work on a store whose connections are cut below it. Each step is done again until it succeeds, and says so when a
/// step throws what no cut explains.
///
/// The table of notes tells each deed to a table of its own, where a deed that was committed twice stands twice.
final class CutWork {
  /// What the work has found out.
  struct Report: Sendable {
    /// The steps that threw, with their errors.
    var failures: [String] = []
    /// What should not be.
    var faults: [String] = []
  }

  /// What the store does besides, or how it has its connections.
  enum Setting: CaseIterable {
    case plain, history, shared
  }

  private let place: TestStore
  private let proxy: ServerProxy
  private let setting: Setting
  /// Shares the connections of the store, and takes one between any two steps.
  private var other: PostgreSQLStore?
  private(set) var report = Report()

  init(_ place: TestStore, through proxy: ServerProxy, _ setting: Setting) {
    (self.place, self.proxy, self.setting) = (place, proxy, setting)
  }

  static let model: ManagedObjectModel = {
    do {
      return try ManagedObjectModel(entities: [
        EntityDescription(
          "Note", attributes: [AttributeDescription("text", .string)],
          relationships: [
            .toOne("folder", "Folder", inverse: "notes"), .toMany("tags", "Tag", inverse: "notes"),
          ]),
        EntityDescription(
          "Folder", attributes: [AttributeDescription("name", .string)],
          relationships: [.toMany("notes", "Note", inverse: "folder")]),
        EntityDescription(
          "Tag", attributes: [AttributeDescription("name", .string)],
          relationships: [.toMany("notes", "Note", inverse: "tags")]),
      ])
    } catch {
      preconditionFailure("The model of notes is not valid: \(error)")
    }
  }()

  private static func shape(_ name: String) throws -> EntityShape {
    try #require(model.shape(named: name))
  }

  private func note(_ key: Int64, to references: [String: RowDraft] = [:]) -> RowDraft {
    RowDraft("Note", key, ["text": .string("Note \(key)")], to: references, of: Self.model)
  }

  // MARK: - Steps

  /// Does a step until it succeeds. A connection that is cut, or cut twice, explains a few attempts.
  private func step<Output>(_ name: String, _ body: () throws -> Output) throws -> Output {
    while true {
      // `try?`, because a cut may meet the other store, whose reads are not the work.
      _ = try? other?.metadata()
      do { return try body() } catch let error as StoreError {
        report.failures.append("\(name): \(error)")
        guard error.code == .io, report.failures.count < 8 else { throw error }
        if !error.detail.contains("connect") { fault("\(name) throws an untrue error: \(error)") }
      }
    }
  }

  private func fault(_ text: String) { report.faults.append(text) }

  private func expect<Value: Equatable>(_ name: String, _ found: Value, _ expected: Value) {
    if found != expected { fault("\(name): \(found) instead of \(expected)") }
  }

  /// Does the whole work, and looks at the tables at its end.
  func run() throws {
    let store = try step("opening") {
      // Nobody knows yet whose lock a server holds that does not hear of the end.
      proxy.forgetServers()
      var options = place.options
      options.persistentHistory = setting == .history ? .on : .asInFile
      // One for a transaction, one for reads, and one for keys.
      if setting == .shared { options.connections = PostgreSQLConnections(limit: 3) }
      return try PostgreSQLStore(proxy.address, model: Self.model, options: options)
    }
    if setting == .shared { other = try step("opening another store") { try openOther(store) } }
    try watchDeeds()
    try reserve(store)
    try write(store)
    try copy(store)
    try refuse(store)
    try keepMetadata(store)
    try writeInOneTrip(store)
    try remove(store)
    try withdraw(store)
    try step("close") { try store.close() }
    other = nil
    try check()
  }

  /// A store of another schema on the same connections.
  private func openOther(_ store: PostgreSQLStore) throws -> PostgreSQLStore {
    proxy.forgetServers()
    var options = try TestStore().options
    options.connections = store.source.options.connections
    return try PostgreSQLStore(proxy.address, model: Self.model, options: options)
  }

  private func reserve(_ store: PostgreSQLStore) throws {
    let shape = try Self.shape("Note")
    let ranges = try [200, 300].map { count in
      try step("keys") { try store.reserveKeys(count, for: shape) }
    }
    if ranges[0].overlaps(ranges[1]) { fault("Keys were reserved twice: \(ranges)") }
  }

  private func write(_ store: PostgreSQLStore) throws {
    let folder = RowDraft("Folder", 1, ["name": .string("Letters")], of: Self.model)
    let tag = RowDraft("Tag", 1, ["name": .string("new")], of: Self.model)
    let notes = (1...3).map { note($0, to: ["folder": folder]) }
    let first = ChangeSet(
      inserting: notes + [folder, tag], links: [LinkChange(notes[0], "tags", adding: [tag])])
    try step("insert") { try store.execute(first) }
    try step("immediate commit") { try store.commit(.immediate) }
    let changed = notes[0].changed(["text": .string("Changed")])
    try step("update") { try store.execute(ChangeSet(updating: [changed])) }
    try step("delete") { try store.execute(ChangeSet(deleting: [notes[2]])) }
    let fetch = StoreFetch(try Self.shape("Note"))
    let accepted = try step("accepted keys") { try store.keys(fetch, in: .accepted) }
    expect("accepted keys", accepted.map(\.primaryKey), [1, 2])
    try step("eventual commit") { try store.commit(.eventual) }
    try step("second eventual commit") { try store.commit(.eventual) }
    try step("commit to the disk") { try store.commit(.immediate) }
    guard case .relationship(let tags)? = notes[0].shape["tags"] else { return }
    let links = try step("links") {
      try store.links(of: tags, owners: notes.map(\.key), in: .committed)
    }
    expect("links", links.map(\.other), [tag.key])
  }

  /// More rows than are inserted one by one.
  private func copy(_ store: PostgreSQLStore) throws {
    let notes = (1001...1130).map { note($0) }
    try step("copy") { try store.execute(ChangeSet(inserting: notes)) }
    try step("commit of a copy") { try store.commit(.eventual) }
    let fetch = StoreFetch(try Self.shape("Note"))
    expect("count", try step("count") { try store.count(fetch, in: .committed) }, 132)
    let found = try step("rows") { try store.rows(for: notes.map(\.key), in: .committed) }
    expect("rows", found.reduce(0) { $0 + $1.count }, 130)
    let kept = try step("generation") {
      let generation = try store.generation()
      return try store.count(fetch, in: .generation(generation))
    }
    expect("generation", kept, 132)
  }

  private func refuse(_ store: PostgreSQLStore) throws {
    let refusal = StoreError(.unsupported, "The caller refuses.")
    let isRefused = try step("refusal") {
      do throws(StoreError) {
        try store.execute(ChangeSet(inserting: [note(4)])) { () throws(StoreError) in
          throw refusal
        }
        return false
      } catch {
        guard error.code == .unsupported else { throw error }
        return true
      }
    }
    if !isRefused { fault("A refused change set was accepted.") }
  }

  private func keepMetadata(_ store: PostgreSQLStore) throws {
    try step("metadata") { try store.setMetadata(["place": .string("here")]) }
    let metadata = try step("reading metadata") { try store.metadata() }
    expect("metadata", metadata["place"], .string("here"))
  }

  private func writeInOneTrip(_ store: PostgreSQLStore) throws {
    let notes = [note(9), note(10)]
    try keep("insert", ChangeSet(inserting: notes), .immediate, store)
    let changed = notes[0].changed(["text": .string("Changed")])
    try keep("update", ChangeSet(updating: [changed]), .eventual, store)
    try keep("delete", ChangeSet(deleting: [notes[1]]), .immediate, store)
  }

  /// A step that executes and commits. A commit that fails leaves its change set accepted, and is tried again alone.
  private func keep(
    _ name: String, _ changes: ChangeSet, _ durability: Durability, _ store: PostgreSQLStore
  ) throws {
    let failure = try step("\(name) in one trip") {
      try store.execute(changes, committing: durability)
    }
    guard let failure else { return }
    report.failures.append("\(name): \(failure)")
    try step("commit of one \(name)") { try store.commit(durability) }
  }

  private func remove(_ store: PostgreSQLStore) throws {
    try step("insert before the removal") {
      try store.execute(ChangeSet(inserting: [note(5)]))
    }
    try step("removal") { try store.removeAllRows() }
    try step("insert behind the removal") {
      try store.execute(ChangeSet(inserting: [note(6)]))
    }
    try step("commit behind the removal") { try store.commit(.immediate) }
  }

  private func withdraw(_ store: PostgreSQLStore) throws {
    let (one, other) = (ChangeSet(inserting: [note(7)]), ChangeSet(inserting: [note(8)]))
    try step("insert") { try store.execute(one) }
    try step("another insert") { try store.execute(other) }
    try step("withdrawal") { try store.withdraw([one]) }
    let lost = try step("losses") { try store.restoreAccepted() }
    expect("withdrawn", lost.flatMap(\.changes.keys).map(\.primaryKey), [7])
    try step("last commit") { try store.commit(.eventual) }
  }

  // MARK: - Deeds

  private func ask(_ sql: String) throws -> [String?] {
    let address = try ServerAddress(place.server.address)
    let connection = try ServerSource(address: address, options: place.options).connect()
    let answer = try connection.run(sql)
    return (0..<answer.count).map { answer.text($0, 0) }
  }

  private func watchDeeds() throws {
    for sql in [
      "CREATE TABLE deeds (deed text, key bigint)",
      """
      CREATE FUNCTION note_deed() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN \
      INSERT INTO \(place.options.schema).deeds VALUES (TG_OP, coalesce(NEW.row_id, OLD.row_id)); \
      RETURN NULL; END $$
      """,
      """
      CREATE TRIGGER deeds AFTER INSERT OR UPDATE OR DELETE ON note FOR EACH ROW \
      EXECUTE FUNCTION note_deed()
      """,
    ] {
      _ = try ask(sql)
    }
  }

  private func check() throws {
    let inserted = Array(1...3) + Array(1001...1130) + [5, 6, 8, 9, 10]
    let deleted = [3] + [1, 2] + Array(1001...1130) + [5, 9, 10]
    let expected =
      inserted.map { "INSERT \($0)" } + ["UPDATE 1", "UPDATE 9"] + deleted.map { "DELETE \($0)" }
    let found = try ask("SELECT deed || ' ' || key FROM deeds").compactMap(\.self)
    compare("Deeds", expected, found)
    if setting == .history {
      let noted = try ask(
        "SELECT (ARRAY['INSERT', 'UPDATE', 'DELETE'])[kind + 1] || ' ' || object FROM sporades_changes "
          + "JOIN sporades_transactions USING (place) WHERE entity = 'Note' ORDER BY id"
      ).compactMap(\.self)
      // A change of links is one of the note, and no deed of its row.
      compare(
        "Changes of the history", expected.filter { !$0.hasPrefix("UPDATE") },
        noted.filter { !$0.hasPrefix("UPDATE") })
      expect("updates", Set(noted.filter { $0.hasPrefix("UPDATE") }), ["UPDATE 1", "UPDATE 9"])
    }
    expect("notes", try ask("SELECT row_id::text FROM note ORDER BY row_id"), ["6", "8"])
    expect("links", try ask("SELECT count(*)::text FROM note_tags"), ["0"])
    // A generation whose connection was cut may still read the tables.
    proxy.forgetServers()
    _ = try ask("DROP SCHEMA \(place.options.schema) CASCADE")
  }

  private func compare(_ what: String, _ expected: [String], _ found: [String]) {
    let (missing, more) = (Self.difference(expected, found), Self.difference(found, expected))
    if !missing.isEmpty { fault("\(what) are missing: \(missing.prefix(10))") }
    if !more.isEmpty { fault("\(what) are there that nobody asked for: \(more.prefix(10))") }
  }

  private static func difference(_ some: [String], _ others: [String]) -> [String] {
    var counts = Dictionary(others.map { ($0, 1) }, uniquingKeysWith: +)
    return some.filter { text in
      counts[text, default: 0] -= 1
      return counts[text, default: 0] < 0
    }
  }
}
