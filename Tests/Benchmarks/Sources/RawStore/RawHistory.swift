// SPDX-License-Identifier: MIT

/// The rows of Core Data's history for the saves of players, written with every statement prepared once.
public struct RawHistory: ~Copyable {
  private let addTransaction: RawStatement
  private let addInsert: RawStatement
  private let addUpdate: RawStatement
  private var transactions: RawKeys
  private var changes: RawKeys
  private var transaction: Int64 = 0

  /// The tables are there; the name of the process is added to the texts.
  public init(_ database: borrowing RawDatabase) {
    database.execute(
      "INSERT OR IGNORE INTO ATRANSACTIONSTRING (Z_PK, Z_ENT, ZNAME) VALUES (1, 16003, 'benchmark')"
    )
    database.execute("UPDATE Z_PRIMARYKEY SET Z_MAX = 1 WHERE Z_ENT = 16003")
    addTransaction = database.prepare(
      "INSERT INTO ATRANSACTION (Z_PK, Z_ENT, ZTIMESTAMP, ZPROCESSIDTS) VALUES (?1, 16002, ?2, 1)")
    let columns = "Z_PK, Z_ENT, ZCHANGETYPE, ZENTITY, ZENTITYPK, ZTRANSACTIONID, ZCOLUMNS"
    addInsert = database.prepare(
      "INSERT INTO ACHANGE (\(columns)) VALUES (?1, 16001, 0, 1, ?2, ?3, NULL)")
    // A team has three properties with a bit: its city, its name, its players.
    addUpdate = database.prepare(
      "INSERT INTO ACHANGE (\(columns)) VALUES (?1, 16001, 1, 2, ?2, ?3, x'20')")
    transactions = RawKeys(database, entity: 16002)
    changes = RawKeys(database, entity: 16001)
  }

  /// Adds a transaction, and sets the keys of its changes aside. Returns the first key.
  public mutating func begin(at seconds: Double, changes count: Int) -> Int64 {
    transaction = transactions.reserve(1)
    addTransaction.bind(1, transaction)
    addTransaction.bind(2, seconds)
    addTransaction.run()
    return changes.reserve(count)
  }

  /// Adds the insertion of a player.
  public func add(_ key: Int64, player: Int64) { add(key, player, addInsert) }

  /// Adds the change of a team's players.
  public func add(_ key: Int64, team: Int64) { add(key, team, addUpdate) }

  private func add(_ key: Int64, _ row: Int64, _ statement: borrowing RawStatement) {
    statement.bind(1, key)
    statement.bind(2, row)
    statement.bind(3, transaction)
    statement.run()
  }

  /// The transactions after a number with their changes, as one statement reads them: the kind, the entity, the row and
  /// the number of each change.
  public static func read(
    _ database: borrowing RawDatabase, after number: Int64,
    _ body: (_ kind: Int64, _ entity: Int64, _ row: Int64, _ transaction: Int64) -> Void
  ) {
    let statement = database.prepare(
      """
      SELECT t.Z_PK, t.ZTIMESTAMP, t.ZAUTHORTS, t.ZBUNDLEIDTS, t.ZCONTEXTNAMETS, t.ZPROCESSIDTS, c.Z_PK, \
      c.ZCHANGETYPE, c.ZENTITY, c.ZENTITYPK, c.ZCOLUMNS FROM ATRANSACTION t \
      LEFT JOIN ACHANGE c ON c.ZTRANSACTIONID = t.Z_PK WHERE t.Z_PK > ?1 ORDER BY t.Z_PK, c.Z_PK
      """)
    statement.bind(1, number)
    while statement.step() {
      body(
        statement.integer(7), statement.integer(8), statement.integer(9), statement.integer(0))
    }
  }

  /// Sums over the history. Keys stay out of them.
  public static func contents(_ database: borrowing RawDatabase) -> [Int64] {
    [
      database.number("SELECT count(*) FROM ATRANSACTION"),
      database.number("SELECT count(*) FROM ACHANGE"),
      database.number("SELECT sum(ZCHANGETYPE) FROM ACHANGE"),
      database.number("SELECT sum(ZENTITY) FROM ACHANGE"),
      database.number("SELECT sum(length(ZCOLUMNS)) FROM ACHANGE"),
      database.number(
        "SELECT count(*) FROM ACHANGE WHERE ZTRANSACTIONID NOT IN (SELECT Z_PK FROM ATRANSACTION)"),
    ]
  }
}
