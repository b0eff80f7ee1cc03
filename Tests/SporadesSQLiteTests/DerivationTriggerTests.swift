// SPDX-License-Identifier: MIT
import CSQLite
import Foundation
import SporadesGraph
import SporadesModel
import SporadesSQLite
import SporadesStore
import SporadesTesting
import Testing

/// A file maintains derived attributes with Core Data's triggers, and so does the graph: each value is right once.
@Suite struct DerivationTriggerTests {
  private static let model = try! ManagedObjectModel(entities: [
    EntityDescription(
      "Book",
      attributes: [
        AttributeDescription("title", .string, isOptional: true), .derived("count", "pages.@count"),
        .derived("words", "pages.@sum.words"),
      ],
      relationships: [
        .toMany("pages", "Page", inverse: "book")
      ]),
    EntityDescription("Novel", superentityName: "Book"),
    EntityDescription(
      "Page",
      attributes: [
        AttributeDescription("words", .integer32), .derived("grade", "paper.grade", .integer16),
        .derived("name", "paper.name", .string),
      ],
      relationships: [
        .toOne("book", "Book", inverse: "pages"),
        .toOne("paper", "Paper", inverse: "pages"),
      ]),
    EntityDescription(
      "Paper",
      attributes: [
        AttributeDescription("grade", .integer16, isOptional: true),
        AttributeDescription("name", .string, isOptional: true),
      ],
      relationships: [
        .toMany("pages", "Page", inverse: "paper")
      ]),
  ])

  /// Whose triggers the file has.
  enum Triggers: CaseIterable { case ours, none, foreign }

  private func path(_ triggers: Triggers) throws -> String {
    let path = Sample.temporaryPath()
    try SQLiteStore(path: path, model: Self.model).close()
    let file = try WatchedFile(path)
    let names = try file.texts("SELECT name FROM sqlite_master WHERE type = 'trigger'")
    #expect(names.count == 13)
    switch triggers {
    case .ours: break
    case .none: for name in names { try file.run("DROP TRIGGER \(name)") }
    case .foreign:
      // A trigger of the same name that does the same in other words.
      let name = "Z_DA_ZBOOK_Book_count_SOURCE_INSERT"
      try file.run("DROP TRIGGER \(name)")
      try file.run(
        "CREATE TRIGGER \(name) AFTER INSERT ON ZBOOK BEGIN UPDATE ZBOOK SET ZCOUNT = (SELECT COUNT(*) "
          + "FROM ZPAGE WHERE ZBOOK = NEW.Z_PK) WHERE Z_PK = NEW.Z_PK; END")
    }
    return path
  }

  @Test func theTriggersAreThoseOfRealFiles() throws {
    let file = try WatchedFile(path(.ours))
    let texts = try file.texts("SELECT sql FROM sqlite_master WHERE type = 'trigger'")
    #expect(
      texts.contains(
        "CREATE TRIGGER Z_DA_ZPAGE_Book_count_PARAMETER_INSERT AFTER INSERT ON ZPAGE FOR EACH ROW WHEN "
          + "(NEW.ZBOOK NOT NULL) BEGIN UPDATE ZBOOK SET ZCOUNT = IFNULL(ZCOUNT, 0) + 1 WHERE Z_PK = "
          + "NEW.ZBOOK; SELECT NSCoreDataDATriggerUpdatedAffectedObjectValue('ZBOOK', Z_ENT, Z_PK, "
          + "'count', ZCOUNT) FROM ZBOOK WHERE Z_PK = NEW.ZBOOK; END"))
    #expect(
      texts.contains(
        "CREATE TRIGGER Z_DA_ZPAPER_Page_grade_PARAMETER_UPDATE AFTER UPDATE OF ZGRADE ON ZPAPER FOR "
          + "EACH ROW BEGIN UPDATE ZPAGE SET ZGRADE = NEW.ZGRADE WHERE ZPAPER = NEW.Z_PK; SELECT "
          + "NSCoreDataDATriggerUpdatedAffectedObjectValue('ZPAGE', Z_ENT, Z_PK, 'grade', ZGRADE) FROM "
          + "ZPAGE WHERE ZPAPER = NEW.Z_PK; END"))
  }

  // MARK: - In turns

  private static let statements = [
    "INSERT INTO ZPAGE (Z_PK, Z_ENT, Z_OPT, ZWORDS, ZBOOK, ZPAPER) SELECT MAX(Z_PK) + 1000, 3, 1, 5, "
      + "(SELECT MIN(Z_PK) FROM ZBOOK), (SELECT MAX(Z_PK) FROM ZPAPER) FROM ZPAGE",
    "UPDATE ZPAGE SET ZBOOK = (SELECT MAX(Z_PK) FROM ZBOOK) WHERE Z_PK % 3 = 0",
    "UPDATE ZPAGE SET ZBOOK = NULL WHERE Z_PK % 5 = 0",
    "UPDATE ZPAPER SET ZGRADE = IFNULL(ZGRADE, 0) + 1, ZNAME = ZNAME || '!'",
    "UPDATE ZPAGE SET ZPAPER = (SELECT MIN(Z_PK) FROM ZPAPER) WHERE Z_PK % 2 = 0",
    "DELETE FROM ZPAGE WHERE Z_PK % 7 = 0",
    "INSERT INTO ZBOOK (Z_PK, Z_ENT, Z_OPT) SELECT MAX(Z_PK) + 1000, 1, 1 FROM ZBOOK",
  ]

  /// Saves of one context and statements of another program take turns. The other program writes no versions, so
  /// that the context does not know that its rows are old.
  @Test(arguments: [1, 2, 3]) func everyValueIsRightOnceWhoeverWrites(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let path = try path(.ours)
    let file = try WatchedFile(path)
    let stack = DataStack(store: try SQLiteStore(path: path, model: Self.model))
    let context = stack.newContext()
    try context.performAndWait { context in
      context.durability = .immediate
      for number in 0..<4 {
        try context.insert(entityNamed: number == 3 ? "Novel" : "Book")["title"] = .string("b")
        try context.insert(entityNamed: "Paper")["name"] = .string("p\(number)")
      }
      try context.save()
    }
    for step in 0..<40 {
      if step % 2 == 0 {
        try context.performAndWait { context in
          try change(context, &random)
          try context.save()
        }
        try stack.newContext().performAndWait { try compare($0) }
      } else {
        let statement = try #require(Self.statements.randomElement(using: &random))
        try file.run(statement)
      }
      #expect(try file.wrongValues() == [], "seed \(seed), step \(step)")
    }
    try stack.store.close()
  }

  /// Inserts, links, changes and deletes objects, some of which the context has read before.
  private func change(
    _ context: ManagedObjectContext, _ random: inout SeededGenerator
  ) throws {
    let books = try context.fetch(FetchRequest("Book"))
    let papers = try context.fetch(FetchRequest("Paper"))
    let pages = try context.fetch(FetchRequest("Page"))
    for _ in 0..<3 {
      let page = try context.insert(entityNamed: "Page")
      page["words"] = .integer(Int64.random(in: 1...9, using: &random))
      page.setObject(books.randomElement(using: &random), forKey: "book")
      page.setObject(papers.randomElement(using: &random), forKey: "paper")
    }
    if let page = pages.randomElement(using: &random) {
      page.setObject(books.randomElement(using: &random), forKey: "book")
    }
    if let page = pages.randomElement(using: &random) { context.delete(page) }
    papers.randomElement(using: &random)?["grade"] = .integer(
      Int64.random(in: 0...9, using: &random))
  }

  /// What a new context shows is what the file holds.
  private func compare(_ context: ManagedObjectContext) throws {
    for book in try context.fetch(FetchRequest("Book")) {
      #expect(book["count"] == .integer(Int64(book.objects(forKey: "pages").count)))
    }
    for page in try context.fetch(FetchRequest("Page")) {
      let paper = page.object(forKey: "paper")
      #expect(page["grade"] == paper?["grade"] ?? .null)
      #expect(page["name"] == paper?["name"] ?? .null)
    }
  }

  // MARK: - Other files

  @Test(arguments: Triggers.allCases)
  func filesWithAndWithoutTriggersGoOn(triggers: Triggers) throws {
    let path = try path(triggers)
    for round in 0..<3 {
      let stack = DataStack(store: try SQLiteStore(path: path, model: Self.model))
      try stack.newContext().performAndWait { context in
        let book =
          try context.fetch(FetchRequest("Book")).first ?? context.insert(entityNamed: "Book")
        for words in 1...4 {
          let page = try context.insert(entityNamed: "Page")
          page["words"] = .integer(Int64(words))
          page.setObject(book, forKey: "book")
        }
        try context.save()
        #expect(book["count"] == .integer(Int64(4 * round + 4)))
        #expect(book["words"] == .integer(Int64(10 * round + 10)))
      }
      try stack.store.close()
      #expect(try WatchedFile(path).wrongValues() == [])
    }
  }

  @Test func knownTriggersLeaveTotalsToTheChange() throws {
    func hasTriggers(_ triggers: Triggers) throws -> Bool {
      let store = try SQLiteStore(path: path(triggers), model: Self.model)
      defer { try? store.close() }
      return store.hasTriggers
    }
    #expect(try !hasTriggers(.ours))
    #expect(try !hasTriggers(.none))
    #expect(try hasTriggers(.foreign))
  }
}

/// A file as another program sees it, with stubs of the functions that Core Data's triggers call.
@safe final class WatchedFile {
  private let database: OpaquePointer?

  init(_ path: String) throws {
    unsafe database = unsafe try StoreFixture.database(path)
    unsafe sqlite3_busy_timeout(database, 5_000)
    for name in [
      "NSCoreDataDATriggerUpdatedAffectedObjectValue",
      "NSCoreDataDATriggerInsertUpdatedAffectedObjectValue",
    ] {
      let code = unsafe sqlite3_create_function_v2(
        database, name, 5, SQLITE_UTF8, nil,
        { context, _, _ in unsafe sqlite3_result_null(context) },
        nil, nil, nil)
      #expect(code == SQLITE_OK)
    }
  }

  deinit { unsafe sqlite3_close(database) }

  func run(_ sql: String) throws { unsafe try SQLRows.run(database, sql) }

  func texts(_ sql: String) throws -> [String] { unsafe try SQLRows.texts(database, sql) }

  /// The rows whose derived values differ from what they are derived from.
  func wrongValues() throws -> [String] {
    try texts(
      "SELECT 'book ' || Z_PK || ' has ' || IFNULL(ZCOUNT, 'nothing') FROM ZBOOK b WHERE ZCOUNT IS NOT "
        + "(SELECT COUNT(*) FROM ZPAGE WHERE ZBOOK = b.Z_PK)")
      + texts(
        "SELECT 'page ' || g.Z_PK FROM ZPAGE g LEFT JOIN ZPAPER p ON p.Z_PK = g.ZPAPER WHERE g.ZGRADE IS "
          + "NOT p.ZGRADE OR g.ZNAME IS NOT p.ZNAME")
  }
}
