// SPDX-License-Identifier: MIT

/// Tickets with two unique values, whose holders count them.
public enum RawTicket {
  public static let holders: Int64 = 1_000

  static let insertion = """
    INSERT INTO ZTICKET (Z_PK, Z_ENT, Z_OPT, ZSERIAL, ZHOLDER, ZCODE, ZNOTE) \
    VALUES (?1, 2, 1, ?2, ?3, ?4, '')
    """

  /// The code of the ticket with a number. The codes of successive numbers lie far apart.
  public static func code(_ number: Int) -> String {
    String(UInt64(truncatingIfNeeded: number) &* 0x9E37_79B9_7F4A_7C15, radix: 36)
  }

  /// Makes so many tickets, each of the holder that has its number modulo their count, in the open transaction.
  public static func fill(_ database: borrowing RawDatabase, _ count: Int) {
    database.registerTriggerFunctions()
    for holder in 1...holders {
      database.execute(
        "INSERT INTO ZHOLDER (Z_PK, Z_ENT, Z_OPT, ZNUMBER) VALUES (\(holder), 1, 1, \(holder))")
    }
    insert(1...count, firstKey: 1, into: database)
    database.execute("UPDATE Z_PRIMARYKEY SET Z_MAX = \(count) WHERE Z_ENT = 2")
    database.execute("UPDATE Z_PRIMARYKEY SET Z_MAX = \(holders) WHERE Z_ENT = 1")
  }

  /// Makes tickets and changes the notes of the first ones, in one transaction.
  public static func save(
    _ numbers: ClosedRange<Int>, changing changed: Int, in database: borrowing RawDatabase
  ) {
    database.registerTriggerFunctions()
    var keys = RawKeys(database, entity: 2)
    database.execute("BEGIN IMMEDIATE")
    let update = database.prepare(
      "UPDATE ZTICKET SET ZNOTE = 'used', Z_OPT = Z_OPT + 1 WHERE Z_PK = ?1")
    for key in 1...Int64(changed) {
      update.bind(1, key)
      update.run()
    }
    insert(numbers, firstKey: keys.reserve(numbers.count), into: database)
    // A new member is a change of its holder.
    database.execute("UPDATE ZHOLDER SET Z_OPT = Z_OPT + 1")
    database.execute("COMMIT")
  }

  private static func insert(
    _ numbers: ClosedRange<Int>, firstKey: Int64, into database: borrowing RawDatabase
  ) {
    let statement = database.prepare(insertion)
    for (offset, number) in numbers.enumerated() {
      statement.bind(1, firstKey + Int64(offset))
      statement.bind(2, Int64(number))
      statement.bind(3, Int64(number) % holders + 1)
      var code = code(number)
      code.withUTF8 { code in
        unsafe statement.bind(4, code)
        statement.run()
      }
    }
  }

  /// Sums over both tables, of tickets from a serial number on.
  public static func contents(
    _ database: borrowing RawDatabase, from serial: Int = 0
  ) -> [Int64] {
    let tickets = "FROM ZTICKET WHERE ZSERIAL >= \(serial)"
    return [
      database.number("SELECT count(*) \(tickets)"),
      database.number("SELECT sum(Z_OPT) \(tickets)"),
      database.number("SELECT sum(ZSERIAL * length(ZCODE)) \(tickets)"),
      database.number("SELECT sum(unicode(ZCODE) * (length(ZNOTE) + 1)) \(tickets)"),
    ]
  }

  /// The number of all tickets that their holders count.
  public static func counted(_ database: borrowing RawDatabase) -> Int64 {
    database.number("SELECT sum(ZTICKETCOUNT) FROM ZHOLDER")
  }
}
