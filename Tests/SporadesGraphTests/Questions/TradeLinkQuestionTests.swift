// SPDX-License-Identifier: MIT
import Foundation
import SporadesGraph
import SporadesModel
import Testing

/// Conditions and orders through relationships, as the tests of EF Core and of Rails ask for them by joins and
/// subqueries.
@Suite struct TradeLinkQuestionTests {
  private static let toOne: [TradeQuestion] = [
    .deals("(SELECT city FROM buyers WHERE code = t.buyer) = 'London'", \.buyer?.city == "London"),
    .deals(
      "(SELECT city FROM buyers WHERE code = t.buyer) IS NOT 'London'", \.buyer?.city != "London"),
    .deals(
      "(SELECT city FROM buyers WHERE code = t.buyer) LIKE '%er%'",
      format: "buyer.city CONTAINS 'er'"),
    .deals("buyer IS NULL", \.buyer == nil), .deals("buyer IS NOT NULL", \.buyer != nil),
    .deals(
      "buyer IN (SELECT code FROM buyers WHERE city IN ('London', 'Boise'))",
      \.buyer?.city ~= ["London", "Boise"]),
    .deals(
      "buyer = 'CORAL' OR buyer IN ('ANKER', 'none')",
      \.buyer?.code == "CORAL" || \.buyer?.code ~= ["ANKER", "none"]),
    .deals(
      "(SELECT city FROM buyers WHERE code = t.buyer) IS (SELECT city FROM sellers WHERE number = t.seller)",
      format: "buyer.city == seller.city"),
    .deals(
      "(SELECT city FROM buyers WHERE code = t.buyer) = (SELECT city FROM sellers WHERE number = t.seller)",
      format: "buyer.city == seller.city AND buyer.city != nil"),
    .deals(
      "(SELECT city FROM buyers WHERE code = t.buyer) = 'London' AND (SELECT region FROM buyers WHERE code = t.buyer) IS NOT 'South'",
      \.buyer?.city == "London" && \.buyer?.region != "South"),
    .deals(
      "(SELECT b.name FROM sellers s JOIN sellers b ON b.number = s.boss WHERE s.number = t.seller) = 'Nora'",
      \.seller?.boss?.name == "Nora"),
    .sellers("boss IS NULL", \.boss == nil),
    .sellers("(SELECT boss FROM sellers b WHERE b.number = t.boss) IS NULL", \.boss?.boss == nil),
    .sellers(
      "(SELECT city FROM sellers b WHERE b.number = t.boss) = city",
      format: "boss.city == city AND city != nil"),
    .sellers(
      "(SELECT born FROM sellers b WHERE b.number = t.boss) < born", format: "boss.born < born"),
    .lines(
      "deal IN (SELECT number FROM deals JOIN buyers ON code = buyer WHERE city = 'London')",
      \.deal?.buyer?.city == "London"),
    .lines(
      "deal IN (SELECT number FROM deals WHERE day < '2024-01-01') AND article IN (SELECT number FROM articles WHERE vendor = 'Alma')",
      format: "deal.day < CAST(725760000, 'NSDate') AND article.vendor.name == 'Alma'"),
    .lines(
      "price < (SELECT price FROM articles WHERE number = t.article)",
      format: "price < article.price"),
    .lines(
      "price * quantity * (1 - discount) > 300", format: "price * quantity * (1 - discount) > 300"),
    .lines(
      "(SELECT country FROM articles a JOIN vendors v ON v.name = a.vendor WHERE a.number = t.article) IS NULL",
      format: "article.vendor.country == nil"),
    .articles(
      "vendor IN (SELECT name FROM vendors WHERE country = 'UK') AND price > 30",
      \.vendor?.country == "UK" && \.price > 30),
    .articles(
      "(SELECT country FROM vendors WHERE name = vendor) IS NOT 'UK'", !(\.vendor?.country == "UK")),
  ]

  private static let toMany: [TradeQuestion] = [
    .buyers("EXISTS (SELECT 1 FROM deals WHERE buyer = code)", !\.deals.isEmpty),
    .buyers("NOT EXISTS (SELECT 1 FROM deals WHERE buyer = code)", \.deals == []),
    .buyers(
      "EXISTS (SELECT 1 FROM deals WHERE buyer = code AND number > 0)",
      (\Buyer.deals).any(\.number > 0)),
    .buyers(
      "NOT EXISTS (SELECT 1 FROM deals WHERE buyer = code AND 0)",
      format: "SUBQUERY(deals, $d, FALSEPREDICATE).@count == 0"),
    .buyers(
      "EXISTS (SELECT 1 FROM deals WHERE buyer = code AND freight > 50)",
      (\Buyer.deals).any(\.freight > 50)),
    .buyers(
      "NOT EXISTS (SELECT 1 FROM deals WHERE buyer = code AND (freight > 10) IS NOT TRUE)",
      (\Buyer.deals).all(\.freight > 10)),
    .buyers(
      "NOT EXISTS (SELECT 1 FROM deals WHERE buyer = code AND freight > 10)",
      (\Buyer.deals).none(\.freight > 10)),
    .buyers("(SELECT COUNT(*) FROM deals WHERE buyer = code) > 2", \.deals.count > 2),
    .buyers("2 < (SELECT COUNT(*) FROM deals WHERE buyer = code)", format: "2 < deals.@count"),
    .buyers("(SELECT COUNT(*) FROM deals WHERE buyer = code) = 1", \.deals.count == 1),
    .buyers(
      "(SELECT COUNT(*) FROM deals WHERE buyer = code AND shipped IS NULL) = 1",
      (\Buyer.deals).count(where: \.shipped == nil) == 1),
    .buyers(
      "(SELECT TOTAL(freight) FROM deals WHERE buyer = code) > 60",
      (\Buyer.deals).sum(\.freight) > 60),
    .buyers(
      "(SELECT AVG(freight) FROM deals WHERE buyer = code) < 20",
      (\Buyer.deals).average(\.freight) < 20),
    .buyers(
      "(SELECT MAX(day) FROM deals WHERE buyer = code) >= '2025-01-01'",
      format: "year:(deals.@max.day) >= 2025"),
    .buyers(
      "(SELECT MIN(number) FROM deals WHERE buyer = code) = 101",
      (\Buyer.deals).min(\.number) == 101),
    .buyers(
      "(SELECT MAX(number) - MIN(number) FROM deals WHERE buyer = code) > 5",
      format: "deals.@max.number - deals.@min.number > 5"),
    .buyers(
      "code IN (SELECT buyer FROM deals WHERE seller IN (SELECT number FROM sellers WHERE city = 'London'))",
      format: "ANY deals.seller.city == 'London'"),
    .buyers(
      "code IN (SELECT buyer FROM deals d JOIN lines l ON l.deal = d.number JOIN articles a ON a.number = l.article WHERE a.name = 'Rope')",
      format: "ANY deals.lines.article.name == 'Rope'"),
    .buyers(
      "code IN (SELECT buyer FROM deals d JOIN lines l ON l.deal = d.number JOIN articles a ON a.number = l.article WHERE a.name = 'Rope')",
      format: "'Rope' IN deals.lines.article.name"),
    .buyers(
      "code IN (SELECT buyer FROM deals WHERE freight > 20 AND seller IN (SELECT number FROM sellers WHERE city = 'London'))",
      (\Buyer.deals).any(\.freight > 20 && \.seller?.city == "London")),
    .buyers(
      "(SELECT COUNT(*) FROM deals d WHERE buyer = code AND EXISTS (SELECT 1 FROM lines WHERE deal = d.number AND price > 100)) = 1",
      (\Buyer.deals).count(where: (\Deal.lines).any(\.price > 100)) == 1),
    .buyers(
      "EXISTS (SELECT 1 FROM deals d JOIN sellers s ON s.number = d.seller WHERE d.buyer = t.code AND s.city IS t.city)",
      format: "SUBQUERY(deals, $d, $d.seller != nil AND $d.seller.city == city).@count > 0"),
    .buyers(
      "EXISTS (SELECT 1 FROM deals d WHERE d.buyer = t.code AND EXISTS (SELECT 1 FROM lines WHERE deal = d.number AND quantity > d.freight))",
      format:
        "SUBQUERY(deals, $d, SUBQUERY($d.lines, $l, $l.quantity > $d.freight).@count > 0).@count > 0"
    ),
    .buyers(
      "(SELECT TOTAL(freight) FROM deals WHERE buyer = code AND shipped IS NOT NULL) > 60",
      format: "SUBQUERY(deals, $d, $d.shipped != nil).@sum.freight > 60"),
    .buyers(
      "(SELECT COUNT(DISTINCT seller) FROM deals WHERE buyer = code) > 1",
      format: "deals.@distinctUnionOfObjects.seller.@count > 1"),
    .buyers(
      "(SELECT TOTAL(quantity) FROM lines WHERE deal IN (SELECT number FROM deals WHERE buyer = code)) > 100",
      format: "deals.lines.@sum.quantity > 100"),
    .buyers(
      "(SELECT COUNT(*) FROM lines WHERE deal IN (SELECT number FROM deals WHERE buyer = code)) > 4",
      format: "deals.lines.@count > 4"),
    .buyers(
      "(SELECT COUNT(*) FROM deals d JOIN lines l ON l.deal = d.number WHERE d.buyer = t.code AND l.quantity > 5) = 2",
      format: "SUBQUERY(deals.lines, $l, $l.quantity > 5).@count == 2"),
    .buyers(
      "EXISTS (SELECT 1 FROM deals WHERE buyer = code AND buyer = 'CORAL')",
      (\Buyer.deals).any(\.buyer?.code == "CORAL")),
    .buyers(
      "code IN (SELECT buyer FROM deals GROUP BY buyer HAVING COUNT(*) = (SELECT MAX(c) FROM (SELECT COUNT(*) c FROM deals WHERE buyer IS NOT NULL GROUP BY buyer)))",
      \.deals.count == 3),
    .articles("NOT EXISTS (SELECT 1 FROM lines WHERE article = t.number)", \.lines == []),
    .articles(
      "NOT EXISTS (SELECT 1 FROM lines l JOIN deals d ON d.number = l.deal LEFT JOIN buyers b ON b.code = d.buyer WHERE l.article = t.number AND b.city IS NOT 'London')",
      (\Article.lines).all(\.deal?.buyer?.city == "London")),
    .articles(
      "(SELECT MIN(price) FROM lines WHERE article = t.number) < price",
      format: "lines.@min.price < price"),
    .articles(
      "EXISTS (SELECT 1 FROM lines l WHERE l.article = t.number AND l.price < t.price)",
      format: "ANY lines.price < price"),
    .articles(
      "NOT EXISTS (SELECT 1 FROM lines l WHERE l.article = t.number AND (l.price < t.price) IS NOT TRUE)",
      format: "ALL lines.price < price"),
    .vendors(
      "(SELECT COUNT(*) FROM articles WHERE vendor = t.name AND dropped) = 1",
      (\Vendor.articles).count(where: \.isDropped == true) == 1),
    .vendors(
      "EXISTS (SELECT 1 FROM articles WHERE vendor = t.name AND price > 100)",
      (\Vendor.articles).any(\.price > 100)),
    .vendors(
      "(SELECT TOTAL(quantity) FROM lines l JOIN articles a ON a.number = l.article WHERE a.vendor = t.name) > 20",
      format: "articles.lines.@sum.quantity > 20"),
    .vendors(
      "(SELECT MAX(price) FROM articles WHERE vendor = t.name) > 39",
      format: "articles.@max.price > 39"),
  ]

  private static let others: [TradeQuestion] = [
    .sellers(
      "number IN (SELECT seller FROM sellers_districts WHERE district = 'Coast')",
      (\Seller.districts).any(\.name == "Coast")),
    .sellers(
      "number NOT IN (SELECT seller FROM sellers_districts WHERE district = 'Coast')",
      (\Seller.districts).none(\.name == "Coast")),
    .sellers(
      "(SELECT COUNT(*) FROM sellers_districts WHERE seller = number) = 2", \.districts.count == 2),
    .sellers(
      "number IN (SELECT seller FROM sellers_districts GROUP BY seller HAVING SUM(district IN ('Coast', 'Hills')) = 2)",
      (\Seller.districts).any(\.name == "Coast") && (\Seller.districts).any(\.name == "Hills")),
    .sellers(
      "EXISTS (SELECT 1 FROM sellers_districts d JOIN sellers_districts e ON e.district = d.district WHERE d.seller = t.number AND e.seller = t.boss)",
      format: "SUBQUERY(districts, $d, $d IN boss.districts).@count > 0"),
    .sellers(
      "EXISTS (SELECT 1 FROM sellers s WHERE s.boss = t.number AND s.title = 'Trainee')",
      (\Seller.reports).any(\.title == "Trainee")),
    .sellers(
      "(SELECT COUNT(*) FROM sellers s WHERE s.boss = t.boss) = 2",
      format: "boss.reports.@count == 2"),
    .sellers(
      "EXISTS (SELECT 1 FROM sellers s WHERE s.boss = t.number AND EXISTS (SELECT 1 FROM sellers u WHERE u.boss = s.number))",
      (\Seller.reports).any(!\.reports.isEmpty)),
    .sellers(
      "EXISTS (SELECT 1 FROM sellers s JOIN deals d ON d.seller = s.number WHERE s.boss = t.number AND d.freight > 100)",
      format: "ANY reports.deals.freight > 100"),
    .sellers(
      "(SELECT COUNT(DISTINCT buyer) FROM deals WHERE seller = t.number) > 2",
      format: "deals.@distinctUnionOfObjects.buyer.@count > 2"),
    .deals(
      "number IN (SELECT MIN(number) FROM deals WHERE buyer IS NOT NULL GROUP BY buyer)",
      format: "number == buyer.deals.@min.number"),
    .deals(
      "number IN (SELECT MAX(number) FROM deals WHERE buyer IS NOT NULL GROUP BY buyer)",
      format: "number == buyer.deals.@max.number"),
    .deals(
      "day = (SELECT MAX(day) FROM deals d WHERE d.buyer = t.buyer)",
      format: "day == buyer.deals.@max.day AND day != nil"),
    .deals(
      "NOT EXISTS (SELECT 1 FROM deals d WHERE d.buyer = t.buyer AND d.freight > t.freight)",
      format: "SUBQUERY(buyer.deals, $d, $d.freight > freight).@count == 0"),
    .deals(
      "(SELECT COUNT(*) FROM deals d WHERE d.buyer = t.buyer) > 2", format: "buyer.deals.@count > 2"
    ),
    .deals(
      "freight > (SELECT AVG(freight) FROM deals d WHERE d.buyer = t.buyer)",
      format: "freight > buyer.deals.@avg.freight"),
    .deals(
      "(SELECT price FROM lines WHERE deal = t.number ORDER BY number LIMIT 1) > 20",
      format: "lines[FIRST].price > 20"),
    .deals(
      "(SELECT article FROM lines WHERE deal = t.number ORDER BY number DESC LIMIT 1) = 6",
      format: "lines[LAST].article.name == 'Net'"),
    .deals(
      "(SELECT price FROM lines WHERE deal = t.number ORDER BY number LIMIT 1 OFFSET 1) < 100",
      format: "lines[1].price < 100"),
    .deals("(SELECT COUNT(*) FROM lines WHERE deal = t.number) = 2", format: "lines[SIZE] == 2"),
    .deals(
      "(SELECT COUNT(*) FROM lines WHERE deal = t.number) + (SELECT TOTAL(quantity) FROM lines WHERE deal = t.number) > 30",
      format: "lines.@count + lines.@sum.quantity > 30"),
    .deals(
      "EXISTS (SELECT 1 FROM lines WHERE deal = t.number AND price * quantity > 300)",
      (\Deal.lines).any(
        TypedExpression(
          FetchExpression.arithmetic(.multiply, .keyPath("price"), .keyPath("quantity"))) > 300.0)),
    .deals(
      "(SELECT COUNT(*) FROM lines WHERE deal = t.number AND price * quantity > 300) = 1",
      format: "SUBQUERY(lines, $l, $l.price * $l.quantity > 300).@count == 1"),
    .deals(
      "NOT EXISTS (SELECT 1 FROM lines l LEFT JOIN articles a ON a.number = l.article WHERE l.deal = t.number AND a.vendor IS NOT 'Alma')",
      (\Deal.lines).all(\.article?.vendor?.name == "Alma")),
    .deals(
      "number IN (SELECT l.deal FROM lines l JOIN lines m ON m.deal = l.deal WHERE l.article = 1 AND m.article = 2)",
      format: "ANY lines.article.number == 1 AND ANY lines.article.number == 2"),
    .deals(
      "(SELECT COUNT(DISTINCT vendor) FROM lines l JOIN articles a ON a.number = l.article WHERE l.deal = t.number) > 1",
      format: "lines.@distinctUnionOfObjects.article.vendor.@count > 1"),
    .lines(
      "price = (SELECT MAX(price) FROM lines l WHERE l.deal = t.deal)",
      format: "price == deal.lines.@max.price"),
    .lines(
      "(SELECT COUNT(*) FROM lines l WHERE l.deal = t.deal) > 2", format: "deal.lines.@count > 2"),
    .lines(
      "EXISTS (SELECT 1 FROM lines l WHERE l.deal = t.deal AND l.number <> t.number AND l.quantity = t.quantity)",
      format: "SUBQUERY(deal.lines, $l, $l != SELF AND $l.quantity == quantity).@count > 0"),
  ]

  private static let orders: [TradeQuestion] = [
    order(
      "SELECT number FROM deals ORDER BY (SELECT name FROM buyers WHERE code = buyer), number DESC",
      "buyer.name,number:NO"),
    order(
      "SELECT number FROM deals ORDER BY freight DESC NULLS LAST, number",
      "freight:NO nils last,number"),
    order(
      "SELECT number FROM deals ORDER BY freight NULLS LAST, number", "freight nils last,number"),
    order(
      "SELECT number FROM deals ORDER BY freight DESC NULLS FIRST, number",
      "freight:NO nils first,number"),
    order(
      "SELECT number FROM deals ORDER BY (SELECT COUNT(*) FROM lines WHERE deal = t.number) DESC, number",
      "lines.@count:NO,number"),
    order(
      "SELECT number FROM deals ORDER BY (SELECT MAX(price) FROM lines WHERE deal = t.number) DESC, number",
      "lines.@max.price:NO,number"),
    order(
      "SELECT number FROM deals ORDER BY (SELECT COUNT(*) FROM deals d WHERE d.buyer = t.buyer) DESC, number",
      "buyer.deals.@count:NO,number"),
    order("SELECT number FROM deals ORDER BY day, number", "day,number"),
    order(
      "SELECT number FROM deals ORDER BY (SELECT city FROM sellers WHERE number = t.seller) DESC, (SELECT city FROM buyers WHERE code = t.buyer), number",
      "seller.city:NO,buyer.city,number"),
  ]

  private static func order(_ sql: String, _ order: String) -> TradeQuestion {
    let sql = sql.replacingOccurrences(of: "FROM deals ORDER", with: "FROM deals AS t ORDER")
    return TradeQuestion(sql) { context in
      let found = try Deal.sorted(by: order).pluck(\.number, in: context)
      try #require(try Deal.sorted(by: order).fetch(in: context).map(\.number) == found)
      try #require(
        try Deal.sorted(by: order).offset(2).limit(4).pluck(\.number, in: context)
          == Array(found[2..<6]))
      return found
    }
  }

  @Test(arguments: StoreKind.allCases)
  func aConditionThroughLinksFindsWhatItsSQLFinds(in kind: StoreKind) throws {
    let all = Self.toOne + Self.toMany + Self.others
    try TradeTables.check(all, kind)
    #expect(all.count == 90)
  }

  @Test(arguments: StoreKind.allCases)
  func anOrderThroughLinksIsThatOfItsSQL(in kind: StoreKind) throws {
    try TradeTables.check(Self.orders, kind)
  }
}
