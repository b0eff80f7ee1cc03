// SPDX-License-Identifier: MIT
import Foundation
import Sporades
import SporadesModel
import SporadesSQLite
import SporadesSearch
import SporadesStore
import Testing

@Suite struct SearchMigrationTests {
  private static let mark = ["SporadesSearchable": "YES"]

  private func model(_ attributes: [AttributeDescription]) throws -> ManagedObjectModel {
    try ManagedObjectModel(entities: [EntityDescription("Article", attributes: attributes)])
  }

  private func attribute(_ name: String, isSearchable: Bool = true) -> AttributeDescription {
    var attribute = AttributeDescription(name, .string, isOptional: true)
    if isSearchable { attribute.userInfo = Self.mark }
    return attribute
  }

  private func count(_ search: Search, in path: String, _ model: ManagedObjectModel) throws -> Int {
    let store = try SQLiteStore(path: path, model: model)
    let found = try store.keys(StoreFetch(model.shapes[0], where: .search(search)), in: .accepted)
    #expect(try store.searchIndexProblems() == [])
    try store.close()
    return found.count
  }

  @Test func theIndexFollowsTheVersionsOfAModel() throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    // What is left in the system's temporary folder harms nobody.
    defer { try? FileManager.default.removeItem(at: folder) }
    let path = folder.appendingPathComponent("store.sqlite").path
    let first = try model([attribute("title")])
    #expect(try count("green", in: path, first) == 0)
    let stranger = try Stranger(path)
    try stranger.run(
      "INSERT INTO ZARTICLE (Z_PK, Z_ENT, Z_OPT, ZTITLE) VALUES (1, 1, 1, 'green eggs')")
    #expect(try count("green", in: path, first) == 1)
    let second = try model([attribute("title"), attribute("text")])
    #expect(try count("title:green", in: path, second) == 1)
    try stranger.run("UPDATE ZARTICLE SET ZTEXT = 'ham'")
    #expect(try count("ham", in: path, second) == 1)
    // Another option is no other version of the model, and another index.
    let third = try model([attribute("title", isSearchable: false), attribute("text")])
    #expect(try count("ham", in: path, third) == 1)
    #expect(try count("green", in: path, third) == 0)
    let fourth = try model([
      attribute("title"), attribute("text", isSearchable: false), attribute("note"),
    ])
    #expect(try count("green", in: path, fourth) == 1)
    #expect(try count("ham", in: path, fourth) == 0)
  }

  @Test func aModelWithoutSearchableTextsLeavesTheIndexAlone() throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    // What is left in the system's temporary folder harms nobody.
    defer { try? FileManager.default.removeItem(at: folder) }
    let path = folder.appendingPathComponent("store.sqlite").path
    let (with, without) = (
      try model([attribute("title")]), try model([attribute("title", isSearchable: false)])
    )
    #expect(with.entityVersionHashesByName == without.entityVersionHashesByName)
    #expect(try count("x", in: path, with) == 0)
    let store = try SQLiteStore(path: path, model: without)
    #expect(!store.hasTriggers)
    #expect(throws: StoreError.self) {
      try store.keys(StoreFetch(without.shapes[0], where: .search("x")), in: .accepted)
    }
    try store.close()
    try Stranger(path).run(
      "INSERT INTO ZARTICLE (Z_PK, Z_ENT, Z_OPT, ZTITLE) VALUES (1, 1, 1, 'x')")
    #expect(try count("x", in: path, with) == 1)
  }
}
