// SPDX-License-Identifier: MIT
import Foundation
import SporadesModel
import SporadesMoving
import SporadesPostgreSQL
import SporadesSQLite
import SporadesStore
import TestServer
import Testing

/// Files that Apple's frameworks wrote go to a server and back.
@Suite(
  .enabled(
    if: StoreFixture.areThere && TestServer.isThere, "There are no fixtures, or no PostgreSQL."))
struct FixtureMoveTests {
  /// The values that a server cannot keep, by the end of the file's name.
  private static let lacks = ["Photos-10.15.7.sqlite": 4]

  /// All files whose model is known, or which carry one.
  private static let names = Set(
    StoreFixture.all.map(\.name) + StoreFixture.carriers.map { "stores/" + $0 }
  ).sorted()

  @Test(arguments: names) func aFileIsEqualWhenItComesBack(name: String) throws {
    let url = URL(fileURLWithPath: try StoreFixture.copy(of: "\(StoreFixture.root)/\(name)"))
    let known = StoreFixture.all.first { $0.name == name }?.model
    let model = try #require(try known ?? .cachedModel(forStoreAt: url))
    var options = SQLiteStoreOptions()
    options.isReadOnly = true
    let source = try SQLiteStore(url: url, model: model, options: options)
    let server = try TestStore().open(model)
    let move = try StoreMove(from: source, to: server)
    let found = try move.unkeepable()
    let expected = Self.lacks.first { name.hasSuffix($0.key) }?.value ?? 0
    #expect(found.count == expected, "\(found)")
    guard found.isEmpty else {
      #expect(throws: StoreError.self) { try move.run() }
      #expect(try StoreImage(server).rowCount == 0)
      return
    }
    let moved = try move.run()
    let back = try SQLiteStore(path: Sample.temporaryPath(), model: model)
    #expect(try StoreMove(from: server, to: back).run().links == moved.links)
    let image = try StoreImage(source)
    #expect(image.rowCount == moved.rows)
    #expect(image.differences(in: try StoreImage(server)) == [])
    #expect(image.differences(in: try StoreImage(back)) == [])
    for store in [source, server, back] as [any PersistentStore] { try store.close() }
  }
}
