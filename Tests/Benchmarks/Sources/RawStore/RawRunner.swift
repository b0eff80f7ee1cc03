// SPDX-License-Identifier: MIT

/// Runners in teams and groups, with a score each.
public enum RawRunner {
  public static let teams: Int64 = 1_000
  public static let groups: Int64 = 200

  /// Makes a runner for each score: number *n* is in team *n* modulo the number of teams, and likewise in its group.
  public static func fill(_ database: borrowing RawDatabase, _ scores: [Double]) {
    let statement = database.prepare(
      "INSERT INTO ZRUNNER (Z_PK, Z_ENT, Z_OPT, ZTEAM, ZGROUP, ZSCORE, ZNAME) "
        + "VALUES (?1, 1, 1, ?2, ?3, ?4, 'Runner ' || ?1)")
    for (offset, score) in scores.enumerated() {
      let number = Int64(offset + 1)
      statement.bind(1, number)
      statement.bind(2, number % teams)
      statement.bind(3, number % groups)
      statement.bind(4, score)
      statement.run()
    }
    database.execute("UPDATE Z_PRIMARYKEY SET Z_MAX = \(scores.count) WHERE Z_ENT = 1")
  }

  /// Sums over the table.
  public static func contents(_ database: borrowing RawDatabase) -> [Int64] {
    [
      database.number("SELECT sum(Z_OPT) FROM ZRUNNER"),
      database.number("SELECT sum(length(ZNAME) * Z_PK) FROM ZRUNNER"),
      database.number("SELECT sum(CAST(ZSCORE * 1000 AS INTEGER)) FROM ZRUNNER"),
    ]
  }
}
