// SPDX-License-Identifier: MIT
import CRawPostgreSQL
import Foundation
import Sporades
import SporadesPostgreSQL

/// Two hundred teams with a hundred thousand players, in one schema that both sides read.
final class Teams {
  private static let teams = 200
  private let address: String
  private let schema = "teams_\(UInt32.random(in: 0 ... .max))"
  private let service: DALService
  private let raw: RawServer

  init(_ address: String) throws {
    self.address = address
    service = Self.service(address, schema, .primary)
    try service.writeSync(durability: .immediate) { context in
      let teams = (0..<Self.teams).map { number in
        let team = Team.create(in: context)
        team.name = "Team \(number)"
        return team
      }
      for number in 0..<Bench.count {
        let player = Player.create(in: context)
        (player.name, player.score) = ("Player number \(number)", number)
        player.team = teams[number % Self.teams]
      }
    }.get()
    raw = RawServer(address, schema: schema)
    raw.run("ANALYZE")
    raw.prepare("teams", "SELECT row_id, row_entity, row_version, name FROM team")
    raw.prepare(
      "players",
      "SELECT row_id, row_entity, row_version, name, score, joined, team_id FROM player WHERE team_id = ANY($1)"
    )
  }

  static func service(
    _ address: String, _ schema: String, _ reads: PostgreSQLReads
  ) -> DALService {
    DALService(
      postgres: address, entities: [Player.self, Team.self],
      storeOptions: PostgreSQLStoreOptions(schema: schema, reads: reads))
  }

  // MARK: - Teams with their players

  func prefetch() throws {
    var request = FetchRequest("Team")
    request.relationshipKeyPathsForPrefetching = ["players"]
    let context = try service.stack().newContext()
    let sum = try context.performAndWait { context in
      var sum = 0
      for team in try context.fetch(Team.self, request) {
        for player in team.players { sum += player.name.utf8.count }
      }
      return sum
    }
    precondition(sum > Bench.count)
  }

  /// Each player goes to its team, as there.
  func rawPrefetch() {
    var members: [Int64: [String]] = [:]
    unsafe raw.ask("teams", []) { result in
      for row in 0..<(unsafe PQntuples(result)) {
        members[unsafe Self.integer(result, row, 0)] = []
      }
    }
    unsafe raw.ask("players", [wireList(members.keys.sorted())]) { result in
      for row in 0..<(unsafe PQntuples(result)) {
        let name = unsafe String(cString: PQgetvalue(result, row, 3))
        members[unsafe Self.integer(result, row, 6)]?.append(name)
      }
    }
    let sum = members.values.reduce(0) { $0 + $1.reduce(0) { $0 + $1.utf8.count } }
    precondition(sum > Bench.count)
  }

  @unsafe
  private static func integer(_ result: OpaquePointer, _ row: Int32, _ column: Int32) -> Int64 {
    let bytes = unsafe UnsafeRawPointer(PQgetvalue(result, row, column).unsafelyUnwrapped)
    return unsafe Int64(bigEndian: bytes.loadUnaligned(as: Int64.self))
  }

  // MARK: - Reads on standbys

  /// How many times as many reads four processes do in two seconds where a standby takes them, too.
  func replicaReads(_ standby: String) throws -> Double {
    let alone = try reads([.primary, .primary, .primary, .primary], address)
    let both = try reads(
      [.primary, .primary, .replicas(maxLag: .seconds(1)), .replicas(maxLag: .seconds(1))],
      standby)
    return both / alone
  }

  private func reads(_ kinds: [PostgreSQLReads], _ address: String) throws -> Double {
    let children = try kinds.map { kind in
      try Child(kind == .primary ? .read : .readStandby, address, schema: schema)
    }
    defer { for child in children { try? child.end() } }
    for child in children { try child.go() }
    return children.reduce(0) { $0 + $1.waitForNumber() }
  }

  /// Reads a hundred objects by a filter until two seconds are over. Returns the number of times.
  static func read(_ service: DALService) throws -> Int {
    let end = ContinuousClock.now + .seconds(2)
    var count = 0
    while ContinuousClock.now < end {
      let from = count * 97 % (Bench.count - 100)
      let context = try service.stack().newContext()
      let found = try context.performAndWait { context in
        try Player.all(where: \.score >= from && \.score < from + 100, in: context)
          .reduce(0) { $0 + $1.name.utf8.count }
      }
      precondition(found > 100)
      count += 1
    }
    return count
  }

  func end() throws { try service.close() }
}
