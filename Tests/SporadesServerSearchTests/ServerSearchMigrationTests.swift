// SPDX-License-Identifier: MIT
import Foundation
import Sporades
import SporadesModel
import SporadesPostgreSQL
import SporadesSearch
import SporadesServerSearch
import SporadesStore
import SporadesTesting
import TestServer
import Testing

@Suite(.enabled(if: TestServer.isThere, "There is no PostgreSQL on this machine."))
struct ServerSearchMigrationTests {
  private func model(_ names: [String]) throws -> ManagedObjectModel {
    let attributes = names.map { name in
      var attribute = AttributeDescription(name, .string, isOptional: true)
      attribute.userInfo = ["SporadesSearchable": "YES"]
      return attribute
    }
    return try ManagedObjectModel(entities: [EntityDescription("Note", attributes: attributes)])
  }

  private func count(_ search: Search, in store: PostgreSQLStore) throws -> Int {
    try store.keys(StoreFetch(store.model.shapes[0], where: .search(search)), in: .accepted).count
  }

  /// A program that keeps no index migrates the store and writes; one that keeps it finds what it wrote.
  @Test func aMigrationTakesTheTriggersAway() throws {
    let place = try TestStore()
    let (first, second) = (try model(["title", "text"]), try model(["title"]))
    let store = try place.open(first) { $0.search = .index }
    try store.execute(
      ChangeSet(inserting: [
        RowDraft("Note", 1, ["title": .string("one"), "text": .string("ham")], of: first)
      ]))
    try store.commit(.immediate)
    #expect(try count("ham", in: store) == 1)
    try store.close()
    let other = try place.open(second, MigrationOptions()) { $0.migration.losses = .allowed }
    try other.execute(
      ChangeSet(inserting: [RowDraft("Note", 2, ["title": .string("ham")], of: second)]))
    try other.commit(.immediate)
    #expect(try count("ham", in: other) == 1)
    try other.close()
    let last = try place.open(second) { $0.search = .index }
    #expect(try count("ham", in: last) == 1)
    #expect(try count("one OR ham", in: last) == 2)
    try last.close()
  }
}
