// SPDX-License-Identifier: MIT
import CSQLite
import FoundationEssentials
import SporadesGraph
import SporadesModel
import Testing

/// A question to the company's objects, and the SQL that a program without objects would write.
struct TradeQuestion: Sendable, CustomTestStringConvertible {
  let sql: String
  let ask: @Sendable (ManagedObjectContext) throws -> [[String]]
  var testDescription: String { sql }

  /// A question whose rows are texts.
  init(rows sql: String, _ ask: @escaping @Sendable (ManagedObjectContext) throws -> [[String]]) {
    (self.sql, self.ask) = (sql, ask)
  }

  /// A question whose rows have one value each.
  init<V>(_ sql: String, _ ask: @escaping @Sendable (ManagedObjectContext) throws -> [V]) {
    self.init(rows: sql) { try ask($0).map { [TradeText.of($0)] } }
  }

  /// A question for one value.
  init<V>(one sql: String, _ ask: @escaping @Sendable (ManagedObjectContext) throws -> V) {
    self.init(rows: sql) { [[TradeText.of(try ask($0))]] }
  }

  /// A question for dictionaries.
  init(
    dictionaries sql: String, _ request: @escaping @Sendable () throws -> FetchRequest
  ) {
    self.init(rows: sql) { context in
      try context.fetchDictionaries(request()).map { row in
        row.names.map { TradeText.of(row[$0]) }
      }
    }
  }
}

/// The text of a value, the same for a value of SQLite and one of an object.
enum TradeText {
  static func of(_ value: Any?) -> String {
    switch value {
    case nil: return "NULL"
    case let value as Value: return of(value)
    case let value as Date: return Trade.text(value)
    case let value as Bool: return value ? "1" : "0"
    case let value as String: return normal(value)
    case let value?:
      let mirror = Mirror(reflecting: value)
      guard mirror.displayStyle == .optional else { return normal("\(value)") }
      return of(mirror.children.first?.value)
    }
  }

  private static func of(_ value: Value) -> String {
    switch value {
    case .null: "NULL"
    case .boolean(let truth): truth ? "1" : "0"
    case .integer(let number): "\(number)"
    case .double(let number): normal("\(number)")
    case .decimal(let number): normal("\(number)")
    case .string(let text): normal(text)
    case .date(let date): Trade.text(date)
    default: "\(value)"
    }
  }

  /// A number without superfluous digits, or the text as it is.
  static func normal(_ text: String) -> String {
    guard let number = Double(text), number.isFinite, abs(number) < 1e12 else { return text }
    let rounded = (number * 1e6).rounded() / 1e6
    return rounded == rounded.rounded() ? "\(Int(rounded))" : "\(rounded)"
  }
}

/// The company in tables that SQLite alone knows.
@safe
final class TradeTables {
  private let database: OpaquePointer

  init() throws {
    var opened: OpaquePointer?
    try #require(unsafe sqlite3_open(":memory:", &opened) == SQLITE_OK)
    unsafe database = try #require(opened)
    try run(
      """
      CREATE TABLE buyers(code PRIMARY KEY, name, contact, city, region, country);
      CREATE TABLE sellers(number INTEGER PRIMARY KEY, name, title, city, born, boss);
      CREATE TABLE districts(name PRIMARY KEY);
      CREATE TABLE sellers_districts(seller, district);
      CREATE TABLE vendors(name PRIMARY KEY, country);
      CREATE TABLE articles(number INTEGER PRIMARY KEY, name, price, stock, dropped, vendor);
      CREATE TABLE deals(number INTEGER PRIMARY KEY, day, shipped, freight, buyer, seller);
      CREATE TABLE lines(number INTEGER PRIMARY KEY, price, quantity, discount, deal, article);
      """)
    for row in Trade.buyers {
      try insert("buyers", row.code, row.name, row.contact, row.city, row.region, row.country)
    }
    for row in Trade.sellers {
      try insert("sellers", row.number, row.name, row.title, row.city, row.born, row.boss)
    }
    for name in Trade.districts { try insert("districts", name) }
    for row in Trade.sellersOfDistricts {
      try insert("sellers_districts", row.seller, row.district)
    }
    for row in Trade.vendors { try insert("vendors", row.name, row.country) }
    for row in Trade.articles {
      try insert(
        "articles", row.number, row.name, row.price.flatMap { Double($0) }, row.stock,
        row.isDropped ? 1 : 0, row.vendor)
    }
    for row in Trade.deals {
      try insert("deals", row.number, row.day, row.shipped, row.freight, row.buyer, row.seller)
    }
    for (place, row) in Trade.lines.enumerated() {
      try insert(
        "lines", place + 1, row.price, row.quantity, row.discount, row.deal, row.article)
    }
  }

  deinit { unsafe sqlite3_close(database) }

  private func insert(_ table: String, _ values: Any?...) throws {
    let texts = values.map { value in
      switch value {
      case nil: "NULL"
      case let text as String:
        "'\(text.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "''"))'"
      case let value?: "\(value)"
      }
    }
    try run("INSERT INTO \(table) VALUES(\(texts.joined(separator: ", ")))")
  }

  private func run(_ sql: String) throws {
    try #require(unsafe sqlite3_exec(database, sql, nil, nil, nil) == SQLITE_OK, "\(sql)")
  }

  /// The rows, as texts.
  func rows(_ sql: String) throws -> [[String]] {
    var statement: OpaquePointer?
    try #require(
      unsafe sqlite3_prepare_v2(database, sql, -1, &statement, nil) == SQLITE_OK, "\(sql)")
    defer { unsafe sqlite3_finalize(statement) }
    var found: [[String]] = []
    while unsafe sqlite3_step(statement) == SQLITE_ROW {
      unsafe found.append(
        (0..<sqlite3_column_count(statement)).map { column in
          unsafe TradeText.normal(
            sqlite3_column_text(statement, column).map { unsafe String(cString: $0) } ?? "NULL")
        })
    }
    return found
  }

  /// Asks all questions in every state of a context, and compares the answers with those of SQL.
  static func check(
    _ questions: [TradeQuestion], _ kind: StoreKind,
    at location: SourceLocation = #_sourceLocation
  ) throws {
    let tables = try TradeTables()
    try Trade.open(kind) { context, state in
      for question in questions {
        let expected = try tables.rows(question.sql)
        do {
          let found = try question.ask(context)
          #expect(found == expected, "\(state): \(question.sql)", sourceLocation: location)
        } catch {
          Issue.record("\(state): \(question.sql)\n\(error)", sourceLocation: location)
        }
      }
    }
  }
}

// Questions for objects, which are asked in three ways.
extension TradeQuestion {
  /// A question for the objects that satisfy a condition, in the order of a property.
  init<Object: ManagedObject, V>(
    _ table: String, _ condition: String, _ predicate: FetchPredicate,
    by property: any KeyPath<Object, V> & Sendable, _ column: String = "number"
  ) {
    self.init(
      rows: "SELECT \(column) FROM \(table) AS t WHERE \(condition) ORDER BY \(column)"
    ) { context in
      let request = TypedRequest<Object>().where(predicate).sorted(by: property)
      let objects = try request.fetch(in: context)
      let found = objects.map { [TradeText.of($0[keyPath: property])] }
      try #require(try request.count(in: context) == found.count)
      try #require(try request.ids(in: context) == objects.map(\.objectID))
      try #require(try request.exists(in: context) == !found.isEmpty)
      for object in objects { try #require(try predicate.evaluate(with: object)) }
      return found
    }
  }

  static func buyers(_ condition: String, _ predicate: TypedPredicate<Buyer>) -> Self {
    Self("buyers", condition, predicate.predicate, by: \Buyer.code, "code")
  }
  static func buyers(_ condition: String, format: String) -> Self {
    Self("buyers", condition, parse(format), by: \Buyer.code, "code")
  }
  static func sellers(_ condition: String, _ predicate: TypedPredicate<Seller>) -> Self {
    Self("sellers", condition, predicate.predicate, by: \Seller.number)
  }
  static func sellers(_ condition: String, format: String) -> Self {
    Self("sellers", condition, parse(format), by: \Seller.number)
  }
  static func deals(_ condition: String, _ predicate: TypedPredicate<Deal>) -> Self {
    Self("deals", condition, predicate.predicate, by: \Deal.number)
  }
  static func deals(_ condition: String, format: String, _ arguments: Any?...) -> Self {
    Self("deals", condition, parse(format, arguments), by: \Deal.number)
  }
  static func lines(_ condition: String, _ predicate: TypedPredicate<DealLine>) -> Self {
    Self("lines", condition, predicate.predicate, by: \DealLine.number)
  }
  static func lines(_ condition: String, format: String) -> Self {
    Self("lines", condition, parse(format), by: \DealLine.number)
  }
  static func articles(_ condition: String, _ predicate: TypedPredicate<Article>) -> Self {
    Self("articles", condition, predicate.predicate, by: \Article.number)
  }
  static func articles(_ condition: String, format: String) -> Self {
    Self("articles", condition, parse(format), by: \Article.number)
  }
  static func vendors(_ condition: String, _ predicate: TypedPredicate<Vendor>) -> Self {
    Self("vendors", condition, predicate.predicate, by: \Vendor.name, "name")
  }
  static func vendors(_ condition: String, format: String) -> Self {
    Self("vendors", condition, parse(format), by: \Vendor.name, "name")
  }

  // The formats are written in the tests, so a mistake in one is a mistake of the tests.
  private static func parse(_ format: String, _ arguments: [Any?] = []) -> FetchPredicate {
    try! FetchPredicate(format: format, argumentArray: arguments)
  }
}
