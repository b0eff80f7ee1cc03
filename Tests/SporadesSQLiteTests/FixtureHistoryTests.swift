// SPDX-License-Identifier: MIT
import CSQLite
import Foundation
import SporadesModel
import SporadesSQLite
import SporadesStore
import Testing

/// Histories that Apple's frameworks wrote: what each change names is read with the model the store
/// carries, and written back.
@Suite(.enabled(if: StoreFixture.areThere)) struct FixtureHistoryTests {
  struct Change {
    let entity: String
    let key: Int64
    let columns: [UInt8]
    let names: [String]
  }

  /// The store, how many changes of it have columns, and how many of these name a to-many relationship.
  @Test(arguments: [
    ("RMAdminStore-Local", 2816, 751), ("knowledgec-10.13", 28, 25), ("Photos-10.15.7", 1193, 345),
  ])
  func everyChangeIsReadAndWrittenBackToTheSameBytes(
    name: String, count: Int, toMany: Int
  ) throws {
    let fixture = try #require(StoreFixture.histories.first { $0.name.contains(name) })
    let changes = try changes(of: fixture)
    #expect(changes.count == count)
    var flagged = 0
    for change in changes {
      let shape = try #require(fixture.model.shape(named: change.entity))
      let slots = HistorySlots(shape, fixture.model)
      let places = try #require(slots.places(in: change.columns), "\(change.entity)")
      #expect(slots.bytes(of: places) == change.columns, "\(change.entity)")
      #expect(!places.isEmpty)
      let isToMany = places.contains { if case .toMany = slots.slots[$0] { true } else { false } }
      flagged += isToMany ? 1 : 0
    }
    #expect(flagged == toMany)
  }

  /// A wrong order of the columns names attributes that have no value.
  @Test(arguments: ["RMAdminStore-Local", "Photos-10.15.7"])
  func whatChangedHasAValueButForWhatWasTakenAway(name: String) throws {
    let fixture = try #require(StoreFixture.histories.first { $0.name.contains(name) })
    let database = unsafe try fixture.database()
    defer { unsafe sqlite3_close(database) }
    var (values, nothings) = (0, 0)
    for change in try changes(of: fixture) {
      let shape = try #require(fixture.model.shape(named: change.entity))
      let slots = HistorySlots(shape, fixture.model)
      let table = "Z" + fixture.model.shape(numbered: shape.rootNumber).name.uppercased()
      for place in try #require(slots.places(in: change.columns)) {
        guard case .attribute(let attribute, _) = slots.slots[place] else { continue }
        let row = unsafe try SQLRows.texts(
          database,
          "SELECT typeof(Z\(attribute.name.uppercased())) FROM \(table) WHERE Z_PK = \(change.key)")
        for type in row { if type == "null" { nothings += 1 } else { values += 1 } }
      }
    }
    #expect(values > 1000)
    #expect(nothings * 50 < values, "\(nothings) of \(values)")
  }

  @Test func aChangeOfAOneToManyRelationshipNamesIt() throws {
    let fixture = try #require(StoreFixture.histories.first { $0.name.contains("RMAdmin") })
    let usages = try changes(of: fixture).filter { $0.entity == "Usage" }
    #expect(usages.count { $0.names == ["lastUpdatedDate"] } == 632)
    #expect(usages.count { $0.names == ["lastUpdatedDate", "blocks"] } == 294)
    #expect(usages.count { $0.names == ["blocks"] } == 12)
  }

  private func changes(of fixture: StoreFixture) throws -> [Change] {
    let database = unsafe try fixture.database()
    defer { unsafe sqlite3_close(database) }
    let rows = unsafe try SQLRows.texts(
      database,
      "SELECT p.Z_NAME || ' ' || c.ZENTITYPK || ' ' || hex(c.ZCOLUMNS) FROM ACHANGE c JOIN "
        + "Z_PRIMARYKEY p ON p.Z_ENT = c.ZENTITY WHERE c.ZCOLUMNS NOT NULL")
    return try rows.map { row in
      let parts = row.split(separator: " ")
      let entity = String(parts[0])
      let digits = Array(parts[2].utf8)
      let columns = try stride(from: 0, to: digits.count, by: 2).map {
        try #require(UInt8(String(decoding: digits[$0...$0 + 1], as: UTF8.self), radix: 16))
      }
      let shape = try #require(fixture.model.shape(named: entity))
      let slots = HistorySlots(shape, fixture.model)
      let names = try #require(slots.places(in: columns)).map { slots.slots[$0].name }
      return Change(
        entity: entity, key: try #require(Int64(parts[1])), columns: columns, names: names)
    }
  }
}
