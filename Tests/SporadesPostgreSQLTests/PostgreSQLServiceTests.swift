// SPDX-License-Identifier: MIT
import Foundation
import Sporades
import SporadesModel
import SporadesStore
import TestServer
import Testing

@testable import SporadesPostgreSQL

@Entity final class Player: ManagedObject {
  var name = ""
  var score = 0
  var joined: Date?
  @Attribute(.unique) var number: Int?
  var team: Team?
}

@Entity final class Team: ManagedObject {
  var name = ""
  @Relationship(inverse: \Player.team) var players: Set<Player>
}

/// Services and stores on a server, as programs use them.
@Suite(.enabled(if: TestServer.isThere, "There is no PostgreSQL on this machine."))
struct PostgreSQLServiceTests {
  private let place: TestStore
  private let model: ManagedObjectModel

  init() throws {
    place = try TestStore()
    model = try ManagedObjectModel([Player.self, Team.self])
  }

  private func service() -> DALService {
    DALService(
      postgres: place.server.address, entities: [Player.self, Team.self],
      storeOptions: place.options)
  }

  /// What another program reads with plain statements.
  private func ask(_ sql: String) throws -> [[String?]] {
    let address = try ServerAddress(place.server.address)
    let connection = try ServerSource(address: address, options: place.options).connect()
    let answer = try connection.run(sql)
    return (0..<answer.count).map { row in [answer.text(row, 0)] }
  }

  @Test func theSameProgramWorksOnAServer() throws {
    let service = service()
    try service.writeSync(durability: .immediate) { context in
      let team = Team.create(in: context)
      team.name = "Reds"
      for number in 1...20 {
        let player = Player.create(in: context)
        (player.name, player.score, player.number) = ("Player \(number)", number * 10, number)
        player.team = number.isMultiple(of: 2) ? team : nil
      }
    }.get()
    try service.writeSync { context in
      let best = Player.first(where: \.number == 20, in: context)
      best?.score += 1
    }.get()
    let names = try service.readValue { context in
      try Player.all(where: \.team?.name == "Reds" && \.score > 150, sortedBy: \.score, in: context)
        .map { "\($0.name): \($0.score)" }
    }
    #expect(names == ["Player 16: 160", "Player 18: 180", "Player 20: 201"])
    #expect(try service.readValue { try Team.first(in: $0)?.players.count } == 10)
    try service.close()
    #expect(
      try ask("SELECT name FROM player WHERE score > 190 ORDER BY row_id").compactMap(\.[0])
        == ["Player 20"])
  }

  @Test func aSaveOverAnotherOneIsRefused() throws {
    let (one, other) = (service(), service())
    try one.writeSync(durability: .immediate) { Player.create(in: $0).number = 1 }.get()
    let stale = try other.stack().newContext()
    let player = try stale.performAndWait { try #require(try Player.first(in: $0)) }
    try one.writeSync(durability: .immediate) { Player.first(in: $0)?.score = 5 }.get()
    #expect(throws: (any Error).self) {
      try stale.performAndWait { context in
        player.score = 7
        try context.save()
      }
    }
    #expect(try other.readValue { try Player.first(in: $0)?.score } == 5)
    let taken = one.writeSync { Player.create(in: $0).number = 1 }
    #expect(throws: (any Error).self) { try taken.get() }
    try one.close()
    try other.close()
  }

  /// A moment has more digits than a server keeps. The context shows what the server keeps.
  @Test func contextsShowTheDatesThatTheServerKeeps() throws {
    let service = service()
    let moment = Date(timeIntervalSinceReferenceDate: 700_000_000.123_456_789)
    let context = try service.stack().newContext()
    let shown = try context.performAndWait { context in
      let player = Player.create(in: context)
      player.joined = moment
      try context.save()
      return player.joined
    }
    let kept = try service.readValue { try Player.first(in: $0)?.joined }
    #expect(shown == kept)
    #expect(shown != moment)
    #expect(abs((kept ?? .distantPast).timeIntervalSince(moment)) <= 0.000_000_5)
    // Between two dates that the server keeps, every comparison says what memory says.
    let counts = try service.readValue { context in
      try [
        Player.count(where: \.joined < moment, in: context),
        Player.count(where: \.joined >= moment, in: context),
        Player.count(where: \.joined == moment, in: context),
        Player.count(where: \.joined == shown, in: context),
      ]
    }
    let isBefore = (kept ?? .distantPast) < moment
    #expect(counts == [isBefore ? 1 : 0, isBefore ? 0 : 1, 0, 1])
    try service.close()
  }

  @Test func whatAServerCannotKeepIsRefusedByName() throws {
    let service = service()
    let changes: [(name: String, change: @Sendable (Player) -> Void)] = [
      ("name", { $0.name = "a\0b" }),
      ("joined", { $0.joined = Date(timeIntervalSinceReferenceDate: 1e13) }),
    ]
    for (name, change) in changes {
      let refused = service.writeSync(durability: .immediate) { change(Player.create(in: $0)) }
      do {
        try refused.get()
        Issue.record("\(name) was taken.")
      } catch {
        #expect("\(error)".contains("Player.\(name) has"), "\(error)")
      }
    }
    #expect(try service.readValue { try Player.count(in: $0) } == 0)
    try service.close()
  }

  // MARK: - Lost connections

  /// Ends all connections of the store that was opened by name.
  private func endConnections() throws {
    _ = try ask(
      "SELECT pg_terminate_backend(pid)::text FROM pg_stat_activity WHERE application_name = "
        + "'\(place.options.schema)'")
  }

  private func openNamed() throws -> PostgreSQLStore {
    try PostgreSQLStore(
      place.server.address + " application_name=\(place.options.schema)", model: model,
      options: place.options)
  }

  private func team(_ key: Int64) throws -> ChangeSet {
    let shape = try #require(model.shape(named: "Team"))
    var builder = RowPageBuilder(layout: shape.layout)
    builder.appendRow(RowKey(entity: shape.number, primaryKey: key), version: 1)
    builder.set(try #require(shape.slot(named: "name")), to: "Team \(key)")
    return ChangeSet(inserted: [builder.finish()])
  }

  @Test func acceptedChangesOutliveTheirConnection() throws {
    let store = try openNamed()
    try store.execute(try team(1))
    try store.execute(try team(2))
    try endConnections()
    // The first attempt may find the connection ended, and the next one connects again.
    var failures = 0
    while failures < 3 {
      do throws(StoreError) {
        try store.commit(.immediate)
        break
      } catch {
        failures += 1
        #expect(error.isRetryable, "\(error)")
      }
    }
    let shape = try #require(model.shape(named: "Team"))
    #expect(try store.keys(StoreFetch(shape), in: .committed).map(\.primaryKey) == [1, 2])
    try endConnections()
    #expect(try store.count(StoreFetch(shape), in: .committed) == 2)
    try store.close()
  }

  // MARK: - Names

  @Test func namesThatAreOneOnAServerAreRefused() throws {
    let model = try ManagedObjectModel(entities: [
      EntityDescription(
        "Account",
        attributes: [
          AttributeDescription("userID", .string), AttributeDescription("userId", .string),
        ])
    ])
    do throws(StoreError) {
      _ = try PostgreSQLStore.schema(for: model)
      Issue.record("Both names were taken.")
    } catch {
      #expect(error.detail.contains("Account.userID"))
      #expect(error.detail.contains("Account.userId"))
      #expect(error.detail.contains("user_id"))
    }
  }

  @Test func indexesWhoseNamesFoldAlikeAreToldApart() throws {
    func entity(_ name: String, _ attribute: String) -> EntityDescription {
      EntityDescription(
        name, attributes: [AttributeDescription(attribute, .string)],
        indexes: [FetchIndexDescription(attribute, on: attribute)])
    }
    let model = try ManagedObjectModel(
      entities: [entity("Face", "albumUUID"), entity("FaceAlbum", "uuid")])
    let schema = try PostgreSQLStore.schema(for: model)
    #expect(
      schema.contains("CREATE INDEX face_album_uuid_model_idx ON face (album_uuid NULLS FIRST)"))
    #expect(
      schema.contains("CREATE INDEX face_album_uuid_model_idx_2 ON face_album (uuid NULLS FIRST)"))
    try TestStore().open(model).close()
  }

  @Test func theSchemaIsWhatAnAdministratorWouldWrite() throws {
    let schema = try PostgreSQLStore.schema(for: model)
    let tables = schema.components(separatedBy: ";\n").prefix { !$0.contains("sporades") }
    #expect(
      tables.joined(separator: ";\n") == """
        CREATE TABLE player (
          row_id bigint PRIMARY KEY,
          row_entity text NOT NULL,
          row_version bigint NOT NULL,
          name text COLLATE "C",
          score bigint,
          joined timestamptz,
          number bigint,
          team_id bigint
        );

        CREATE TABLE team (
          row_id bigint PRIMARY KEY,
          row_entity text NOT NULL,
          row_version bigint NOT NULL,
          name text COLLATE "C"
        );

        ALTER TABLE player ADD CONSTRAINT player_number_key UNIQUE (number) DEFERRABLE INITIALLY DEFERRED;

        ALTER TABLE player ADD CONSTRAINT player_team_id_fkey FOREIGN KEY (team_id) REFERENCES team DEFERRABLE INITIALLY DEFERRED;

        CREATE INDEX player_team_id_idx ON player (team_id)
        """)
  }

  @Test func documentationBecomesComments() throws {
    var name = AttributeDescription("firstName", .string)
    name.userInfo = ["sporades.documentation": "What it's called."]
    var entity = EntityDescription("Person", attributes: [name])
    entity.userInfo = ["sporades.documentation": "Somebody."]
    let model = try ManagedObjectModel(entities: [entity])
    try PostgreSQLStore(place.server.address, model: model, options: place.options).close()
    #expect(
      try ask(
        "SELECT obj_description('person'::regclass) || ' ' || col_description('person'::regclass, 4)"
      ) == [["Somebody. What it's called."]])
  }

  @Test(arguments: [
    ("userID", "user_id"), ("URLString", "url_string"), ("isRead", "is_read"), ("name2", "name2"),
    ("address.zipCode", "address_zip_code"), ("ÜberName", "über_name"), ("HTTPSPort", "https_port"),
  ])
  func propertiesAreNamedAsColumnsAre(_ property: String, _ column: String) {
    #expect(ServerNames.folded(property) == column)
  }

  @Test func longNamesAreShortenedTheSameWayAlways() {
    let name = String(repeating: "ü", count: 50)
    let short = ServerNames.shortened(name)
    #expect(short.utf8.count <= 63)
    #expect(short == ServerNames.shortened(name))
    #expect(short != ServerNames.shortened(name + "x"))
    #expect(ServerNames.shortened("name") == "name")
  }
}

private func serviceOnAServer() -> DALService {
  // snippet: postgres-service
  let data = DALService(
    postgres: "postgresql://app@db.example.com/app", entities: [Player.self, Team.self])
  // snippet end
  return data
}

private func serviceOnSeveralServers() -> DALService {
  // snippet: postgres-replicas
  let data = DALService(
    postgres: "host=db1,db2 dbname=app", entities: [Player.self, Team.self],
    storeOptions: PostgreSQLStoreOptions(reads: .replicas(maxLag: .seconds(1))))
  // snippet end
  return data
}

private func serviceWithAHistory() -> DALService {
  // snippet: postgres-history
  var options = PostgreSQLStoreOptions()
  options.persistentHistory = .on
  options.signalsCommits = true
  let data = DALService(
    postgres: "postgresql://app@db.example.com/app", entities: [Player.self, Team.self],
    storeOptions: options)
  // snippet end
  return data
}
