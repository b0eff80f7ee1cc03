// SPDX-License-Identifier: MIT
import Foundation
import SporadesGraph
import SporadesModel
import Testing

/// Groups, as the tests of EF Core and of Rails ask for them.
@Suite struct TradeGroupQuestionTests {
  private static func groups(
    _ sql: String, of entity: String, by groups: [String], where format: String? = nil,
    having: String? = nil, order: String = "", limit: Int? = nil, offset: Int = 0,
    _ columns: (String, String)...
  ) -> TradeQuestion {
    TradeQuestion(dictionaries: sql) {
      var request = FetchRequest(entity)
      request.predicate = try format.map { try FetchPredicate(format: $0) }
      request.propertiesToGroupBy = try groups.map { try ExpressionDescription($0, format: $0) }
      request.propertiesToFetch = try columns.map { try ExpressionDescription($0.0, format: $0.1) }
      request.havingPredicate = try having.map { try FetchPredicate(format: $0) }
      request.sortTerms = try SortTerm.parse(order)
      (request.fetchLimit, request.fetchOffset) = (limit, offset)
      return request
    }
  }

  private static let plain: [TradeQuestion] = [
    groups(
      "SELECT city, COUNT(*) FROM buyers GROUP BY city ORDER BY city", of: "Buyer", by: ["city"],
      ("city", "city"), ("n", "count:(SELF)")),
    groups(
      "SELECT city, COUNT(region) FROM buyers GROUP BY city ORDER BY city", of: "Buyer",
      by: ["city"], ("city", "city"), ("n", "count:(region)")),
    groups(
      "SELECT country, city, COUNT(*) FROM buyers GROUP BY country, city ORDER BY 1, 2",
      of: "Buyer", by: ["country", "city"], ("country", "country"), ("city", "city"),
      ("n", "count:(SELF)")),
    groups(
      "SELECT s.name, SUM(freight), MIN(freight), MAX(freight), AVG(freight) FROM deals d LEFT JOIN sellers s ON s.number = d.seller GROUP BY d.seller ORDER BY s.name",
      of: "Deal", by: ["seller.name"], ("name", "seller.name"), ("a", "sum:(freight)"),
      ("b", "min:(freight)"), ("c", "max:(freight)"), ("d", "average:(freight)")),
    groups(
      "SELECT b.country, COUNT(*) FROM lines l JOIN deals d ON d.number = l.deal LEFT JOIN buyers b ON b.code = d.buyer GROUP BY 1 ORDER BY 1",
      of: "DealLine", by: ["deal.buyer.country"], ("c", "deal.buyer.country"), ("n", "count:(SELF)")
    ),
    groups(
      "SELECT b.code, a.name, COUNT(*) FROM lines l JOIN deals d ON d.number = l.deal LEFT JOIN buyers b ON b.code = d.buyer LEFT JOIN articles a ON a.number = l.article GROUP BY 1, 2 ORDER BY 1, 2",
      of: "DealLine", by: ["deal.buyer.code", "article.name"], ("b", "deal.buyer.code"),
      ("a", "article.name"), ("n", "count:(SELF)")),
    groups(
      "SELECT CAST(strftime('%Y', day) AS INTEGER), COUNT(*), SUM(number) FROM deals GROUP BY 1 ORDER BY 1",
      of: "Deal", by: ["year:(day)"], ("y", "year:(day)"), ("n", "count:(SELF)"),
      ("s", "sum:(number)")),
    groups(
      "SELECT CAST(strftime('%Y', day) AS INTEGER), CAST(strftime('%m', day) AS INTEGER), COUNT(*) FROM deals GROUP BY 1, 2 ORDER BY 1, 2",
      of: "Deal", by: ["year:(day)", "month:(day)"], ("y", "year:(day)"), ("m", "month:(day)"),
      ("n", "count:(SELF)")),
    groups(
      "SELECT freight > 40, COUNT(*) FROM deals WHERE freight IS NOT NULL GROUP BY 1 ORDER BY 1",
      of: "Deal", by: ["TERNARY(freight > 40, YES, NO)"], where: "freight != nil",
      ("k", "TERNARY(freight > 40, YES, NO)"), ("n", "count:(SELF)")),
    groups(
      "SELECT city IS NULL, SUM(length(name)) FROM buyers GROUP BY 1 ORDER BY 1", of: "Buyer",
      by: ["TERNARY(city == nil, YES, NO)"], ("k", "TERNARY(city == nil, YES, NO)"),
      ("n", "sum:(length:(name))")),
    groups(
      "SELECT deal, SUM(price * quantity * (1 - discount)) FROM lines GROUP BY deal ORDER BY deal",
      of: "DealLine", by: ["deal.number"], ("d", "deal.number"),
      ("t", "sum:(price * quantity * (1 - discount))")),
    groups(
      "SELECT a.name, SUM(l.price * l.quantity), MIN(l.price - a.price) FROM lines l LEFT JOIN articles a ON a.number = l.article GROUP BY a.name ORDER BY a.name",
      of: "DealLine", by: ["article.name"], ("a", "article.name"), ("t", "sum:(price * quantity)"),
      ("m", "min:(price - article.price)")),
    groups(
      "SELECT seller, SUM(b.city IS 'London'), SUM(b.city IS 'Bergen'), SUM(d.number), COUNT(*) FROM deals d LEFT JOIN buyers b ON b.code = d.buyer GROUP BY seller ORDER BY seller",
      of: "Deal", by: ["seller.number"], ("s", "seller.number"),
      ("l", "sum:(TERNARY(buyer.city == 'London', 1, 0))"),
      ("b", "sum:(TERNARY(buyer.city == 'Bergen', 1, 0))"), ("t", "sum:(number)"),
      ("n", "count:(SELF)")),
    groups(
      "SELECT seller, MAX(b.region), COUNT(DISTINCT b.country) FROM deals d LEFT JOIN buyers b ON b.code = d.buyer GROUP BY seller ORDER BY seller",
      of: "Deal", by: ["seller.number"], ("s", "seller.number"), ("r", "max:(buyer.region)"),
      ("c", "@distinctUnionOfObjects.buyer.country.@count")),
    groups(
      "SELECT buyer, AVG(CASE WHEN number < 108 THEN freight END), MAX(CASE WHEN shipped IS NOT NULL THEN number END) FROM deals GROUP BY buyer ORDER BY buyer",
      of: "Deal", by: ["buyer.code"], ("b", "buyer.code"),
      ("a", "average:(TERNARY(number < 108, freight, nil))"),
      ("m", "max:(TERNARY(shipped != nil, number, nil))")),
    groups(
      "SELECT buyer, SUM(CASE WHEN number < 108 THEN number ELSE 0 END), SUM(CASE WHEN number >= 108 THEN number ELSE 0 END) FROM deals GROUP BY buyer ORDER BY buyer",
      of: "Deal", by: ["buyer.code"], ("b", "buyer.code"),
      ("l", "sum:(TERNARY(number < 108, number, 0))"),
      ("r", "sum:(TERNARY(number >= 108, number, 0))")),
    groups(
      "SELECT day, SUM(number % 2 = 0) * 1.0 / COUNT(*) FROM deals GROUP BY day ORDER BY day",
      of: "Deal", by: ["day"], ("d", "day"),
      ("s", "sum:(TERNARY(modulus:by:(number, 2) == 0, 1.0, 0.0)) / count:(SELF)")),
    groups(
      "SELECT number + number, AVG(freight) FROM deals GROUP BY number ORDER BY 1", of: "Deal",
      by: ["number"], ("v", "number + number"), ("a", "average:(freight)")),
    groups(
      "SELECT coalesce(city, 'unknown'), COUNT(*) AS n FROM buyers GROUP BY city ORDER BY n DESC, 1",
      of: "Buyer", by: ["city"], order: "n:NO,k", ("k", "TERNARY(city == nil, 'unknown', city)"),
      ("n", "count:(SELF)")),
    groups(
      "SELECT dropped, COUNT(*), SUM(stock), MAX(price), SUM(price) FROM articles GROUP BY dropped ORDER BY dropped",
      of: "Article", by: ["isDropped"], ("d", "isDropped"), ("n", "count:(SELF)"),
      ("s", "sum:(stock)"), ("m", "max:(price)"), ("p", "sum:(price)")),
    groups(
      "SELECT length(country), COUNT(*) FROM buyers GROUP BY 1 HAVING COUNT(*) > 1 ORDER BY 1",
      of: "Buyer", by: ["length:(country)"], having: "$n > 1", ("k", "length:(country)"),
      ("n", "count:(SELF)")),
    groups(
      "SELECT buyer, COUNT(*), SUM(freight) FROM deals GROUP BY buyer HAVING COUNT(*) > 1 ORDER BY COUNT(*) DESC, buyer",
      of: "Deal", by: ["buyer.code"], having: "$n > 1", order: "n:NO,b", ("b", "buyer.code"),
      ("n", "count:(SELF)"), ("s", "sum:(freight)")),
    groups(
      "SELECT buyer, COUNT(*) AS n, SUM(freight) AS s FROM deals GROUP BY buyer HAVING n > 1 AND s < 100 AND buyer IS NOT NULL ORDER BY buyer",
      of: "Deal", by: ["buyer.code"], having: "$n > 1 AND $s < 100 AND $b != nil",
      ("b", "buyer.code"), ("n", "count:(SELF)"), ("s", "sum:(freight)")),
    groups(
      "SELECT buyer, COUNT(*) AS n FROM deals GROUP BY buyer ORDER BY n DESC, buyer LIMIT 2 OFFSET 1",
      of: "Deal", by: ["buyer.code"], order: "n:NO,b", limit: 2, offset: 1, ("b", "buyer.code"),
      ("n", "count:(SELF)")),
    groups(
      "SELECT buyer, COUNT(*) AS n FROM deals GROUP BY buyer LIMIT 0", of: "Deal",
      by: ["buyer.code"], limit: 0, ("b", "buyer.code"), ("n", "count:(SELF)")),
    groups(
      "SELECT SUM(number), MIN(number), MAX(number), AVG(number) FROM deals WHERE number > 105",
      of: "Deal", by: [], where: "number > 105", ("s", "sum:(number)"), ("m", "min:(number)"),
      ("x", "max:(number)"), ("a", "average:(number)")),
    groups(
      "SELECT b.code, COUNT(DISTINCT d.number), SUM(l.quantity) FROM lines l JOIN deals d ON d.number = l.deal JOIN buyers b ON b.code = d.buyer GROUP BY b.code HAVING SUM(l.quantity) > 20 ORDER BY 3 DESC",
      of: "DealLine", by: ["deal.buyer.code"], where: "deal.buyer != nil", having: "$q > 20",
      order: "q:NO", ("b", "deal.buyer.code"), ("d", "@distinctUnionOfObjects.deal.@count"),
      ("q", "sum:(quantity)")),
    groups(
      "SELECT n, COUNT(*) FROM (SELECT code, (SELECT COUNT(*) FROM deals WHERE buyer = code) AS n FROM buyers) GROUP BY n ORDER BY n",
      of: "Buyer", by: ["deals.@count"], ("n", "deals.@count"), ("c", "count:(SELF)")),
    groups(
      "SELECT city, SUM((SELECT COUNT(*) FROM deals WHERE buyer = code)), MAX((SELECT MAX(freight) FROM deals WHERE buyer = code)) FROM buyers GROUP BY city ORDER BY city",
      of: "Buyer", by: ["city"], ("c", "city"), ("n", "sum:(deals.@count)"),
      ("f", "max:(deals.@max.freight)")),
    groups(
      "SELECT boss, COUNT(*), MIN(born), SUM(title = 'Agent') FROM sellers GROUP BY boss ORDER BY boss",
      of: "Seller", by: ["boss.number"], ("b", "boss.number"), ("n", "count:(SELF)"),
      ("o", "min:(born)"), ("a", "sum:(TERNARY(title == 'Agent', 1, 0))")),
  ]

  private static let typed: [TradeQuestion] = [
    TradeQuestion(
      rows:
        "SELECT buyer, COUNT(*), SUM(freight > 20), AVG(freight) FROM deals GROUP BY buyer ORDER BY buyer"
    ) {
      try Deal.request.grouped(by: \.buyer?.code) {
        ($0.count, $0.count(where: \.freight > 20), $0.average(\.freight))
      }
      .fetch(in: $0).map {
        [TradeText.of($0.0), TradeText.of($0.1.0), TradeText.of($0.1.1), TradeText.of($0.1.2)]
      }
    },
    TradeQuestion(
      rows: "SELECT CAST(strftime('%Y', day) AS INTEGER), COUNT(*) FROM deals GROUP BY 1 ORDER BY 1"
    ) {
      try Deal.request.grouped(by: (\Deal.day).year) { $0.count }.fetch(in: $0).map {
        [TradeText.of($0.0), TradeText.of($0.1)]
      }
    },
    TradeQuestion(
      rows:
        "SELECT length(name) / 5, COUNT(*), MAX(length(name)), MIN(code) FROM buyers GROUP BY 1 ORDER BY 2 DESC, 1"
    ) {
      try Buyer.request.grouped(by: (\Buyer.name).length / 5) {
        ($0.count, $0.max((\Buyer.name).length), $0.min(\.code))
      }
      .sorted { .descending($0.count) }.fetch(in: $0)
      .map {
        [TradeText.of($0.0), TradeText.of($0.1.0), TradeText.of($0.1.1), TradeText.of($0.1.2)]
      }
    },
    TradeQuestion(
      rows:
        "SELECT deal, SUM(quantity * 2), AVG(quantity + 1), MIN(price * discount) FROM lines GROUP BY deal HAVING SUM(quantity * 2) > 20 ORDER BY deal"
    ) {
      try DealLine.request.grouped(by: \.deal!.number) {
        ($0.sum(\.quantity * 2), $0.average(\.quantity + 1), $0.min(\.price * \.discount))
      }
      .having { $0.sum(\.quantity * 2) > 20 }.fetch(in: $0)
      .map {
        [TradeText.of($0.0), TradeText.of($0.1.0), TradeText.of($0.1.1), TradeText.of($0.1.2)]
      }
    },
    TradeQuestion(
      rows:
        "SELECT code, name, COUNT(*) FROM deals JOIN buyers ON code = buyer GROUP BY code ORDER BY code"
    ) { context in
      try Deal.where(\.buyer != nil).grouped(by: \.buyer) { $0.count }.fetch(in: context)
        .map { [TradeText.of($0.0?.code), TradeText.of($0.0?.name), TradeText.of($0.1)] }.sorted {
          $0[0] < $1[0]
        }
    },
    TradeQuestion(
      rows: "SELECT city, MAX(code) FROM buyers GROUP BY city HAVING COUNT(*) > 1 ORDER BY city"
    ) {
      try Buyer.request.grouped(by: \.city) { $0.max(\.code) }.having { $0.count > 1 }.fetch(in: $0)
        .map { [TradeText.of($0.0), TradeText.of($0.1)] }
    },
    TradeQuestion(
      rows:
        "SELECT country, city, COUNT(DISTINCT region), COUNT(contact) FROM buyers GROUP BY 1, 2 ORDER BY 1, 2"
    ) {
      try Buyer.request.grouped(by: \.country, \.city) {
        ($0.count(distinct: \.region), $0.count(\.contact))
      }.fetch(in: $0)
        .map {
          [TradeText.of($0.0.0), TradeText.of($0.0.1), TradeText.of($0.1.0), TradeText.of($0.1.1)]
        }
    },
    // The deals whose lines come to more than a sum: the groups of the lines give the deals themselves.
    TradeQuestion(
      "SELECT deal FROM lines GROUP BY deal HAVING SUM(price * quantity) > 300 ORDER BY deal"
    ) { context in
      let value = TypedExpression<DealLine, Double>(try FetchExpression(format: "price * quantity"))
      return try DealLine.request.grouped(by: \.deal!) { $0.count }.having { $0.sum(value) > 300 }
        .fetch(in: context).map(\.0.number).sorted()
    },
    TradeQuestion(
      one: "SELECT COUNT(*) FROM (SELECT buyer FROM deals GROUP BY buyer HAVING COUNT(*) > 1)"
    ) {
      try Deal.request.grouped(by: \.buyer) { $0.count }.having { $0.count > 1 }.fetch(in: $0).count
    },
    TradeQuestion(one: "SELECT MAX(s) FROM (SELECT SUM(freight) AS s FROM deals GROUP BY buyer)") {
      try Deal.request.grouped(by: \.buyer) { $0.sum(\.freight) }.sorted {
        .descending($0.sum(\.freight))
      }.limit(1).fetch(in: $0).first?.1
    },
  ]

  @Test(arguments: StoreKind.allCases)
  func groupsAreThoseOfTheirSQL(in kind: StoreKind) throws {
    try TradeTables.check(Self.plain, kind)
  }

  @Test(arguments: StoreKind.allCases)
  func typedGroupsAreThoseOfTheirSQL(in kind: StoreKind) throws {
    try TradeTables.check(Self.typed, kind)
  }
}
