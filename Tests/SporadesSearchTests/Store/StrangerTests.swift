// SPDX-License-Identifier: MIT
import Foundation
import Sporades
import SporadesSearch
import Testing

@Suite struct StrangerTests {
  private func library() throws -> Library {
    let library = try Library()
    try library.add("one", "green eggs", by: "Ann").add("two", "ham", by: "Berta").add("three")
    library.service.flush()
    #expect(try library.titles("ham") == ["two"])
    return library
  }

  /// The titles that a search finds in the file when it is opened again, and no problem of the index.
  private func titles(_ search: Search, in library: Library) throws -> [String] {
    let service = library.reopened()
    let found = try service.readValue {
      try Article.search(search).fetch(in: $0).map(\.title).sorted()
    }
    #expect(try service.searchIndexProblems() == [])
    try service.close()
    return found
  }

  @Test func theStubRefusesTheIndex() throws {
    let library = try library()
    let stranger = try Stranger(library.path)
    #expect(stranger.fails("SELECT * FROM \"SPORADES_ZARTICLE:SEARCH\""))
  }

  @Test(arguments: [false, true]) func rowsOfOthersAreFound(isOpen: Bool) throws {
    let library = try library()
    if !isOpen { try library.service.close() }
    let stranger = try Stranger(library.path)
    try stranger.run(
      """
      INSERT INTO ZARTICLE (Z_PK, Z_ENT, Z_OPT, ZTITLE, ZTEXT, ZVIEWS) VALUES (50, 1, 1, 'four', 'Strange HAM', 0);
      UPDATE ZARTICLE SET ZTEXT = 'no more' WHERE ZTITLE = 'two';
      DELETE FROM ZARTICLE WHERE ZTITLE = 'one';
      UPDATE ZAUTHOR SET ZNAME = 'Caesar' WHERE ZNAME = 'Berta';
      INSERT OR REPLACE INTO ZARTICLE (Z_PK, Z_ENT, Z_OPT, ZTITLE, ZTEXT, ZVIEWS) VALUES (50, 1, 2, 'five', 'ham', 0);
      INSERT OR ROLLBACK INTO ZARTICLE (Z_PK, Z_ENT, Z_OPT, ZTITLE, ZTEXT, ZVIEWS) VALUES (51, 1, 2, 'six', 'Ham', 0);
      UPDATE OR ROLLBACK ZARTICLE SET ZTEXT = 'still ham' WHERE Z_PK = 51;
      UPDATE ZARTICLE SET Z_PK = 52 WHERE Z_PK = 51;
      """)
    if isOpen {
      #expect(try library.titles("ham") == ["five", "six"])
      #expect(try library.titles("caesar") == ["two"])
      #expect(try library.titles("berta OR ann OR green") == [])
      #expect(try library.service.searchIndexProblems() == [])
      try library.service.close()
    }
    #expect(try titles("ham", in: library) == ["five", "six"])
    #expect(try titles("caesar", in: library) == ["two"])
    #expect(try titles("berta OR ann OR green", in: library) == [])
  }

  @Test(arguments: [false, true]) func aMigratedTableIsIndexedAgain(isOpen: Bool) throws {
    let library = try library()
    if !isOpen { try library.service.close() }
    let stranger = try Stranger(library.path)
    let creation = try stranger.texts("SELECT sql FROM sqlite_master WHERE name = 'ZARTICLE'")[0]
    let other = creation.replacingOccurrences(of: "ZARTICLE", with: "OTHER")
    try stranger.run(
      """
      BEGIN; \(other); INSERT INTO OTHER SELECT * FROM ZARTICLE; DROP TABLE ZARTICLE;
      ALTER TABLE OTHER RENAME TO ZARTICLE; UPDATE ZARTICLE SET ZTEXT = 'all ham'; COMMIT;
      """)
    #expect(try stranger.texts("SELECT name FROM sqlite_master WHERE type = 'trigger'").count < 6)
    if isOpen {
      #expect(try library.titles("ham") == ["one", "three", "two"])
      try library.service.close()
    }
    #expect(try titles("ham", in: library) == ["one", "three", "two"])
    #expect(try titles("green", in: library) == [])
  }

  @Test func aRenamedTableComesBack() throws {
    let library = try library()
    try library.service.close()
    let stranger = try Stranger(library.path)
    try stranger.run(
      """
      ALTER TABLE ZARTICLE RENAME TO OTHER; UPDATE OTHER SET ZTEXT = 'ham and more' WHERE ZTITLE = 'one';
      ALTER TABLE OTHER RENAME TO ZARTICLE; ALTER TABLE ZARTICLE ADD COLUMN ZOTHER VARCHAR;
      """)
    #expect(try titles("ham", in: library) == ["one", "two"])
  }

  @Test func rowsInAFreshFileAreIndexed() throws {
    let library = try library()
    try library.service.close()
    let stranger = try Stranger(library.path)
    let copy = library.folder.appendingPathComponent("copy.sqlite").path
    let tables = try stranger.texts(
      "SELECT sql FROM sqlite_master WHERE type = 'table' AND name LIKE 'Z%'")
    let names = try stranger.texts(
      "SELECT name FROM sqlite_master WHERE type = 'table' AND name LIKE 'Z%'")
    let fresh = try Stranger(copy)
    for table in tables { try fresh.run(table) }
    try fresh.run("ATTACH '\(library.path)' AS old")
    for name in names { try fresh.run("INSERT INTO main.\(name) SELECT * FROM old.\(name)") }
    try fresh.run("DETACH old; UPDATE ZARTICLE SET ZTEXT = 'fresh' WHERE ZTITLE = 'two'")
    let service = DALService(
      sqlite: URL(fileURLWithPath: copy), entities: [Article.self, Author.self])
    let found = try service.readValue { try Article.search("fresh").fetch(in: $0).map(\.title) }
    #expect(found == ["two"])
    #expect(try service.searchIndexProblems() == [])
    try service.close()
  }

  @Test func lostTablesAreMadeAgain() throws {
    for loss in [
      "DROP TABLE \"SPORADES_ZARTICLE:CHANGED\"", "DROP TABLE SPORADES_SEARCH",
      "DROP TRIGGER \"SPORADES_ZARTICLE:CHANGED_UPDATE\"", "DELETE FROM SPORADES_SEARCH",
      "UPDATE SPORADES_SEARCH SET DEFINITION = '0'", "UPDATE SPORADES_SEARCH SET NEXT = 0",
      "UPDATE SPORADES_SEARCH SET NEXT = -1",
    ] {
      let library = try library()
      try library.service.close()
      let stranger = try Stranger(library.path)
      if loss.contains("CHANGED") {
        // Without the table or the trigger, a write of somebody else is noted nowhere.
        try stranger.run("\(loss)")
        if loss.hasPrefix("DROP TABLE") {
          #expect(stranger.fails("UPDATE ZARTICLE SET ZTEXT = 'changed ham'"))
          #expect(try titles("ham", in: library) == ["two"])
          continue
        }
      } else {
        try stranger.run(loss)
      }
      try stranger.run("UPDATE ZARTICLE SET ZTEXT = 'changed ham' WHERE ZTITLE = 'one'")
      #expect(try titles("changed", in: library) == ["one"], "\(loss)")
      #expect(try titles("ham", in: library) == ["one", "two"], "\(loss)")
    }
  }

  @Test func aDamagedIndexKeepsNobodyFromSaving() throws {
    let library = try library()
    let stranger = try Stranger(library.path)
    try stranger.run(
      "UPDATE \"SPORADES_ZARTICLE:SEARCH_data\" SET block = x'00ff00ff' WHERE id > 1000; DELETE FROM \"SPORADES_ZARTICLE:SEARCH_content\""
    )
    for number in 0..<3 { try library.add("new \(number)", "word") }
    try library.service.writeSync { context in
      for article in Article.all(in: context) { article.text = "all" }
    }.get()
    library.service.flush()
    #expect(try library.service.readValue { try Article.count(in: $0) } == 6)
    try library.service.rebuildSearchIndex()
    #expect(try library.titles("all").count == 6)
    #expect(try library.service.searchIndexProblems() == [])
  }

  @Test func aSearchDoesNotFailBecauseSomebodyWrites() throws {
    let library = try library()
    try library.service.close()
    let stranger = try Stranger(library.path)
    try stranger.run("UPDATE ZARTICLE SET ZTEXT = 'more ham'")
    let path = library.path
    let service = DALService {
      var options = SQLiteStoreOptions()
      options.busyMilliseconds = 20
      return try DataStack(
        sqlite: URL(fileURLWithPath: path), entities: [Article.self, Author.self], options: options)
    }
    try stranger.run("BEGIN IMMEDIATE")
    let titles = try service.readValue { context in
      try Article.search("ham").sorted(by: \.title).fetch(in: context).map(\.title)
    }
    #expect(titles == ["one", "three", "two"])
    try stranger.run("COMMIT")
    #expect(try service.readValue { try Article.search("ham").count(in: $0) } == 3)
    #expect(try service.searchIndexProblems() == [])
    try service.close()
  }

  @Test func manyRowsOfOthersAreIndexedInSteps() throws {
    let library = try library()
    try library.service.close()
    try Stranger(library.path).run(
      """
      WITH RECURSIVE keys (key) AS (VALUES (100) UNION ALL SELECT key + 1 FROM keys WHERE key < 9099)
      INSERT INTO ZARTICLE (Z_PK, Z_ENT, Z_OPT, ZTITLE, ZTEXT, ZVIEWS) SELECT key, 1, 1, 'many', 'ham', 0 FROM keys
      """)
    #expect(try titles("ham", in: library).count == 9_001)
    #expect(try Stranger(library.path).texts("SELECT KEY FROM \"SPORADES_ZARTICLE:CHANGED\"") == [])
  }
}
