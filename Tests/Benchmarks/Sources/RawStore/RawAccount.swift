// SPDX-License-Identifier: MIT

/// Rows of `ZACCOUNT` as a careful program imports and prints them.
public enum RawAccount {
  /// Clubs with the codes that the sample names, in `ZCLUB`.
  public static func fillClubs(_ database: borrowing RawDatabase, _ count: Int) {
    for number in 1...count {
      database.execute(
        "INSERT INTO ZCLUB (Z_PK, Z_ENT, Z_OPT, ZCODE) VALUES (\(number), 2, 1, 'C\(number)')")
    }
    database.execute("UPDATE Z_PRIMARYKEY SET Z_MAX = \(count) WHERE Z_ENT = 2")
  }

  /// Inserts an account, or changes the one with its email if a value differs.
  ///
  /// The key counts up before each row, and stays where the row was there already.
  public static let upsert = """
    INSERT INTO ZACCOUNT (Z_PK, Z_ENT, Z_OPT, ZEMAIL, ZNAME, ZAGE, ZSCORE, ZACTIVE, ZCREATEDAT, ZCLUB) \
    VALUES (?1, 1, 1, ?2, ?3, ?4, ?5, ?6, ?7, (SELECT Z_PK FROM ZCLUB WHERE ZCODE = ?8)) \
    ON CONFLICT (ZEMAIL) DO UPDATE SET Z_OPT = Z_OPT + 1, ZNAME = excluded.ZNAME, ZAGE = excluded.ZAGE, \
    ZSCORE = excluded.ZSCORE, ZACTIVE = excluded.ZACTIVE, ZCREATEDAT = excluded.ZCREATEDAT, ZCLUB = excluded.ZCLUB \
    WHERE ZNAME IS NOT excluded.ZNAME OR ZAGE IS NOT excluded.ZAGE OR ZSCORE IS NOT excluded.ZSCORE \
    OR ZACTIVE IS NOT excluded.ZACTIVE OR ZCREATEDAT IS NOT excluded.ZCREATEDAT OR ZCLUB IS NOT excluded.ZCLUB
    """

  public static let select = """
    SELECT a.ZEMAIL, a.ZNAME, a.ZAGE, a.ZSCORE, a.ZACTIVE, a.ZCREATEDAT, c.ZCODE FROM ZACCOUNT a \
    LEFT JOIN ZCLUB c ON c.Z_PK = a.ZCLUB ORDER BY a.Z_PK
    """

  /// The values of one row, with the texts where they lie.
  @unsafe
  public struct Row {
    public var email: UnsafeRawBufferPointer
    public var name: UnsafeRawBufferPointer
    public var age: Int64
    public var score: Double
    public var isActive: Bool
    public var createdAt: Double
    public var club: UnsafeRawBufferPointer

    public init(
      email: UnsafeRawBufferPointer, name: UnsafeRawBufferPointer, age: Int64, score: Double,
      isActive: Bool, createdAt: Double, club: UnsafeRawBufferPointer
    ) {
      unsafe self.email = email
      unsafe self.name = name
      unsafe self.age = age
      unsafe self.score = score
      unsafe self.isActive = isActive
      unsafe self.createdAt = createdAt
      unsafe self.club = club
    }
  }

  /// Runs the upsert for a row. Returns whether it was inserted with the key, which `inserted` counts before and after.
  @inlinable @unsafe
  public static func run(
    _ statement: borrowing RawStatement, _ key: Int64, _ row: Row
  ) {
    statement.bind(1, key)
    unsafe statement.bind(2, row.email.assumingMemoryBound(to: UInt8.self))
    unsafe statement.bind(3, row.name.assumingMemoryBound(to: UInt8.self))
    unsafe statement.bind(4, row.age)
    unsafe statement.bind(5, row.score)
    unsafe statement.bind(6, Int64(row.isActive ? 1 : 0))
    unsafe statement.bind(7, row.createdAt)
    unsafe statement.bind(8, row.club.assumingMemoryBound(to: UInt8.self))
    statement.run()
  }
}
