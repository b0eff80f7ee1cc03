// SPDX-License-Identifier: MIT
import Foundation
import SporadesGraph
import SporadesModel
import Testing

/// Values, totals and bounds, as the tests of EF Core ask for them by projections and aggregates, and those of Rails by
/// `pluck` and calculations.
@Suite struct TradeColumnQuestionTests {
  /// A request for dictionaries with values in the language of formats.
  private static func rows(
    _ sql: String, of entity: String, where format: String? = nil, order: String = "number",
    isDistinct: Bool = false, limit: Int? = nil, offset: Int = 0, _ columns: String...
  ) -> TradeQuestion {
    TradeQuestion(dictionaries: sql) {
      var request = FetchRequest(entity)
      request.predicate = try format.map { try FetchPredicate(format: $0) }
      request.sortTerms = try SortTerm.parse(order)
      request.propertiesToFetch = try columns.map { try ExpressionDescription($0, format: $0) }
      request.returnsDistinctResults = isDistinct
      (request.fetchLimit, request.fetchOffset) = (limit, offset)
      return request
    }
  }

  private static let columns: [TradeQuestion] = [
    rows(
      "SELECT number * 2, number + 23, 1000 - number, number / (number / 2) FROM deals", of: "Deal",
      "number * 2", "number + 23", "1000 - number", "number / (number / 2)"),
    rows(
      "SELECT number, freight + 1, -freight FROM deals", of: "Deal", "number", "freight + 1",
      "-freight"),
    rows(
      "SELECT code, length(code) + 5, upper(code) FROM buyers", of: "Buyer", order: "code", "code",
      "length:(code) + 5", "uppercase:(code)"),
    rows(
      "SELECT number, stock > 0 FROM articles", of: "Article", "number",
      "TERNARY(stock > 0, YES, NO)"),
    rows(
      "SELECT CASE WHEN number % 2 = 0 THEN CASE WHEN number % 4 = 0 THEN -number ELSE number END ELSE 0 END FROM deals",
      of: "Deal",
      "TERNARY(modulus:by:(number, 2) == 0, TERNARY(modulus:by:(number, 4) == 0, -number, number), 0)"
    ),
    rows(
      "SELECT number, coalesce(city, 'nowhere') FROM sellers", of: "Seller", "number",
      "TERNARY(city == nil, 'nowhere', city)"),
    rows(
      "SELECT number, city, country FROM deals LEFT JOIN buyers ON code = buyer", of: "Deal",
      "number", "buyer.city", "buyer.country"),
    rows(
      "SELECT l.number, a.name, v.country FROM lines l LEFT JOIN articles a ON a.number = l.article LEFT JOIN vendors v ON v.name = a.vendor",
      of: "DealLine", "number", "article.name", "article.vendor.country"),
    rows(
      "SELECT number, (SELECT COUNT(*) FROM lines WHERE deal = d.number), (SELECT TOTAL(quantity) FROM lines WHERE deal = d.number), (SELECT MIN(price) FROM lines WHERE deal = d.number) FROM deals d",
      of: "Deal", "number", "lines.@count", "lines.@sum.quantity", "lines.@min.price"),
    rows(
      "SELECT number, (SELECT COUNT(*) + TOTAL(quantity) FROM lines WHERE deal = d.number) FROM deals d",
      of: "Deal", "number", "lines.@count + lines.@sum.quantity"),
    rows(
      "SELECT code, (SELECT COUNT(*) FROM deals WHERE buyer = code AND freight > 20), (SELECT AVG(freight) FROM deals WHERE buyer = code) FROM buyers ORDER BY code",
      of: "Buyer", order: "code", "code", "SUBQUERY(deals, $d, $d.freight > 20).@count",
      "deals.@avg.freight"),
    rows(
      "SELECT code, EXISTS (SELECT 1 FROM deals WHERE buyer = code) FROM buyers ORDER BY code",
      of: "Buyer", order: "code", "code", "TERNARY(deals.@count > 0, YES, NO)"),
    rows(
      "SELECT code, NOT EXISTS (SELECT 1 FROM deals WHERE buyer = code AND (freight > 10) IS NOT TRUE) FROM buyers ORDER BY code",
      of: "Buyer", order: "code", "code", "TERNARY(ALL deals.freight > 10, YES, NO)"),
    rows(
      "SELECT number, (SELECT price FROM lines WHERE deal = d.number ORDER BY number LIMIT 1), (SELECT a.name FROM lines l JOIN articles a ON a.number = l.article WHERE l.deal = d.number AND l.number = (SELECT MAX(number) FROM lines WHERE deal = d.number)) FROM deals d",
      of: "Deal", "number", "lines[FIRST].price", "lines[LAST].article.name"),
    rows(
      "SELECT number, CAST(strftime('%Y', day) AS INTEGER), CAST(strftime('%m', day) AS INTEGER), CAST(strftime('%w', day) AS INTEGER) + 1 FROM deals",
      of: "Deal", "number", "year:(day)", "month:(day)", "weekday:(day)"),
    rows(
      "SELECT number, (julianday(shipped) - julianday(day)) FROM deals", of: "Deal", "number",
      "(shipped - day) / 86400"),
    rows(
      "SELECT s.number, b.name, c.name FROM sellers s LEFT JOIN sellers b ON b.number = s.boss LEFT JOIN sellers c ON c.number = b.boss ORDER BY 1",
      of: "Seller", "number", "boss.name", "boss.boss.name"),
    rows(
      "SELECT number, abs(stock - 10), CAST(price AS INTEGER), CAST(stock AS TEXT) FROM articles",
      of: "Article", "number", "abs:(stock - 10)", "floor:(price)", "CAST(stock, 'NSString')"),
    rows(
      "SELECT price * quantity * (1 - discount) FROM lines", of: "DealLine",
      "price * quantity * (1 - discount)"),
    rows("SELECT 10 FROM vendors", of: "Vendor", order: "name", "10"),
    rows(
      "SELECT DISTINCT city FROM buyers ORDER BY city", of: "Buyer", order: "city",
      isDistinct: true, "city"),
    rows(
      "SELECT DISTINCT country, region IS NULL FROM buyers ORDER BY country DESC, 2", of: "Buyer",
      order: "country:NO", isDistinct: true, "country", "TERNARY(region == nil, YES, NO)"),
    rows(
      "SELECT DISTINCT city FROM buyers ORDER BY city LIMIT 2 OFFSET 1", of: "Buyer", order: "city",
      isDistinct: true, limit: 2, offset: 1, "city"),
    rows(
      "SELECT DISTINCT b.city FROM deals JOIN buyers b ON code = buyer WHERE freight > 10 ORDER BY 1",
      of: "Deal", where: "freight > 10 AND buyer != nil", order: "buyer.city", isDistinct: true,
      "buyer.city"),
    TradeQuestion("SELECT city FROM buyers ORDER BY code") {
      try Buyer.sorted(by: \.code).pluck(\.city, in: $0)
    },
    TradeQuestion(
      rows:
        "SELECT d.number, b.name, d.freight FROM deals d LEFT JOIN buyers b ON code = buyer ORDER BY 1"
    ) {
      try Deal.sorted(by: \.number).pluck(\.number, \.buyer?.name, \.freight, in: $0).map {
        [TradeText.of($0.0), TradeText.of($0.1), TradeText.of($0.2)]
      }
    },
    TradeQuestion("SELECT DISTINCT country FROM buyers ORDER BY country") {
      try Buyer.sorted(by: \.country).distinct().pluck(\.country, in: $0)
    },
    TradeQuestion("SELECT length(name) FROM buyers ORDER BY code") {
      try Buyer.sorted(by: \.code).pluck((\Buyer.name).length, in: $0)
    },
    TradeQuestion("SELECT number * 2 + 1 FROM deals WHERE freight > 20 ORDER BY number") {
      try Deal.where(\.freight > 20).sorted(by: \.number).pluck(\.number * 2 + 1, in: $0)
    },
    TradeQuestion("SELECT CAST(strftime('%Y', day) AS INTEGER) FROM deals ORDER BY number") {
      try Deal.sorted(by: \.number).pluck((\Deal.day).year, in: $0)
    },
    TradeQuestion(
      "SELECT (SELECT MAX(freight) FROM deals WHERE buyer = code) FROM buyers ORDER BY code"
    ) { try Buyer.sorted(by: \.code).pluck((\Buyer.deals).max(\.freight), in: $0) },
    TradeQuestion("SELECT DISTINCT length(city) FROM buyers ORDER BY 1") {
      try Buyer.sorted(by: .ascending((\Buyer.city).length)).distinct().pluck(
        (\Buyer.city).length, in: $0)
    },
    TradeQuestion("SELECT code FROM buyers ORDER BY length(name) DESC, code") {
      try Buyer.sorted(by: .descending((\Buyer.name).length), .ascending(\.code)).pluck(
        \.code, in: $0)
    },
    TradeQuestion(
      "SELECT code FROM buyers ORDER BY (SELECT TOTAL(freight) FROM deals WHERE buyer = code) DESC, code LIMIT 3"
    ) {
      try Buyer.sorted(by: .descending((\Buyer.deals).sum(\.freight)), .ascending(\.code)).limit(3)
        .fetch(in: $0).map(\.code)
    },
    TradeQuestion("SELECT number FROM deals ORDER BY number % 3, number") {
      try Deal.sorted(by: .ascending(\.number % 3), .ascending(\.number)).fetch(in: $0).map(
        \.number)
    },
  ]

  private static func total<V>(
    _ sql: String, _ ask: @escaping @Sendable (ManagedObjectContext) throws -> V
  ) -> TradeQuestion { TradeQuestion(one: sql, ask) }

  private static let totals: [TradeQuestion] = [
    total("SELECT SUM(freight) FROM deals") { try Deal.sum(\.freight, in: $0) },
    total("SELECT TOTAL(freight) FROM deals WHERE number < 0") {
      try Deal.where(\.number < 0).sum(\.freight, in: $0)
    },
    total("SELECT SUM(number * 2) FROM deals") { try Deal.request.sum(\.number * 2, in: $0) },
    total("SELECT SUM(number + number) FROM deals") {
      try Deal.request.sum(\.number + \.number, in: $0)
    },
    total("SELECT AVG(number * 2) FROM deals WHERE freight > 20") {
      try Deal.where(\.freight > 20).average(\.number * 2, in: $0)
    },
    total("SELECT MIN(number - freight) FROM deals") {
      try Deal.request.min(
        TypedExpression<Deal, Double>(FetchExpression(format: "number - freight")), in: $0)
    },
    total("SELECT MAX(length(name)) FROM buyers") {
      try Buyer.request.max((\Buyer.name).length, in: $0)
    },
    total("SELECT SUM(price * quantity * (1 - discount)) FROM lines") {
      try DealLine.request.sum(
        TypedExpression<DealLine, Double>(
          FetchExpression(format: "price * quantity * (1 - discount)")), in: $0)
    },
    total("SELECT SUM(price * discount) FROM lines WHERE discount > 0") {
      try DealLine.where(\.discount > 0).sum(\.price * \.discount, in: $0)
    },
    total("SELECT MAX(length(name)) FROM buyers WHERE code = 'none'") {
      try Buyer.where(\.code == "none").max((\Buyer.name).length, in: $0)
    },
    total("SELECT SUM(number * 2) FROM (SELECT number FROM deals ORDER BY freight DESC LIMIT 3)") {
      try Deal.sorted(by: .descending(\.freight)).limit(3).sum(\.number * 2, in: $0)
    },
    total("SELECT SUM(number) FROM (SELECT number FROM deals ORDER BY number LIMIT 3 OFFSET 2)") {
      try Deal.sorted(by: \.number).limit(3).offset(2).sum(\.number, in: $0)
    },
    total("SELECT SUM((SELECT TOTAL(freight) FROM deals WHERE buyer = code)) FROM buyers") {
      try Buyer.request.sum((\Buyer.deals).sum(\.freight), in: $0)
    },
    total(
      "SELECT MAX((SELECT COUNT(*) FROM deals WHERE buyer = code AND freight > 10)) FROM buyers"
    ) { try Buyer.request.max((\Buyer.deals).count(where: \.freight > 10), in: $0) },
    total("SELECT AVG((SELECT AVG(freight) FROM deals WHERE buyer = code)) FROM buyers") {
      try Buyer.request.average((\Buyer.deals).average(\.freight), in: $0)
    },
    total(
      "SELECT MIN((SELECT MIN(number) FROM deals WHERE buyer = code)) FROM buyers WHERE country = 'UK'"
    ) { try Buyer.where(\.country == "UK").min((\Buyer.deals).min(\.number), in: $0) },
    total("SELECT AVG(freight) FROM deals") { try Deal.average(\.freight, in: $0) },
    total("SELECT AVG(stock) FROM articles WHERE stock < 0") {
      try Article.average(\.stock, where: \.stock < 0, in: $0)
    },
    total("SELECT MAX(price) FROM articles") { try Article.max(\.price, in: $0) },
    total("SELECT SUM(price) FROM articles") { try Article.sum(\.price, in: $0) },
    total("SELECT MIN(name) FROM articles") { try Article.min(\.name, in: $0) },
    total("SELECT MAX(name) FROM articles") { try Article.max(\.name, in: $0) },
    total("SELECT MIN(day) FROM deals") { try Deal.min(\.day, in: $0) },
    total("SELECT MAX(day) FROM deals WHERE buyer = 'ANKER'") {
      try Deal.max(\.day, where: \.buyer?.code == "ANKER", in: $0)
    },
    total(
      "SELECT SUM(freight) FROM deals WHERE buyer IN (SELECT code FROM buyers WHERE city = 'London')"
    ) { try Deal.sum(\.freight, where: \.buyer?.city == "London", in: $0) },
    total("SELECT TOTAL(price) FROM lines WHERE 0") {
      try DealLine.sum(\.price, where: FetchPredicate(format: "FALSEPREDICATE"), in: $0)
    },
    total("SELECT SUM(a.stock) FROM lines l JOIN articles a ON a.number = l.article") {
      try DealLine.sum(\.article!.stock, in: $0)
    },
    total("SELECT COUNT(*) FROM deals WHERE buyer = 'ANKER'") {
      try Deal.count(where: \.buyer?.code == "ANKER", in: $0)
    },
    total("SELECT COUNT(*) FROM deals") { try Deal.sorted(by: "buyer.name").count(in: $0) },
    total("SELECT 4") { try Deal.sorted(by: \.number).limit(4).count(in: $0) },
    total("SELECT 2") { try Deal.sorted(by: \.number).limit(4).offset(10).count(in: $0) },
    total("SELECT 0") { try Deal.request.limit(0).count(in: $0) },
    total("SELECT 0") { try Deal.request.offset(100).count(in: $0) },
    total("SELECT EXISTS (SELECT 1 FROM buyers WHERE code = 'CORAL')") {
      try Buyer.where(\.code == "CORAL").exists(in: $0)
    },
    total("SELECT NOT EXISTS (SELECT 1 FROM deals WHERE (freight >= 0) IS NOT TRUE)") {
      try !Deal.where(!(\.freight >= 0)).exists(in: $0)
    },
    total("SELECT COUNT(*) FROM (SELECT DISTINCT city FROM buyers)") {
      try Buyer.request.distinct().pluck(\.city, in: $0).count
    },
  ]

  private static let several: [TradeQuestion] = [
    rows(
      "SELECT COUNT(*), COUNT(city), COUNT(DISTINCT city), COUNT(DISTINCT country) FROM buyers",
      of: "Buyer", order: "", "count:(SELF)", "count:(city)", "@distinctUnionOfObjects.city.@count",
      "@distinctUnionOfObjects.country.@count"),
    rows(
      "SELECT SUM(freight), AVG(freight), MAX(freight) - MIN(freight), MAX(number) FROM deals WHERE shipped IS NOT NULL",
      of: "Deal", where: "shipped != nil", order: "", "sum:(freight)", "average:(freight)",
      "max:(freight) - min:(freight)", "max:(number)"),
    rows(
      "SELECT SUM(price * quantity), SUM(price * quantity) / SUM(quantity), AVG(price * discount) FROM lines",
      of: "DealLine", order: "", "sum:(price * quantity)",
      "sum:(price * quantity) / sum:(quantity)", "average:(price * discount)"),
    rows(
      "SELECT SUM(city IS 'London'), AVG(CASE WHEN city = 'London' THEN 1.0 ELSE 0.0 END) FROM buyers",
      of: "Buyer", order: "", "sum:(TERNARY(city == 'London', 1, 0))",
      "average:(TERNARY(city == 'London', 1.0, 0.0))"),
    rows(
      "SELECT SUM(coalesce(price, 0)), AVG(coalesce(price, 0)), MIN(coalesce(price, 0)) FROM articles",
      of: "Article", order: "", "sum:(TERNARY(price == nil, 0, price))",
      "average:(TERNARY(price == nil, 0, price))", "min:(TERNARY(price == nil, 0, price))"),
    rows(
      "SELECT AVG(CASE WHEN shipped IS NOT NULL THEN freight END) FROM deals", of: "Deal",
      order: "", "average:(TERNARY(shipped != nil, freight, nil))"),
    rows(
      "SELECT COUNT(*), MAX(freight), MIN(freight) FROM deals WHERE 0", of: "Deal",
      where: "FALSEPREDICATE", order: "", "count:(SELF)", "max:(freight)", "min:(freight)"),
  ]

  private static let bounds: [TradeQuestion] = [
    TradeQuestion("SELECT number FROM deals ORDER BY number LIMIT 1") {
      [try Deal.sorted(by: \.number).first(in: $0)?.number]
    },
    TradeQuestion("SELECT number FROM deals ORDER BY number DESC LIMIT 1") {
      [try Deal.sorted(by: \.number).reversed().first(in: $0)?.number]
    },
    TradeQuestion("SELECT number FROM deals ORDER BY number LIMIT 1 OFFSET 4") {
      [try Deal.sorted(by: \.number).offset(4).first(in: $0)?.number]
    },
    TradeQuestion("SELECT number FROM deals ORDER BY number DESC LIMIT 1 OFFSET 2") {
      [try Deal.sorted(by: \.number, ascending: false).offset(2).first(in: $0)?.number]
    },
    TradeQuestion("SELECT number FROM deals ORDER BY number LIMIT 3 OFFSET 10") {
      try Deal.sorted(by: \.number).offset(10).limit(3).fetch(in: $0).map(\.number)
    },
    TradeQuestion(
      "SELECT number FROM (SELECT number FROM deals ORDER BY number DESC LIMIT 3) ORDER BY number"
    ) { try Deal.sorted(by: \.number).reversed().limit(3).fetch(in: $0).reversed().map(\.number) },
    TradeQuestion(
      "SELECT number FROM (SELECT * FROM deals ORDER BY number LIMIT 5) WHERE freight > 20 ORDER BY number"
    ) { context in
      let some = try Deal.sorted(by: \.number).limit(5).ids(in: context)
      return try Deal.where("SELF IN %@ AND freight > 20", some).sorted(by: \.number).fetch(
        in: context
      ).map(\.number)
    },
    TradeQuestion(
      "SELECT DISTINCT freight FROM (SELECT freight FROM deals ORDER BY number LIMIT 6) ORDER BY 1"
    ) { context in
      let some = try Deal.sorted(by: \.number).limit(6).ids(in: context)
      return try Deal.where("SELF IN %@", some).sorted(by: \.freight).distinct().pluck(
        \.freight, in: context)
    },
    TradeQuestion("SELECT number FROM deals ORDER BY number LIMIT 0") {
      try Deal.sorted(by: \.number).limit(0).fetch(in: $0).map(\.number)
    },
    TradeQuestion("SELECT number FROM deals ORDER BY number") { context in
      var numbers: [Int] = []
      for deal in try Deal.sorted(by: \.number).inBatches(of: 5, in: context) {
        numbers.append(deal.number)
      }
      return numbers
    },
    TradeQuestion("SELECT number FROM deals WHERE number >= 104 ORDER BY number LIMIT 5") {
      context in
      var numbers: [Int] = []
      for deal in try Deal.where(\.number >= 104).sorted(by: \.number).limit(5).inBatches(
        of: 2, in: context)
      { numbers.append(deal.number) }
      return numbers
    },
    TradeQuestion(
      "SELECT code FROM buyers WHERE city = 'Bergen' OR city = 'London' ORDER BY code LIMIT 2 OFFSET 1"
    ) {
      try Buyer.where(\.city == "Bergen").or(\.city == "London").sorted(by: \.code).offset(1).limit(
        2
      ).fetch(in: $0).map(\.code)
    },
    TradeQuestion(
      "SELECT code FROM buyers WHERE city = 'London' INTERSECT SELECT code FROM buyers WHERE contact LIKE 'Ann%' ORDER BY 1"
    ) {
      try Buyer.where(\.city == "London").and(Buyer.where((\Buyer.contact).hasPrefix("Ann")))
        .sorted(by: \.code).fetch(in: $0).map(\.code)
    },
    TradeQuestion(
      "SELECT code FROM buyers WHERE city = 'London' EXCEPT SELECT code FROM buyers WHERE contact LIKE 'Ann%' ORDER BY 1"
    ) {
      try Buyer.where(\.city == "London").where(!(\Buyer.contact).hasPrefix("Ann")).sorted(
        by: \.code
      ).fetch(in: $0).map(\.code)
    },
    TradeQuestion(
      "SELECT code FROM buyers WHERE city = 'London' UNION SELECT code FROM buyers WHERE country = 'UK' UNION SELECT code FROM buyers WHERE code = 'IDAHO' ORDER BY 1"
    ) {
      try Buyer.where(\.city == "London").or(\.country == "UK").or(\.code == "IDAHO").sorted(
        by: \.code
      ).fetch(in: $0).map(\.code)
    },
    TradeQuestion("SELECT code FROM buyers WHERE city IN (SELECT city FROM sellers) ORDER BY code")
    { context in
      let cities = try Seller.where(\.city != nil).distinct().pluck(\.city, in: context)
      return try Buyer.where(\.city ~= cities).sorted(by: \.code).fetch(in: context).map(\.code)
    },
    TradeQuestion(
      "SELECT code FROM buyers WHERE code NOT IN (SELECT buyer FROM deals WHERE buyer IS NOT NULL) ORDER BY code"
    ) { try Buyer.where(\.deals.isEmpty).sorted(by: \.code).fetch(in: $0).map(\.code) },
  ]

  @Test(arguments: StoreKind.allCases)
  func valuesOfObjectsAreThoseOfTheirSQL(in kind: StoreKind) throws {
    try TradeTables.check(Self.columns, kind)
  }

  @Test(arguments: StoreKind.allCases)
  func totalsAreThoseOfTheirSQL(in kind: StoreKind) throws {
    try TradeTables.check(Self.totals + Self.several, kind)
  }

  @Test(arguments: StoreKind.allCases)
  func boundsAndSetsAreThoseOfTheirSQL(in kind: StoreKind) throws {
    try TradeTables.check(Self.bounds, kind)
  }
}
