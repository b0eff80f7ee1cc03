// SPDX-License-Identifier: MIT
import Foundation
import Sporades
import SporadesModel
import SporadesStore
import TestServer
import Testing

@testable import SporadesExistingTables
@testable import SporadesPostgreSQL

/// Models that do not fit the tables, which are refused when a store is opened.
@Suite(.enabled(if: TestServer.isThere, "There is no PostgreSQL on this machine."))
struct RefusedMappingTests {
  private let tables: ExistingTables

  init() throws { tables = try .music() }

  private func expect(
    _ entities: EntityDescription..., says words: String...,
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let model = try ManagedObjectModel(entities: entities)
    do throws(StoreError) {
      _ = try PostgreSQLStore(
        existingTablesAt: tables.place.server.address, model: model, options: tables.place.options)
      Issue.record("The model was taken.", sourceLocation: sourceLocation)
    } catch {
      #expect(
        error.code == .incompatibleModel(error.names), "\(error.code)",
        sourceLocation: sourceLocation)
      for word in words {
        #expect(error.detail.contains(word), "\(error.detail)", sourceLocation: sourceLocation)
      }
    }
  }

  @Test func aStoreOfItsOwnNamesTheProductOfExistingTables() throws {
    let model = try ManagedObjectModel([Artist.self, Album.self, Tag.self])
    let place = tables.place
    let error = #expect(throws: StoreError.self) {
      try PostgreSQLStore(place.server.address, model: model, options: place.options)
    }
    #expect(error?.code == .unsupported)
    #expect(error?.detail.contains("SporadesExistingTables") == true)
    #expect(
      try tables.ask(
        "SELECT count(*) FROM pg_tables WHERE schemaname = current_schema() AND tablename LIKE 'sporades%'"
      ) == ["(0)"])
  }

  private func attribute(
    _ name: String, _ type: AttributeType, column: String? = nil, isOptional: Bool = true
  ) -> AttributeDescription {
    var attribute = AttributeDescription(name, type, isOptional: isOptional)
    attribute.userInfo["sporades.column"] = column
    return attribute
  }

  @Test func whatIsMissingIsNamed() throws {
    try expect(
      EntityDescription("Song", in: .table("song")), says: "Song", ".song, which is not there")
    try expect(
      EntityDescription("Tag", in: .table("tag"), attribute("label", .string)),
      says: "Tag.label", "tag.label, which is not there", "tag.name is NOT NULL")
    try expect(
      EntityDescription("Tag", in: .table("tag", key: "number"), attribute("name", .string)),
      says: "tag.number, which is not there")
  }

  @Test func aColumnOfAnotherTypeIsNamed() throws {
    try expect(
      EntityDescription(
        "Album", in: .table("album"), attribute("title", .integer64),
        attribute("price", .boolean, column: "unit_price"), attribute("released", .string)),
      says: "Album.title is of type integer64", "of type text", "Album.price", "numeric(6,2)",
      "Album.released", "of type date")
  }

  @Test func aNumberThatAnAttributeCouldNotReadIsRefused() throws {
    try expect(
      EntityDescription(
        "Tag", in: .table("tag"), attribute("name", .string, isOptional: false),
        attribute("count", .integer16, column: "lock_version")),
      says: "Tag.count is of type integer16", "of type integer")
  }

  @Test func whatMayBeNilDoesNotFitWhatIsNotNull() throws {
    try expect(
      EntityDescription("Tag", in: .table("tag"), attribute("name", .string)),
      says: "Tag.name may be nil", "Declare it without a question mark")
  }

  @Test func aKeyIsOneUniqueWholeNumber() throws {
    try tables.run(
      "CREATE TABLE place (name text, day date, number integer, PRIMARY KEY (name, day))")
    try tables.run("CREATE TABLE device (id uuid PRIMARY KEY)")
    try tables.run("CREATE TABLE line (text text)")
    try expect(EntityDescription("Place", in: .table("place")), says: "primary key of 2 columns")
    try expect(
      EntityDescription("Place", in: .table("place", key: "number")),
      says: "no constraint makes it unique")
    try expect(EntityDescription("Device", in: .table("device")), says: "device.id is of type uuid")
    try expect(EntityDescription("Line", in: .table("line")), says: "has no primary key")
  }

  @Test func anEntityWithoutATableIsNamedBesideOthers() throws {
    let model = try ManagedObjectModel(entities: [
      EntityDescription("Plain"), EntityDescription("Song", in: .table("tag", isReadOnly: true)),
    ])
    #expect(throws: StoreError.self) { try tables.open(model) }
  }

  @Test func anOrderedRelationshipIsRefused() throws {
    try expect(
      EntityDescription(
        "Artist", in: .table("artist"),
        attribute("name", .string, column: "full_name", isOptional: false),
        relationships: [.toMany("albums", "Album", inverse: "artist", isOrdered: true)]),
      EntityDescription(
        "Album", in: .table("album"), attribute("title", .string, isOptional: false),
        relationships: [
          {
            var artist = RelationshipDescription.toOne("artist", "Artist", inverse: "albums")
            artist.userInfo = ["sporades.column": "by_artist"]
            return artist
          }()
        ]), says: "an existing table keeps no order")
  }

  @Test func aModelOfFewerColumnsIsReadOnlyWhereItSaysSo() throws {
    let model = try ManagedObjectModel(entities: [
      EntityDescription("Tag", in: .table("tag", isReadOnly: true))
    ])
    let store = try tables.open(model)
    let shape = try #require(model.shape(named: "Tag"))
    #expect(try store.count(StoreFetch(shape), in: .committed) == 2)
    var builder = RowPageBuilder(layout: shape.layout)
    builder.appendRow(RowKey(entity: 1, primaryKey: 9), version: 1)
    let changes = ChangeSet(inserted: [builder.finish()])
    do throws(StoreError) {
      try store.execute(changes)
      Issue.record("A row was written.")
    } catch {
      #expect(error.code == .readOnly)
    }
    #expect(throws: StoreError.self) { try store.removeAllRows() }
    #expect(throws: StoreError.self) { try store.setMetadata([:]) }
    try store.close()
  }
}

extension StoreError {
  fileprivate var names: [String] {
    if case .incompatibleModel(let names) = code { names } else { [] }
  }
}
