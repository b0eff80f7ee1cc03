// SPDX-License-Identifier: MIT
import Foundation
import SporadesGraph
import SporadesModel
import SporadesMoving
import SporadesPostgreSQL
import SporadesSQLite
import SporadesStore
import TestServer
import Testing

/// Rows of existing tables go to a file, and none come from one.
@Suite(.enabled(if: TestServer.isThere, "There is no PostgreSQL on this machine."))
struct MovedTablesTests {
  @Test func tablesOfOthersGoToAFileAndAreNoTarget() throws {
    let tables = try ExistingTables.music()
    let model = try ManagedObjectModel(ExistingTables.entities)
    let server = try tables.open(model)
    let folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("sporades-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let target = try SQLiteStore(
      path: folder.appendingPathComponent("Store.sqlite").path, model: model)
    try StoreMove(from: server, to: target).run()
    let image = try StoreImage(server)
    #expect(image.rowCount == 7 && image.linkCount == 6)
    #expect(image.differences(in: try StoreImage(target)) == [])
    for table in ["album_tag", "album", "artist", "tag"] { try tables.run("DELETE FROM \(table)") }
    let error = try #require(throws: StoreError.self) {
      try StoreMove(from: target, to: server).run()
    }
    #expect(error.code == .unsupported && !error.detail.contains("removeAllRows"), "\(error)")
    #expect(try tables.ask("SELECT count(*) FROM artist") == ["(0)"])
    try server.close()
    try target.close()
    try FileManager.default.removeItem(at: folder)
  }
}
