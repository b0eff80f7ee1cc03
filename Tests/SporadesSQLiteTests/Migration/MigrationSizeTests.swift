// SPDX-License-Identifier: MIT
import Foundation
import SporadesCare
import SporadesGraph
import SporadesModel
import SporadesSQLite
import SporadesStore
import Testing

/// What a migration writes, by the pages of the file: a time would tell of the disk, too.
@Suite struct MigrationSizeTests {
  enum Kind: CaseIterable { case plain, indexed, withHistory, renamed }

  private static func model(_ kind: Kind, _ change: (inout EntityDescription) -> Void = { _ in })
    throws -> ManagedObjectModel
  {
    var entity = EntityDescription(
      "Reading",
      attributes: [
        AttributeDescription("number", .integer64, isOptional: true),
        AttributeDescription("label", .string, isOptional: true),
      ])
    if kind == .indexed { entity.indexes = [FetchIndexDescription("byNumber", on: "number")] }
    change(&entity)
    return try ManagedObjectModel(entities: [entity])
  }

  /// A store with rows, and a history in which each row has an insertion, and one row a change.
  private func make(_ kind: Kind, _ count: Int) throws -> String {
    let path = Sample.temporaryPath()
    let model = try Self.model(kind)
    try SQLiteStore(path: path, model: model).close()
    if kind == .withHistory { try PlainStore(path).run(AppHistory.tables(lastTransaction: 0)) }
    let stack = DataStack(store: try SQLiteStore(path: path, model: model))
    try stack.look { context throws in
      for number in 0..<count {
        try context.make(
          "Reading", ["number": .integer(Int64(number)), "label": .string("Reading \(number)")])
      }
      try context.save()
      try #require(try context.all("Reading", by: "number").first)["label"] = "Another"
      try context.save()
    }
    try stack.store.close()
    return path
  }

  /// The numbers of the pages that a migration changed, and how many it added.
  private func changes(_ kind: Kind, _ count: Int) throws -> (changed: Int, added: Int) {
    let path = try make(kind, count)
    let before = try pages(path)
    let new = try Self.model(kind) { entity in
      entity.attributes.append(AttributeDescription("remark", .string, isOptional: true))
      guard kind == .renamed else { return }
      entity.attributes[1].name = "title"
      entity.attributes[1].renamingIdentifier = "label"
    }
    let forecast = try SQLiteStore.migrationForecast(
      forStoreAt: URL(fileURLWithPath: path), to: new)
    #expect(forecast.bytes == 0)
    #expect(forecast.steps.reduce(0) { $0 + $1.rows } == (kind == .withHistory ? 1 : 0))
    try SQLiteStore(path: path, model: new).close()
    let after = try pages(path)
    let store = try SQLiteStore(path: path, model: new)
    #expect(try store.integrityProblems() == [])
    try store.close()
    return (zip(before, after).count { $0 != $1 }, after.count - before.count)
  }

  private func pages(_ path: String) throws -> [Data] {
    let bytes = try Data(contentsOf: URL(fileURLWithPath: path))
    return stride(from: 0, to: bytes.count, by: 4_096).map { bytes.subdata(in: $0..<($0 + 4_096)) }
  }

  @Test(arguments: Kind.allCases)
  func anAttributeWithoutValuesCostsTheSameForAnyNumberOfRows(_ kind: Kind) throws {
    let few = try changes(kind, 10)
    let many = try changes(kind, 10_000)
    #expect(many.changed <= few.changed + 2 && many.added <= few.added + 1, "\(few) \(many)")
    #expect(many.changed < 15)
  }
}
