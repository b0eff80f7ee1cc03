// SPDX-License-Identifier: MIT

/// Changes of a store from one version of its model to the next, as a program without a library types them.
///
/// The metadata and the model of the next version come from an empty store of that version.
public enum RawMigration {
  /// Adds an attribute without values, and renames another one.
  public static func add(_ path: String, donor: String) {
    change(path, donor) { database in
      database.execute("ALTER TABLE ZREADING ADD COLUMN ZREMARK VARCHAR")
      database.execute("ALTER TABLE ZREADING RENAME COLUMN ZLABEL TO ZTITLE")
    }
  }

  /// Turns the values of an attribute from whole numbers into texts.
  public static func convert(_ path: String, donor: String) {
    change(path, donor) { database in
      database.execute("ALTER TABLE ZREADING ADD COLUMN ZNEXT VARCHAR")
      database.execute("UPDATE ZREADING SET ZNEXT = CAST(ZNUMBER AS TEXT)")
      database.execute("ALTER TABLE ZREADING DROP COLUMN ZNUMBER")
      database.execute("ALTER TABLE ZREADING RENAME COLUMN ZNEXT TO ZNUMBER")
    }
  }

  /// Computes a text of each row's values, which is the value of a new attribute.
  public static func compute(_ path: String, donor: String) {
    change(path, donor) { database in
      database.execute("ALTER TABLE ZREADING ADD COLUMN ZREMARK VARCHAR")
      let rows = database.prepare("SELECT Z_PK, ZLABEL, ZNUMBER FROM ZREADING")
      let update = database.prepare("UPDATE ZREADING SET ZREMARK = ?1 WHERE Z_PK = ?2")
      while rows.step() {
        var remark = "\(rows.text(1)): \(rows.integer(2))"
        remark.withUTF8 { text in
          unsafe update.bind(1, text)
          update.bind(2, rows.integer(0))
          update.run()
        }
      }
    }
  }

  private static func change(
    _ path: String, _ donor: String, _ body: (borrowing RawDatabase) -> Void
  ) {
    let database = RawDatabase(path, synchronous: .full)
    database.execute("ATTACH '\(donor)' AS donor")
    database.execute("BEGIN IMMEDIATE")
    body(database)
    database.execute("UPDATE Z_METADATA SET Z_PLIST = (SELECT Z_PLIST FROM donor.Z_METADATA)")
    database.execute(
      "UPDATE Z_MODELCACHE SET Z_CONTENT = (SELECT Z_CONTENT FROM donor.Z_MODELCACHE)")
    database.execute("COMMIT")
  }

  /// Makes readings with the numbers from 1.
  public static func fill(_ database: borrowing RawDatabase, _ count: Int) {
    let statement = database.prepare(
      "INSERT INTO ZREADING (Z_PK, Z_ENT, Z_OPT, ZNUMBER, ZVALUE, ZLABEL) VALUES (?1, 1, 1, ?2, ?3, ?4)"
    )
    for number in 1...Int64(count) {
      var label = "Reading \(number % 1000)"
      label.withUTF8 { text in
        statement.bind(1, number)
        statement.bind(2, number * 7)
        statement.bind(3, Double(number) / 3)
        unsafe statement.bind(4, text)
        statement.run()
      }
    }
    database.execute("UPDATE Z_PRIMARYKEY SET Z_MAX = \(count) WHERE Z_ENT = 1")
  }

  /// Sums over the rows, by the names of their columns in the new version.
  public static func contents(
    _ database: borrowing RawDatabase, _ columns: [String]
  ) -> [Int64] {
    let sums = columns.map { "sum(length(\($0)) * (Z_PK % 31))" }
    let statement = database.prepare(
      "SELECT count(*), sum(Z_ENT), sum(Z_OPT), \(sums.joined(separator: ", ")) FROM ZREADING")
    precondition(statement.step(), "A sum answers a row even of an empty table.")
    return (0..<Int32(sums.count + 3)).map { statement.integer($0) }
  }
}
