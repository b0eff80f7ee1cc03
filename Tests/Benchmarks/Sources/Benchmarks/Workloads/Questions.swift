// SPDX-License-Identifier: MIT
import RawStore
import Sporades

/// The players of each team: how many, their mean age and their best score.
struct GroupBy: Workload {
  static let key = "group_by"
  static let title = "players by team: count, average, maximum"
  static let start = Template.players
  private static let repetitions = 5
  let sample: Sample

  init(_ sample: Sample) { self.sample = sample }

  private struct Total {
    let team: Int64
    let count: Int
    let age: Double
    let score: Double
  }

  func raw(on path: String, _ watch: inout Stopwatch) -> UInt64 {
    let database = RawDatabase(path)
    var sum = Checksum()
    watch.time {
      // The mean of the exact sum, as Sporades computes it.
      let statement = database.prepare(
        """
        SELECT ZTEAM, COUNT(*), SUM(ZAGE >> 32), SUM(ZAGE & 4294967295), COUNT(ZAGE), MAX(ZSCORE) \
        FROM ZPLAYER GROUP BY ZTEAM ORDER BY ZTEAM
        """)
      for _ in 0..<Self.repetitions {
        var totals: [Total] = []
        while statement.step() {
          let age = Double(statement.integer(2) << 32 + statement.integer(3))
          totals.append(
            Total(
              team: statement.integer(0), count: Int(statement.integer(1)),
              age: age / Double(statement.integer(4)), score: statement.real(5)))
        }
        statement.reset()
        Self.add(totals, to: &sum)
      }
    }
    return sum.value
  }

  private static func add(_ totals: [Total], to sum: inout Checksum) {
    for total in totals {
      sum.add(Int(total.team))
      sum.add(total.count)
      sum.add(Int(total.age * 1_000))
      sum.add(Int(total.score * 1_000))
    }
  }

  func ours(on path: String, _ watch: inout Stopwatch) throws -> UInt64 {
    let service = try openService(path)
    defer { try? service.close() }
    var sum = Checksum()
    var request = FetchRequest("Player")
    request.propertiesToGroupBy = ["team"]
    request.propertiesToFetch = [
      "team", ExpressionDescription("count", .objectCount),
      ExpressionDescription("age", .average(of: "age")),
      ExpressionDescription("score", .max(of: "score")),
    ]
    try watch.time {
      try service.readValue { context in
        for _ in 0..<Self.repetitions {
          let totals = try context.fetchDictionaries(request).map { row -> Total in
            guard case .objectID(let team)? = row["team"] else {
              fatalError("A player has no team.")
            }
            return Total(
              team: team.key.primaryKey, count: row.value("count") ?? 0,
              age: row.value("age") ?? 0, score: row.value("score") ?? 0)
          }
          Self.add(totals, to: &sum)
        }
      }
    }
    return sum.value
  }
}

/// Three properties of all players, as values.
struct Dictionaries: Workload {
  static let key = "dictionaries"
  static let title = "three properties of all players as values"
  static let start = Template.players
  let sample: Sample

  init(_ sample: Sample) { self.sample = sample }

  private struct Row {
    let age: Int64
    let score: Double
    let lastName: String
  }

  func raw(on path: String, _ watch: inout Stopwatch) -> UInt64 {
    let database = RawDatabase(path)
    var sum = Checksum()
    watch.time {
      let statement = database.prepare("SELECT ZAGE, ZSCORE, ZLASTNAME FROM ZPLAYER")
      var rows: [Row] = []
      while statement.step() {
        rows.append(
          Row(age: statement.integer(0), score: statement.real(1), lastName: statement.text(2)))
      }
      for row in rows { Self.add(Int(row.age), row.score, row.lastName, to: &sum) }
    }
    return sum.value
  }

  private static func add(
    _ age: Int, _ score: Double, _ lastName: String, to sum: inout Checksum
  ) {
    sum.add(age)
    sum.add(Int(score * 1_000))
    sum.add(lastName.utf8.count)
  }

  func ours(on path: String, _ watch: inout Stopwatch) throws -> UInt64 {
    let service = try openService(path)
    defer { try? service.close() }
    var sum = Checksum()
    var request = FetchRequest("Player")
    request.propertiesToFetch = ["age", "score", "lastName"]
    try watch.time {
      try service.readValue { context in
        for row in try context.fetchDictionaries(request) {
          Self.add(
            row.value("age") ?? 0, row.value("score") ?? 0, row.value("lastName") ?? "", to: &sum)
        }
      }
    }
    return sum.value
  }
}

/// The players of one team after the other, while every hundredth player is changed and not saved. By hand, nothing
/// is changed.
struct UnsavedFetch: Workload {
  static let key = "unsaved_fetch"
  static let title = "100 filtered fetches beside 1,000 unsaved changes"
  static let start = Template.players
  private static let fetches = 100
  private static let changes = 1_000
  let sample: Sample

  init(_ sample: Sample) { self.sample = sample }

  private var teams: [Int64] {
    (0..<Self.fetches).map { Int64($0 % sample.teams.count) + 1 }
  }

  func raw(on path: String, _ watch: inout Stopwatch) -> UInt64 {
    let database = RawDatabase(path)
    var sum = Checksum()
    watch.time {
      let statement = database.prepare(
        RawPlayer.select + " WHERE ZTEAM = ?1 AND ZAGE >= 30 ORDER BY Z_PK")
      for team in teams {
        statement.bind(1, team)
        for player in RawPlayer.all(statement) {
          sum.add(player.lastName.utf8.count)
          sum.add(Int(player.id))
        }
      }
    }
    return sum.value
  }

  func ours(on path: String, _ watch: inout Stopwatch) throws -> UInt64 {
    let service = try openService(path)
    defer { try? service.close() }
    var sum = Checksum()
    let every = max(1, sample.players.count / Self.changes)
    let stack = try service.stack()
    try stack.newContext().performAndWait { context in
      for (place, player) in try Player.all(in: context).enumerated() where place % every == 0 {
        player.active.toggle()
      }
      let teams = try teams.map { team in
        try context.fetch(Team.self, FetchRequest("Team", where: .equals("name", "Team \(team)")))[
          0]
      }
      try watch.time {
        for team in teams {
          let request = FetchRequest(
            "Player", where: .equals("team", team) && .compare("age", .greaterOrEqual, 30))
          for player in try context.fetch(Player.self, request) {
            sum.add(player.lastName.utf8.count)
            sum.add(Int(player.objectID.key.primaryKey))
          }
        }
      }
      context.rollback()
    }
    return sum.value
  }
}
