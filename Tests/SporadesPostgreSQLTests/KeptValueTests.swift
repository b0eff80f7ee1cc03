// SPDX-License-Identifier: MIT
import Foundation
import SporadesGraph
import SporadesModel
import SporadesStore
import SporadesTesting
import TestServer
import Testing

@testable import SporadesPostgreSQL

/// Values that outlive their objects in the history of a server.
@Suite(.enabled(if: TestServer.isThere, "There is no PostgreSQL on this machine."))
struct KeptValueTests {
  private let place: TestStore

  init() throws { place = try TestStore() }

  private static func model(
    _ attributes: [(name: String, type: AttributeType, former: String?)],
    named name: String = "Thing", was former: String? = nil
  ) throws -> ManagedObjectModel {
    var entity = EntityDescription(
      name,
      attributes: attributes.map { name, type, former in
        var attribute = AttributeDescription(name, type, isOptional: true)
        attribute.preservesValueInHistoryOnDeletion = true
        attribute.renamingIdentifier = former
        return attribute
      })
    entity.renamingIdentifier = former
    return try ManagedObjectModel(entities: [entity])
  }

  private func tombstone(_ store: PostgreSQLStore) throws -> [String: Value]? {
    let changes = try store.history(HistoryRange()).flatMap { $0.changes ?? [] }
    return changes.first { $0.changeType == .delete }?.tombstone
  }

  @Test func aDeletionKeepsTheValuesOfEachType() throws {
    let values: [(String, AttributeType, Value)] = [
      ("small", .integer16, .integer(-32_768)), ("medium", .integer32, .integer(2_147_483_647)),
      ("large", .integer64, .integer(.min)), ("truth", .boolean, .boolean(true)),
      ("real", .double, .double(0.1)), ("huge", .double, .double(1e300)),
      ("half", .float, .double(0.5)),
      ("digits", .decimal, .decimal(try #require(Decimal(string: "12345678901234567890.125")))),
      ("text", .string, "Ä 'quoted', {listed} \\ \"and\" NULL"), ("empty", .string, ""),
      ("day", .date, .date(Date(timeIntervalSinceReferenceDate: -700_000_000.123_456))),
      ("bytes", .binary, .data(Data([0, 255, 16]))), ("none", .binary, .data(Data())),
      ("id", .uuid, .uuid(try #require(UUID(uuidString: "0F5C2A6E-1111-4222-8333-94A4B5C6D7E8")))),
      ("link", .uri, .url(try #require(URL(string: "https://example.org/a?b=c")))),
      ("nothing", .string, .null),
    ]
    let model = try Self.model(values.map { (name: $0.0, type: $0.1, former: nil) })
    let store = try place.open(model) { $0.persistentHistory = .on }
    let kept = values.filter { !$0.2.isNull }.map { ($0.0, $0.2) }
    let expected = Dictionary(uniqueKeysWithValues: kept)
    let thing = RowDraft("Thing", 1, expected, of: model)
    try store.execute(ChangeSet(inserting: [thing]))
    try store.execute(ChangeSet(deleting: [thing]))
    try store.commit(.immediate)
    #expect(try tombstone(store) == expected)
    try store.close()
  }

  /// A value stays with its attribute if it means the same, as changes stay with their properties.
  @Test func aMigrationKeepsTheHistoryByItsNewNames() throws {
    let old = try Self.model([
      ("name", .string, nil), ("count", .integer16, nil), ("code", .string, nil),
      ("gone", .string, nil), ("size", .double, nil),
    ])
    let store = try place.open(old) { $0.persistentHistory = .on }
    let thing = RowDraft(
      "Thing", 1, ["name": "n", "count": .integer(3), "code": "x", "size": .double(1.5)], of: old)
    try store.execute(ChangeSet(inserting: [thing]))
    let changed = thing.changed(["name": "m", "gone": "g"])
    try store.execute(ChangeSet(updating: [changed]))
    try store.execute(ChangeSet(deleting: [changed]))
    try store.commit(.immediate)
    let before = try store.history(HistoryRange())
    try store.close()
    // The names of two attributes change places.
    let new = try Self.model(
      [
        ("code", .string, "name"), ("name", .string, "code"), ("total", .integer64, "count"),
        ("size", .integer32, nil),
      ], named: "Part", was: "Thing")
    var migration = MigrationOptions()
    migration.losses = .allowed
    let migrated = try place.open(new, migration)
    let after = try migrated.history(HistoryRange())
    #expect(after.dropLast().map(\.transactionNumber) == before.map(\.transactionNumber))
    // The migration itself.
    #expect(after.last?.changes?.isEmpty == true)
    #expect(after.last?.author?.contains("lightweight migration") == true)
    let changes = after.flatMap { $0.changes ?? [] }
    #expect(changes.map(\.changedObjectID.entityName) == ["Part", "Part", "Part"])
    #expect(changes.map(\.changeType) == [.insert, .update, .delete])
    #expect(changes[1].updatedProperties == ["code"])
    #expect(
      changes[2].tombstone == ["code": "m", "name": "x", "total": .integer(3)])
    try migrated.close()
  }

  @Test func theChangesOfAnEntityThatIsGoneGo() throws {
    func model(_ names: [String]) throws -> ManagedObjectModel {
      try ManagedObjectModel(
        entities: names.map {
          EntityDescription($0, attributes: [AttributeDescription("name", .string)])
        })
    }
    let old = try model(["Cat", "Dog"])
    let store = try place.open(old) { $0.persistentHistory = .on }
    try store.execute(
      ChangeSet(inserting: ["Cat", "Dog"].map { RowDraft($0, 1, ["name": "a"], of: old) }))
    try store.commit(.immediate)
    try store.close()
    var migration = MigrationOptions()
    migration.losses = .allowed
    let migrated = try place.open(try model(["Dog"]), migration)
    let changes = try migrated.history(HistoryRange()).map { $0.changes ?? [] }
    #expect(changes.map { $0.map(\.changedObjectID.entityName) } == [["Dog"], []])
    try migrated.close()
  }
}
