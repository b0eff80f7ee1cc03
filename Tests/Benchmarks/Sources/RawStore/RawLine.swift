// SPDX-License-Identifier: MIT

/// Lines of an order, and their number, which the order keeps.
public enum RawLine {
  /// Entity 1, version 1, and the order that has the key 1: what Core Data writes for a new object.
  static let insertion =
    "INSERT INTO ZLINE (Z_PK, Z_ENT, Z_OPT, ZAMOUNT, ZORDER) VALUES (?1, 1, 1, ?2, 1)"

  /// Makes the one order, with so many lines. The file's triggers count them.
  public static func fill(_ database: borrowing RawDatabase, _ count: Int) {
    database.registerTriggerFunctions()
    database.execute(
      "INSERT INTO ZORDER (Z_PK, Z_ENT, Z_OPT, ZNUMBER) VALUES (1, 2, 1, 1)")
    let statement = database.prepare(insertion)
    for line in 1...Int64(count) {
      statement.bind(1, line)
      statement.bind(2, line)
      statement.run()
    }
    database.execute("UPDATE Z_PRIMARYKEY SET Z_MAX = \(count) WHERE Z_ENT = 1")
    database.execute("UPDATE Z_PRIMARYKEY SET Z_MAX = 1 WHERE Z_ENT = 2")
  }

  /// Adds lines one by one. A transaction each inserts the line, which a trigger counts, and gives the order
  /// another version, with every statement prepared once.
  public static func add(_ count: Int, to database: borrowing RawDatabase) {
    database.registerTriggerFunctions()
    var keys = RawKeys(database)
    let begin = database.prepare("BEGIN IMMEDIATE")
    let commit = database.prepare("COMMIT")
    let insert = database.prepare(insertion)
    let update = database.prepare("UPDATE ZORDER SET Z_OPT = Z_OPT + 1 WHERE Z_PK = 1")
    for amount in 1...Int64(count) {
      begin.run()
      insert.bind(1, keys.reserve(1))
      insert.bind(2, amount)
      insert.run()
      update.run()
      commit.run()
    }
  }

  /// Sums over both tables. Their keys stay out of them, because who hands them out in blocks leaves
  /// gaps.
  public static func contents(_ database: borrowing RawDatabase) -> [Int64] {
    let counted = database.number("SELECT ZLINECOUNT FROM ZORDER")
    precondition(
      counted == database.number("SELECT count(*) FROM ZLINE WHERE ZORDER = 1"),
      "The order counts \(counted) lines, and has others.")
    return [
      counted, database.number("SELECT Z_OPT FROM ZORDER"),
      database.number("SELECT sum(ZAMOUNT) FROM ZLINE"),
    ]
  }
}
