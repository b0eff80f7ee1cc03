// SPDX-License-Identifier: MIT
import CRawPostgreSQL
import Foundation
import Sporades
import SporadesPostgreSQL

/// One piece of work, done by Sporades and with libpq alone.
struct Work {
  let key: String
  let ours: (Bench) throws -> Void
  let raw: (Bench) throws -> Void
}

/// Two schemas with the same tables: one that Sporades writes, and one that libpq does.
final class Bench {
  static let count = 100_000
  static let few = 2_000
  let service: DALService
  let raw: RawServer
  private(set) var ids: [ManagedObjectID] = []
  private let address: String
  private let number = "\(UInt32.random(in: 0 ... .max))"
  private(set) var writers: (ours: Writers, raw: Writers)?
  let teams: Teams
  private let names = (0..<Bench.count).map { "Player number \($0)" }

  init(_ address: String) throws {
    self.address = address
    teams = try Teams(address)
    service = DALService(
      postgres: address, entities: [Player.self, Team.self],
      storeOptions: PostgreSQLStoreOptions(schema: "ours_\(number)"))
    _ = try service.stack()
    let maker = RawServer(address, schema: "public")
    maker.run("CREATE SCHEMA raw_\(number)")
    raw = RawServer(address, schema: "raw_\(number)")
    let model = try ManagedObjectModel([Player.self, Team.self])
    raw.run(try PostgreSQLStore.schema(for: model))
    Self.prepareInsert(raw)
    raw.prepare(
      "all", "SELECT row_id, row_entity, row_version, name, score, joined, team_id FROM player")
    raw.prepare(
      "key",
      "SELECT row_id, row_entity, row_version, name, score, joined, team_id FROM player WHERE row_id = $1"
    )
    raw.prepare(
      "keys",
      "SELECT row_id, row_entity, row_version, name, score, joined, team_id FROM player WHERE row_id = ANY($1)"
    )
    raw.prepare(
      "update",
      "UPDATE player p SET score = u.s, row_version = row_version + 1 FROM unnest($1::int8[], $2::int8[]) AS u(k, s) "
        + "WHERE p.row_id = u.k")
    raw.prepare(
      "delete", "DELETE FROM player p USING unnest($1::int8[]) AS u(k) WHERE p.row_id = u.k")
  }

  static func prepareInsert(_ raw: RawServer) {
    raw.prepare(
      "insert",
      "INSERT INTO player (row_id, row_entity, row_version, name, score) VALUES ($1, $2, $3, $4, $5)"
    )
  }

  /// Starts the processes that write, which stay until the end.
  func startWriters() throws {
    writers = try (
      Writers(.write, address, schema: "ours_\(number)"),
      Writers(.insert, address, schema: "raw_\(number)")
    )
  }

  func empty() throws {
    try service.writeSync(durability: .immediate) { Player.deleteAll(in: $0) }.get()
    raw.run("DELETE FROM player")
    raw.run("VACUUM player")
  }

  // MARK: - Ours

  func insert() throws {
    ids = []
    let names = names
    try service.writeSync(durability: .immediate) { context in
      for number in 0..<Bench.count {
        let player = Player.create(in: context)
        (player.name, player.score) = (names[number], number)
      }
    }.get()
  }

  func readIDs() throws {
    ids = try service.readValue { try Player.all(in: $0).map(\.objectID) }
  }

  // MARK: - Raw

  func rawInsert() {
    var bytes: [UInt8] =
      Array("PGCOPY\n".utf8) + [0xFF, 0x0D, 0x0A, 0] + [UInt8](repeating: 0, count: 8)
    for number in 0..<Bench.count {
      let name = Array(names[number].utf8)
      bytes += Int16(5).wire
      bytes += Int32(8).wire + Int64(number + 1).wire
      bytes += Int32(6).wire + Array("Player".utf8)
      bytes += Int32(8).wire + Int64(1).wire
      bytes += Int32(name.count).wire + name
      bytes += Int32(8).wire + Int64(number).wire
    }
    bytes += Int16(-1).wire
    raw.run("BEGIN")
    raw.copy(
      "COPY player (row_id, row_entity, row_version, name, score) FROM STDIN (FORMAT binary)", bytes
    )
    raw.run("COMMIT")
  }

  func rawSingles() {
    for number in 0..<Bench.few { unsafe raw.ask("insert", Self.rawRow(number)) { _ in } }
  }

  func rawQueued() {
    for start in stride(from: 0, to: Bench.few, by: 100) {
      raw.pipeline("insert", (start..<start + 100).map(Self.rawRow))
    }
  }

  static func rawRow(_ number: Int) -> [[UInt8]] {
    [
      Int64(1_000_000 + number).wire, Array("Player".utf8), Int64(1).wire, Array("One".utf8),
      Int64(number).wire,
    ]
  }

  /// Reads all values of all rows.
  func rawRead(_ statement: String, _ values: [[UInt8]]) -> Int {
    unsafe raw.ask(statement, values) { result in
      var sum = 0
      for row in 0..<(unsafe PQntuples(result)) {
        let text = unsafe String(cString: PQgetvalue(result, row, 3))
        sum += text.utf8.count
      }
      return sum
    }
  }
}
