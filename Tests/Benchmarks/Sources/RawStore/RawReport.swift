// SPDX-License-Identifier: MIT

/// Reports of authors, each with a change in the history.
public enum RawReport {
  static let authors = 1_000

  /// Makes reports with two of the texts each in the open transaction, in a store with one author and one transaction in its
  /// history.
  public static func fill(_ database: borrowing RawDatabase, _ count: Int, texts: [String]) {
    let reports = database.number("SELECT Z_ENT FROM Z_PRIMARYKEY WHERE Z_NAME = 'Report'")
    let authors = database.number("SELECT Z_ENT FROM Z_PRIMARYKEY WHERE Z_NAME = 'Author'")
    for key in 2...Self.authors {
      database.execute(
        "INSERT INTO ZAUTHOR (Z_PK, Z_ENT, Z_OPT, ZNAME) VALUES (\(key), \(authors), 1, 'Author \(key)')"
      )
    }
    let statement = database.prepare(
      """
      INSERT INTO ZREPORT (Z_PK, Z_ENT, Z_OPT, ZCODE, ZAUTHOR, ZTEXT) \
      VALUES (?1, \(reports), 1, 'R' || ?1, ?1 % \(Self.authors) + 1, ?2)
      """)
    for key in 1...count {
      var text = texts[key % texts.count] + " " + texts[key * 7 / 3 % texts.count]
      text.withUTF8 { text in
        statement.bind(1, Int64(key))
        unsafe statement.bind(2, text)
        statement.run()
      }
    }
    database.execute("UPDATE Z_PRIMARYKEY SET Z_MAX = \(count) WHERE Z_NAME = 'Report'")
    database.execute("UPDATE Z_PRIMARYKEY SET Z_MAX = \(Self.authors) WHERE Z_NAME = 'Author'")
    database.execute(
      "INSERT INTO ATRANSACTION (Z_PK, Z_ENT, Z_OPT, ZTIMESTAMP) VALUES (2, 16002, 1, 0)")
    database.execute(
      """
      INSERT INTO ACHANGE (Z_PK, Z_ENT, Z_OPT, ZCHANGETYPE, ZENTITY, ZENTITYPK, ZTRANSACTIONID) \
      SELECT Z_PK + 1, 16001, 1, 0, \(reports), Z_PK, 2 FROM ZREPORT
      """)
    database.execute("UPDATE Z_PRIMARYKEY SET Z_MAX = 2 WHERE Z_NAME = 'TRANSACTION'")
    database.execute("UPDATE Z_PRIMARYKEY SET Z_MAX = \(count + 1) WHERE Z_NAME = 'CHANGE'")
  }

  /// Puts a word into some texts, evenly over the table.
  public static func mark(
    _ database: borrowing RawDatabase, _ count: Int, _ marks: Int, _ word: String
  ) {
    database.execute(
      "UPDATE ZREPORT SET ZTEXT = ZTEXT || ' \(word)' WHERE Z_PK % \(count / marks) = 1")
  }
}
