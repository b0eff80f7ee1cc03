// SPDX-License-Identifier: MIT
import CSQLite
import Foundation
import SporadesGraph
import SporadesModel
import SporadesSQLite
import SporadesStore
import SporadesTesting
import Testing

/// Derived attributes with triggers beside several contexts, in stores of a part of the model, and of every type.
@Suite struct DerivationContextTests {
  private static let model = try! ManagedObjectModel(
    entities: [
      EntityDescription(
        "Book",
        attributes: [
          .derived("count", "pages.@count"), .derived("exact", "pages.@count", .decimal),
        ],
        relationships: [.toMany("pages", "Page", inverse: "book", deleteRule: .cascade)]),
      EntityDescription("Novel", superentityName: "Book"),
      EntityDescription(
        "Page",
        attributes: [
          AttributeDescription("number", .integer32, isOptional: true),
          .derived("price", "paper.price", .decimal), .derived("weight", "paper.weight", .double),
        ],
        relationships: [
          .toOne("book", "Book", inverse: "pages"), .toOne("paper", "Paper", inverse: "pages"),
        ], uniquenessConstraints: [["number"]]),
      EntityDescription(
        "Paper",
        attributes: [
          AttributeDescription("price", .decimal, isOptional: true),
          AttributeDescription("weight", .double, isOptional: true),
        ],
        relationships: [.toMany("pages", "Page", inverse: "paper")]),
    ], configurations: ["Books": ["Book", "Novel"], "Papers": ["Page", "Paper"]])

  // MARK: - Parts of a model

  @Test(arguments: ["Books", "Papers"])
  func aStoreOfAConfigurationHasTheTriggersOfItsOwnTables(configuration: String) throws {
    let path = Sample.temporaryPath()
    var options = SQLiteStoreOptions()
    options.configuration = configuration
    for _ in 0..<2 {
      let store = try SQLiteStore(path: path, model: Self.model, options: options)
      let stack = DataStack(store: store)
      try stack.newContext().performAndWait { context in
        _ = try context.insert(entityNamed: configuration == "Books" ? "Novel" : "Page")
        try context.save()
      }
      try store.close()
    }
    let database = unsafe try StoreFixture.database(path)
    defer { unsafe sqlite3_close(database) }
    let tables = unsafe try SQLRows.texts(
      database, "SELECT DISTINCT tbl_name FROM sqlite_master WHERE type = 'trigger' ORDER BY 1")
    #expect(tables == (configuration == "Books" ? [] : ["ZPAGE", "ZPAPER"]))
  }

  // MARK: - Types

  /// A decimal is text in a row and a number in a column, and a column has null for NaN. A value of the graph that a trigger computed too is no
  /// change by a trigger.
  @Test(arguments: ["3", "1.50", "12345678901234567890.123456789", "NaN"])
  func aNumberOfTheGraphIsTheOneOfTheTriggers(price: String) throws {
    let store = try SQLiteStore(path: Sample.temporaryPath(), model: Self.model)
    func slot(_ entity: String, _ name: String) throws -> Int {
      guard case .attribute(let attribute)? = Self.model.shape(named: entity)?[name] else {
        return try #require(nil)
      }
      return try #require(attribute.slot)
    }
    func key(_ name: String) throws -> RowKey {
      RowKey(entity: try #require(Self.model.shape(named: name)).number, primaryKey: 1)
    }
    func builder(_ name: String) throws -> RowPageBuilder {
      var builder = RowPageBuilder(layout: try #require(Self.model.shape(named: name)).layout)
      builder.appendRow(try key(name), version: 1)
      return builder
    }
    var book = try builder("Book")
    var page = try builder("Page")
    var paper = try builder("Paper")
    book.set(try slot("Book", "count"), to: Int64(1))
    book.set(try slot("Book", "exact"), to: "1")
    page.set(try slot("Page", "price"), to: price)
    paper.set(try slot("Paper", "price"), to: price)
    page.set(try slot("Page", "weight"), to: Double(price) ?? .nan)
    paper.set(try slot("Paper", "weight"), to: Double(price) ?? .nan)
    for (name, target) in [("book", "Book"), ("paper", "Paper")] {
      guard case .relationship(let link)? = Self.model.shape(named: "Page")?[name],
        case .reference(let slot, _) = link.storage
      else { return #expect(Bool(false), "\(name) is no reference") }
      page.set(slot, to: try key(target))
    }
    try store.execute(ChangeSet(inserted: [page.finish(), book.finish(), paper.finish()]))
    #expect(store.takeKeysChangedByTriggers() == [])
    try store.close()
  }

  // MARK: - Other programs

  /// Another program's statement changes a total without a new version of its row. The next save that changes the total
  /// tells every context of the right one.
  @Test func everyContextHearsOfATotalThatAnotherProgramChanged() throws {
    let path = Sample.temporaryPath()
    let stack = DataStack(store: try SQLiteStore(path: path, model: Self.model))
    let (context, other) = (stack.newContext(), stack.newContext())
    let id = try context.performAndWait { context in
      let book = try context.insert(entityNamed: "Book")
      try context.insert(entityNamed: "Page").setObject(book, forKey: "book")
      context.durability = .immediate
      try context.save()
      return book.objectID
    }
    func counts(_ queue: ContextQueue) throws -> Value {
      try queue.performAndWait { try $0.existingObject(with: id)["count"] }
    }
    #expect(try counts(other) == .integer(1))
    try WatchedFile(path).run(
      "INSERT INTO ZPAGE (Z_PK, Z_ENT, Z_OPT, ZBOOK) SELECT Z_PK + 1000, Z_ENT, 1, ZBOOK FROM ZPAGE"
    )
    try context.performAndWait { context in
      try context.insert(entityNamed: "Page").setObject(
        context.existingObject(with: id), forKey: "book")
      try context.save()
    }
    #expect(try counts(context) == .integer(3))
    #expect(try counts(other) == .integer(3))
    #expect(try counts(stack.newContext()) == .integer(3))
    try stack.store.close()
  }

  // MARK: - Several contexts

  private static func number(_ name: String) -> Int? {
    ProcessInfo.processInfo.environment[name].flatMap(Int.init)
  }
  private static let seeds: [Int] = number("SPORADES_SEED").map { [$0] } ?? [1, 2, 3, 4]

  @Test(arguments: seeds) func everyContextShowsWhatIsStored(seed: Int) throws {
    var random = SeededGenerator(seed: UInt64(seed))
    let stack = DataStack(
      store: try SQLiteStore(path: Sample.temporaryPath(), model: Self.model))
    let contexts = (0..<3).map { _ in stack.newContext() }
    for (context, policy) in zip(contexts, [MergePolicy.objectTrump, .storeTrump, .overwrite]) {
      context.performAndWait { $0.mergePolicy = policy }
    }
    let steps = Self.number("SPORADES_STEPS") ?? 300
    var saves = 0
    for step in 0..<steps {
      let context = try #require(contexts.randomElement(using: &random))
      let isSaved = try context.performAndWait { context in
        for _ in 0..<3 { try change(context, &random) }
        guard Int.random(in: 0..<3, using: &random) > 0 else { return false }
        do { try context.save() } catch {
          context.rollback()
          return false
        }
        #expect(try wrong(context) == [], "shown: seed \(seed), step \(step)")
        return true
      }
      guard isSaved else { continue }
      saves += 1
      let stored = try stack.newContext().performAndWait { try wrong($0) }
      try #require(stored == [], "stored: seed \(seed), step \(step)")
    }
    #expect(saves > steps / 8)
    try stack.store.close()
  }

  private func wrong(_ context: ManagedObjectContext) throws -> [String] {
    let books = try context.fetch(FetchRequest("Book")).filter { book in
      let count = book.objects(forKey: "pages").count
      return book["count"] != .integer(Int64(count)) || book["exact"] != .decimal(Decimal(count))
    }
    let pages = try context.fetch(FetchRequest("Page")).filter { page in
      let paper = page.object(forKey: "paper")
      return page["price"] != paper?["price"] ?? .null
        || page["weight"] != paper?["weight"] ?? .null
    }
    return (books + pages).map { "\($0.objectID) \($0["count"]) \($0["price"])" }
  }

  private func change(
    _ context: ManagedObjectContext, _ random: inout SeededGenerator
  ) throws {
    let books = try context.fetch(FetchRequest("Book"))
    let papers = try context.fetch(FetchRequest("Paper"))
    let pages = try context.fetch(FetchRequest("Page"))
    let page = pages.randomElement(using: &random)
    switch Int.random(in: 0..<14, using: &random) {
    case 0: _ = try context.insert(entityNamed: Bool.random(using: &random) ? "Novel" : "Book")
    case 1: try fill(context.insert(entityNamed: "Paper"), &random)
    case 2...4:
      let page = try context.insert(entityNamed: "Page")
      // Some of the numbers are there already, and the save is refused or merged.
      page["number"] = .integer(Int64.random(in: 0..<200, using: &random))
      page.setObject(books.randomElement(using: &random), forKey: "book")
      page.setObject(papers.randomElement(using: &random), forKey: "paper")
    case 5: page?.setObject(books.randomElement(using: &random), forKey: "book")
    case 6: page?.setObject(papers.randomElement(using: &random), forKey: "paper")
    case 7: page?.setObject(nil, forKey: Bool.random(using: &random) ? "book" : "paper")
    case 8: if let page { context.delete(page) }
    case 9:
      if Bool.random(using: &random), let book = books.randomElement(using: &random) {
        // Some pages move to another owner, and the others are deleted with theirs.
        let target = try context.insert(entityNamed: "Book")
        for page in book.objects(forKey: "pages") where Bool.random(using: &random) {
          page.setObject(target, forKey: "book")
        }
        context.delete(book)
      }
    case 10: if let paper = papers.randomElement(using: &random) { context.delete(paper) }
    default: if let paper = papers.randomElement(using: &random) { fill(paper, &random) }
    }
  }

  private func fill(_ paper: ManagedObject, _ random: inout SeededGenerator) {
    let number = Int.random(in: -9...9, using: &random)
    paper["price"] = number == 0 ? .null : .decimal(Decimal(number) / 4)
    paper["weight"] = number == 1 ? .null : .double(Double(number) / 3)
  }
}
