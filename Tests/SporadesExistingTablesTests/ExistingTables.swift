// SPDX-License-Identifier: MIT
import Foundation
import Sporades
import SporadesModel
import SporadesStore
import TestServer
import Testing

@testable import SporadesExistingTables
@testable import SporadesPostgreSQL

@Entity(userInfo: .table("artist"))
final class Artist: ManagedObject {
  @Attribute(.column("full_name")) var name = ""
  @Relationship(deleteRule: .cascade, inverse: \Album.artist) var albums: Set<Album>
}

@Entity(userInfo: .table("album", key: "album_no"))
final class Album: ManagedObject {
  var title = ""
  @Attribute(.column("unit_price")) var price: Double?
  var released: Date?
  @Attribute(.column("state")) var mood: String?
  @Relationship(options: [.column("by_artist")]) var artist: Artist?
  @Relationship(
    inverse: \Tag.albums, options: [.join("album_tag", column: "album", other: "tag")])
  var tags: Set<Tag>
}

@Entity(userInfo: .table("tag", version: "lock_version"))
final class Tag: ManagedObject {
  var name = ""
  var albums: Set<Album>
}

/// Tables that plain SQL has made in a schema of their own, and what plain SQL says of them.
struct ExistingTables {
  let place: TestStore
  static let entities: [ManagedObject.Type] = [Artist.self, Album.self, Tag.self]

  init(_ statements: String...) throws {
    place = try TestStore()
    try run("CREATE SCHEMA \(place.options.schema)")
    for statement in statements { try run(statement) }
  }

  /// The tables of the entities above, with foreign keys that hold at each moment.
  static func music() throws -> ExistingTables {
    try ExistingTables(
      "CREATE TYPE mood AS ENUM ('glad', 'sad')",
      "CREATE TABLE artist (artist_id serial PRIMARY KEY, full_name varchar(20) NOT NULL)",
      """
      CREATE TABLE album (album_no integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY, title text NOT NULL UNIQUE, \
      unit_price numeric(6,2), released date, state mood, by_artist integer REFERENCES artist (artist_id))
      """,
      "CREATE TABLE tag (id bigserial PRIMARY KEY, name text NOT NULL, lock_version integer NOT NULL DEFAULT 0)",
      """
      CREATE TABLE album_tag (album integer NOT NULL REFERENCES album, tag bigint NOT NULL REFERENCES tag, \
      PRIMARY KEY (album, tag))
      """,
      "INSERT INTO artist (full_name) VALUES ('Ella'), ('Miles')",
      """
      INSERT INTO album (title, unit_price, released, state, by_artist) VALUES \
      ('Blue', 9.99, '1959-08-17', 'sad', 2), ('Songbook', 12.50, NULL, 'glad', 1), ('Sketches', NULL, NULL, NULL, 2)
      """,
      "INSERT INTO tag (name) VALUES ('jazz'), ('vocal')",
      "INSERT INTO album_tag VALUES (1, 1), (2, 1), (2, 2)")
  }

  func run(_ sql: String) throws { try connect().run(sql) }

  func connect() throws -> ServerConnection {
    let address = try ServerAddress(place.server.address)
    return try ServerSource(address: address, options: place.options).connect()
  }

  /// The rows that a statement answers with, as texts.
  func ask(_ sql: String) throws -> [String] {
    let answer = try connect().run("SELECT q::text FROM (\(sql)) q")
    return (0..<answer.count).compactMap { answer.text($0, 0) }
  }

  func service(_ entities: [ManagedObject.Type] = Self.entities) -> DALService {
    DALService(
      existingTablesAt: place.server.address, entities: entities, storeOptions: place.options)
  }

  func open(_ entities: [ManagedObject.Type] = Self.entities) throws -> PostgreSQLStore {
    try PostgreSQLStore(
      existingTablesAt: place.server.address, model: try ManagedObjectModel(entities),
      options: place.options)
  }

  func open(_ model: ManagedObjectModel) throws -> PostgreSQLStore {
    try PostgreSQLStore(
      existingTablesAt: place.server.address, model: model, options: place.options)
  }

  /// What the opening of a model over the tables says.
  func refusal(of entities: EntityDescription...) throws -> StoreError? {
    let model = try ManagedObjectModel(entities: entities)
    do throws(StoreError) {
      _ = try PostgreSQLStore(
        existingTablesAt: place.server.address, model: model, options: place.options)
      return nil
    } catch {
      return error
    }
  }
}

extension EntityDescription {
  /// An entity in an existing table.
  init(
    _ name: String, in notes: [String: String], _ attributes: AttributeDescription...,
    relationships: [RelationshipDescription] = []
  ) {
    self.init(name, attributes: attributes, relationships: relationships)
    userInfo = notes
  }
}
