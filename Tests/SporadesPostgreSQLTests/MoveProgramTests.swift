// SPDX-License-Identifier: MIT
import Foundation
import SporadesModel
import SporadesPostgreSQL
import SporadesSQLite
import SporadesStore
import SporadesTesting
import TestServer
import Testing

/// The program of `Scripts/move-store`, run as a process of its own.
@Suite(.enabled(if: TestServer.isThere, "There is no PostgreSQL on this machine."))
struct MoveProgramTests {
  private let place: TestStore
  private let folder: URL

  init() throws {
    place = try TestStore()
    folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("sporades-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  }

  /// Runs the program in the schema of the test. Returns its status and what it says.
  private func move(_ arguments: String...) throws -> (status: Int32, words: String) {
    let (process, errors) = (Process(), Pipe())
    process.executableURL = try program()
    process.arguments = ["--schema", place.options.schema] + arguments
    process.standardError = errors
    try process.run()
    let words = errors.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return (process.terminationStatus, String(decoding: words, as: UTF8.self))
  }

  /// The program lies in the folder of the test bundle, or above it.
  private func program() throws -> URL {
    var place = URL(fileURLWithPath: CommandLine.arguments[0])
    var candidates: [URL] = []
    while place.path != "/" {
      place.deleteLastPathComponent()
      candidates.append(place.appendingPathComponent("MoveStoreProbe"))
    }
    return try #require(
      candidates.first { FileManager.default.isExecutableFile(atPath: $0.path) })
  }

  private func path(_ name: String) -> String { folder.appendingPathComponent(name).path }

  private func files() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
  }

  private func fill(_ name: String, _ changes: ChangeSet) throws {
    let store = try SQLiteStore(path: path(name), model: SampleLibrary.model)
    try store.execute(changes)
    try store.close()
  }

  private func image(_ name: String) throws -> StoreImage {
    let store = try SQLiteStore(path: path(name), model: SampleLibrary.model)
    let image = try StoreImage(store)
    try store.close()
    return image
  }

  @Test func aFileGoesToTheServerAndBack() throws {
    try fill("Library.sqlite", SampleLibrary.rows(seed: 1, behind: 0))
    let there = try move(path("Library.sqlite"), place.server.address)
    #expect(there.status == 0, "\(there.words)")
    let back = try move("--back", place.server.address, path("Back.sqlite"))
    #expect(back.status == 0, "\(back.words)")
    let image = try image("Library.sqlite")
    #expect(image.rowCount > 0)
    #expect(image.differences(in: try self.image("Back.sqlite")) == [])
    // Neither a second time.
    let again = try move(path("Library.sqlite"), place.server.address)
    #expect(again.status == 1 && again.words.contains("The target has objects"), "\(again.words)")
    let over = try move("--back", place.server.address, path("Back.sqlite"))
    #expect(over.status == 1 && over.words.contains("already"), "\(over.words)")
    #expect(image.differences(in: try self.image("Back.sqlite")) == [])
    try FileManager.default.removeItem(at: folder)
  }

  @Test func whatCannotMoveIsNamedAndLeavesNoFile() throws {
    let author = RowDraft(
      "Author", 1, ["name": "a\u{0}b", "born": .date(.distantPast)], of: SampleLibrary.model)
    try fill("Library.sqlite", ChangeSet(inserting: [author]))
    let there = try move(path("Library.sqlite"), place.server.address)
    #expect(there.status == 1 && there.words.contains(".name: "), "\(there.words)")
    #expect(there.words.contains("Nothing was moved"), "\(there.words)")
    let before = try files()
    let missing = try move(path("Missing.sqlite"), place.server.address)
    #expect(missing.status == 1, "\(missing.words)")
    let nowhere = try move("--back", "host=\(folder.path) dbname=none", path("Back.sqlite"))
    #expect(nowhere.status == 1 && nowhere.words.hasPrefix("move-store: "), "\(nowhere.words)")
    #expect(try move("--back", path("Back.sqlite")).status == 2)
    #expect(try files() == before)
    try FileManager.default.removeItem(at: folder)
  }
}
