// SPDX-License-Identifier: MIT
import CSQLite
import Foundation
import SporadesModel
import SporadesSQLite
import SporadesStore

/// A damaged copy of a store.
struct StoreMutant {
  private let base: BaseStore
  private let folder: URL
  let path: String
  private let seed: UInt64

  init(
    _ base: BaseStore, _ random: inout Randomness,
    _ damage: (StoreMutant) -> (inout Randomness) throws -> Void
  ) throws {
    self.base = base
    folder = base.folder.appendingPathComponent(UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    path = folder.appendingPathComponent("Mutant.sqlite").path
    try FileManager.default.copyItem(atPath: base.path, toPath: path)
    seed = random.next()
    try damage(self)(&random)
  }

  private func remove() {
    // The copy lies in the folder of the base store, which is removed at the end of the process.
    try? FileManager.default.removeItem(at: folder)
  }

  func exercise() throws {
    defer { remove() }
    try StoreExercise(path, base.model, seed: seed).run()
  }

  func readMetadata() throws {
    defer { remove() }
    let url = URL(fileURLWithPath: path)
    let metadata = try SQLiteStore.metadata(ofStoreAt: url)
    try SQLiteStore.setMetadata(metadata, ofStoreAt: url)
    guard try SQLiteStore.metadata(ofStoreAt: url).keys == metadata.keys else {
      throw Untyped(text: "Metadata that was written is not what is read.")
    }
  }

  // MARK: - Damage

  func damageBytes(_ random: inout Randomness) throws {
    var bytes = Array(try Data(contentsOf: URL(fileURLWithPath: path)))
    random.damage(&bytes, times: 1 + random.below(8))
    try Data(bytes).write(to: URL(fileURLWithPath: path))
  }

  /// Sets cells of tables to values that no app writes.
  func damageCells(_ random: inout Randomness) throws {
    try edit { database in
      let tables = try unsafe Self.texts(
        database, "SELECT name FROM sqlite_master WHERE type = 'table' AND sql LIKE 'CREATE TABLE%'"
      )
      for _ in 0...random.below(3) {
        // The library reads the other tables by these two, which have few cells and so get extra damage.
        let table =
          random.below(3) == 0
          ? random.one(of: ["Z_PRIMARYKEY", "Z_METADATA"]) : random.one(of: tables)
        let columns = try unsafe Self.texts(
          database, "SELECT name FROM pragma_table_info('\(table)')")
        guard !columns.isEmpty else { continue }
        let rows = random.one(of: [
          "1", "rowid % 2", "rowid = (SELECT MAX(rowid) FROM \"\(table)\")",
        ])
        try unsafe Self.run(
          database,
          "UPDATE OR IGNORE \"\(table)\" SET \"\(random.one(of: columns))\" = "
            + "\(random.one(of: OddValues.all)) WHERE \(rows)")
      }
    }
  }

  /// Changes the tables themselves.
  func damageSchema(_ random: inout Randomness) throws {
    try edit { database in
      let tables = try unsafe Self.texts(
        database,
        "SELECT name FROM sqlite_master WHERE type = 'table' AND name LIKE 'Z%' "
          + "AND sql LIKE 'CREATE TABLE%'")
      for _ in 0...random.below(2) {
        let table = random.one(of: tables)
        let columns = try unsafe Self.texts(
          database, "SELECT name FROM pragma_table_info('\(table)')")
        guard !columns.isEmpty else { continue }
        try unsafe Self.run(
          database, OddSchemas.change(table, random.one(of: columns), columns, &random))
      }
    }
  }

  func damagePropertyList(_ random: inout Randomness) throws {
    var bytes = try PropertyLists.any(&random)
    if random.below(5) > 0 { random.damage(&bytes, times: 1 + random.below(4)) }
    let digits = String(
      decoding: bytes.flatMap { byte in
        [byte >> 4, byte & 15].map { Array("0123456789abcdef".utf8)[Int($0)] }
      },
      as: UTF8.self)
    try edit { try unsafe Self.run($0, "UPDATE Z_METADATA SET Z_PLIST = x'\(digits)'") }
  }

  // MARK: - SQL

  @safe
  private func edit(_ body: (OpaquePointer) throws -> Void) throws {
    var opened: OpaquePointer?
    defer { unsafe sqlite3_close(opened) }
    guard unsafe sqlite3_open(path, &opened) == SQLITE_OK, let database = unsafe opened else {
      throw Untyped(text: "The copy cannot be opened.")
    }
    // A change may fire a trigger of a former change, which may never end.
    unsafe sqlite3_progress_handler(database, 1_000_000, { _ in 1 }, nil)
    try unsafe body(database)
  }

  /// A statement that SQLite refuses leaves the copy unchanged, which is a mutant too.
  @unsafe
  private static func run(_ database: OpaquePointer, _ sql: String) throws {
    _ = unsafe sqlite3_exec(database, sql, nil, nil, nil)
  }

  @unsafe
  private static func texts(_ database: OpaquePointer, _ sql: String) throws -> [String] {
    var statement: OpaquePointer?
    defer { unsafe sqlite3_finalize(statement) }
    guard unsafe sqlite3_prepare_v2(database, sql, -1, &statement, nil) == SQLITE_OK else {
      return []
    }
    var texts: [String] = []
    while unsafe sqlite3_step(statement) == SQLITE_ROW {
      if let text = unsafe sqlite3_column_text(statement, 0) {
        texts.append(unsafe String(cString: text))
      }
    }
    return texts
  }
}
