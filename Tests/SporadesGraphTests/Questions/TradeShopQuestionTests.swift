// SPDX-License-Identifier: MIT
import Foundation
import SporadesGraph
import SporadesModel
import Testing

/// What users of GRDB, Rails and Core Data ask of a shop, as they type it first.
@Suite struct TradeShopQuestionTests {
  // 1. Customers without orders
  static let q1 = TradeQuestion(
    "SELECT code FROM buyers b WHERE NOT EXISTS (SELECT 1 FROM deals WHERE buyer = code) ORDER BY code"
  ) {
    try Buyer.where(\.deals.isEmpty).sorted(by: \.code).pluck(\.code, in: $0)
  }
  // 2. Customers with more than two orders
  static let q2 = TradeQuestion(
    "SELECT code FROM buyers WHERE (SELECT COUNT(*) FROM deals WHERE buyer = code) > 2 ORDER BY code"
  ) {
    try Buyer.where(\.deals.count > 2).sorted(by: \.code).pluck(\.code, in: $0)
  }
  // 3. Customers whose orders total over 100
  static let q3 = TradeQuestion(
    "SELECT code FROM buyers WHERE (SELECT TOTAL(freight) FROM deals WHERE buyer = code) > 100 ORDER BY code"
  ) {
    try Buyer.where((\Buyer.deals).sum(\.freight) > 100).sorted(by: \.code).pluck(\.code, in: $0)
  }
  static let q4 = TradeQuestion(
    "SELECT code FROM buyers WHERE (SELECT TOTAL(freight) FROM deals WHERE buyer = code) > 100 ORDER BY code"
  ) {
    try Buyer.where("deals.@sum.freight > 100").sorted(by: \.code).pluck(\.code, in: $0)
  }
  // 5. Total of an order from its lines
  static let q5 = TradeQuestion(
    "SELECT number FROM deals d WHERE (SELECT TOTAL(price * quantity) FROM lines WHERE deal = d.number) > 300 ORDER BY number"
  ) {
    try Deal.where((\Deal.lines).sum(\.price * \.quantity) > 300).sorted(by: \.number).pluck(
      \.number, in: $0)
  }
  // 6. the best customer
  static let q6 = TradeQuestion(
    "SELECT code FROM buyers ORDER BY (SELECT TOTAL(freight) FROM deals WHERE buyer = code) DESC, code LIMIT 1"
  ) {
    try Buyer.sorted(by: .descending((\Buyer.deals).sum(\.freight)), .ascending(\.code)).limit(1)
      .pluck(\.code, in: $0)
  }
  // 7. last order date per customer, sorted
  static let q7 = TradeQuestion(
    rows: "SELECT code, (SELECT MAX(day) FROM deals WHERE buyer = code) FROM buyers ORDER BY code"
  ) {
    try Buyer.sorted(by: \.code).pluck(\Buyer.code, (\Buyer.deals).max(\.day), in: $0).map {
      [TradeText.of($0.0), TradeText.of($0.1)]
    }
  }
  // 8. customers by last order
  static let q8 = TradeQuestion(
    "SELECT code FROM buyers ORDER BY (SELECT MAX(day) FROM deals WHERE buyer = code) DESC, code"
  ) {
    try Buyer.sorted(by: "deals.@max.day:NO,code").pluck(\.code, in: $0)
  }
  // 9. orders per month
  static let q9 = TradeQuestion(
    rows: "SELECT strftime('%Y-%m-01', day), COUNT(*) FROM deals GROUP BY 1 ORDER BY 1"
  ) {
    try Deal.request.grouped(by: (\Deal.day).startOfMonth) { $0.count }.fetch(in: $0).map {
      [TradeText.of($0.0), TradeText.of($0.1)]
    }
  }
  // 10. by year and month
  static let q10 = TradeQuestion(
    rows:
      "SELECT CAST(strftime('%Y', day) AS INTEGER), CAST(strftime('%m', day) AS INTEGER), COUNT(*) FROM deals GROUP BY 1, 2 ORDER BY 1, 2"
  ) {
    try Deal.request.grouped(by: (\Deal.day).year, (\Deal.day).month) { $0.count }.fetch(in: $0).map
    { [TradeText.of($0.0.0), TradeText.of($0.0.1), TradeText.of($0.1)] }
  }
  // 11. revenue per product
  static let q11 = TradeQuestion(
    rows:
      "SELECT a.name, SUM(l.price * l.quantity) FROM lines l LEFT JOIN articles a ON a.number = l.article GROUP BY 1 ORDER BY 2 DESC, 1 LIMIT 3"
  ) {
    try DealLine.request.grouped(by: \.article?.name) { $0.sum(\.price * \.quantity) }.sorted {
      .descending($0.sum(\.price * \.quantity))
    }.limit(3).fetch(in: $0).map { [TradeText.of($0.0), TradeText.of($0.1)] }
  }
  // 12. products never sold
  static let q12 = TradeQuestion(
    "SELECT name FROM articles a WHERE NOT EXISTS (SELECT 1 FROM lines WHERE article = a.number) ORDER BY name"
  ) {
    try Article.where(\.lines.count == 0).sorted(by: \.name).pluck(\.name, in: $0)
  }
  // 13. search ignoring case
  static let q13 = TradeQuestion("SELECT name FROM articles WHERE name LIKE '%la%' ORDER BY name") {
    try Article.where((\Article.name).contains("la", [.caseInsensitive])).sorted(by: \.name).pluck(
      \.name, in: $0)
  }
  // 14. lowercased
  static let q14 = TradeQuestion("SELECT code FROM buyers WHERE lower(name) = 'delta foods'") {
    try Buyer.where((\Buyer.name).lowercased == "delta foods").pluck(\.code, in: $0)
  }
  // 15. display name
  static let q15 = TradeQuestion("SELECT code || ': ' || name FROM buyers ORDER BY code") {
    try Buyer.sorted(by: \.code).pluck(\.code + ": " + \.name, in: $0)
  }
  // 16. coalesce
  static let q16 = TradeQuestion("SELECT coalesce(city, 'nowhere') FROM buyers ORDER BY code") {
    try Buyer.sorted(by: \.code).pluck((\Buyer.city) ?? "nowhere", in: $0)
  }
  // 17. first letter groups
  static let q17 = TradeQuestion(
    rows: "SELECT substr(name, 1, 1), COUNT(*) FROM buyers GROUP BY 1 ORDER BY 1"
  ) {
    try Buyer.request.grouped(by: (\Buyer.name).prefix(1)) { $0.count }.fetch(in: $0).map {
      [TradeText.of($0.0), TradeText.of($0.1)]
    }
  }
  // 18. average order value
  static let q18 = TradeQuestion(
    one:
      "SELECT AVG(s) FROM (SELECT TOTAL(l.price * l.quantity) AS s FROM deals d LEFT JOIN lines l ON l.deal = d.number GROUP BY d.number)"
  ) {
    try Deal.request.average((\Deal.lines).sum(\.price * \.quantity), in: $0)
  }
  // 19. orders in 2024
  static let q19 = TradeQuestion(
    "SELECT number FROM deals WHERE strftime('%Y', day) = '2024' ORDER BY number"
  ) {
    try Deal.where((\Deal.day).year == 2024).sorted(by: \.number).pluck(\.number, in: $0)
  }
  // 20. unshipped orders, oldest first, nulls last
  static let q20 = TradeQuestion(
    "SELECT number FROM deals WHERE shipped IS NULL ORDER BY day IS NULL, day"
  ) {
    try Deal.where(\.shipped == nil).sorted(by: "day nils last").pluck(\.number, in: $0)
  }
  // 21. distinct cities of customers who ordered
  static let q21 = TradeQuestion(
    "SELECT DISTINCT city FROM buyers JOIN deals ON buyer = code ORDER BY city"
  ) {
    try Buyer.where(!\.deals.isEmpty).sorted(by: \.city).distinct().pluck(\.city, in: $0)
  }
  // 22. number of distinct products in an order
  static let q22 = TradeQuestion(
    rows:
      "SELECT number, (SELECT COUNT(DISTINCT article) FROM lines WHERE deal = d.number) FROM deals d ORDER BY number"
  ) {
    try Deal.sorted(by: \.number).pluck(
      \Deal.number, (\Deal.lines).count(distinct: \.article), in: $0
    ).map { [TradeText.of($0.0), TradeText.of($0.1)] }
  }
  // 23. customers who bought product X
  static let q23 = TradeQuestion(
    "SELECT DISTINCT b.code FROM buyers b JOIN deals d ON d.buyer = b.code JOIN lines l ON l.deal = d.number JOIN articles a ON a.number = l.article WHERE a.name = 'Rope' ORDER BY 1"
  ) {
    try Buyer.where("ANY deals.lines.article.name == %@", "Rope").sorted(by: \.code).pluck(
      \.code, in: $0)
  }
  // 24. share of orders over 20
  static let q24 = TradeQuestion(
    rows:
      "SELECT buyer, COUNT(*), SUM(CASE WHEN freight > 20 THEN 1 ELSE 0 END) FROM deals GROUP BY buyer ORDER BY buyer"
  ) {
    try Deal.request.grouped(by: \.buyer?.code) { ($0.count, $0.count(where: \.freight > 20)) }
      .fetch(in: $0).map { [TradeText.of($0.0), TradeText.of($0.1.0), TradeText.of($0.1.1)] }
  }
  // 25. having
  static let q25 = TradeQuestion(
    rows:
      "SELECT city, COUNT(*) FROM buyers WHERE city IS NOT NULL GROUP BY city HAVING COUNT(*) >= 2 ORDER BY 2 DESC"
  ) {
    try Buyer.where(\.city != nil).grouped(by: \.city) { $0.count }.having { $0.count >= 2 }.sorted
    { .descending($0.count) }.fetch(in: $0).map { [TradeText.of($0.0), TradeText.of($0.1)] }
  }
  // 26. top 2 by computed line value in dictionaries
  static let q26 = TradeQuestion(
    dictionaries:
      "SELECT number, price * quantity * (1 - discount) FROM lines ORDER BY 2 DESC LIMIT 2"
  ) {
    var request = FetchRequest("DealLine")
    request.propertiesToFetch = [
      "number", try ExpressionDescription("value", format: "price * quantity * (1 - discount)"),
    ]
    request.sortTerms = [SortTerm("value", ascending: false)]
    request.fetchLimit = 2
    return request
  }
  // 27. days to ship
  static let q27 = TradeQuestion(
    "SELECT (julianday(shipped) - julianday(day)) FROM deals WHERE shipped IS NOT NULL ORDER BY number"
  ) {
    try Deal.where(\.shipped != nil).sorted(by: \.number).pluck(
      (\Deal.shipped).timeIntervalSince(\.day) / 86400, in: $0)
  }
  // 28. total with condition on members
  static let q28 = TradeQuestion(
    "SELECT number FROM deals d WHERE (SELECT TOTAL(quantity) FROM lines WHERE deal = d.number AND discount = 0) >= 20 ORDER BY number"
  ) {
    try Deal.where((\Deal.lines).sum(\.quantity, where: \.discount == 0) >= 20).sorted(by: \.number)
      .pluck(\.number, in: $0)
  }
  // 29. sum over linked products' decimal price
  static let q29 = TradeQuestion(
    "SELECT name FROM vendors v WHERE (SELECT TOTAL(price) FROM articles WHERE vendor = v.name) > 50 ORDER BY name"
  ) {
    try Vendor.where((\Vendor.articles).sum(\.price) > 50).sorted(by: \.name).pluck(\.name, in: $0)
  }
  // 30. exists
  static let q30 = TradeQuestion(one: "SELECT COUNT(*) > 0 FROM deals WHERE freight > 100") {
    try Deal.where(\.freight > 100).exists(in: $0)
  }
  // 31. customers in the same city as a seller
  static let q31 = TradeQuestion(
    "SELECT code FROM buyers WHERE city IN (SELECT city FROM sellers) ORDER BY code"
  ) {
    let cities = try Seller.request.distinct().pluck(\.city, in: $0)
    return try Buyer.where(\.city ~= cities.compactMap { $0 }).sorted(by: \.code).pluck(
      \.code, in: $0)
  }
  // 32. rank by revenue and number of items, two sums at once
  static let q32 = TradeQuestion(
    rows:
      "SELECT d.buyer, COUNT(*), SUM(l.quantity), SUM(l.price * l.quantity) FROM lines l JOIN deals d ON d.number = l.deal GROUP BY 1 ORDER BY 1"
  ) {
    try DealLine.request.grouped(by: \.deal?.buyer?.code) {
      ($0.count, $0.sum(\.quantity), $0.sum(\.price * \.quantity))
    }.fetch(in: $0).map {
      [TradeText.of($0.0), TradeText.of($0.1.0), TradeText.of($0.1.1), TradeText.of($0.1.2)]
    }
  }
  // 33. rounding
  static let q33 = TradeQuestion(
    "SELECT trim(name) FROM buyers WHERE replace(name, '&', 'and') LIKE '%and%' ORDER BY code"
  ) {
    try Buyer.where((\Buyer.name).replacing("&", with: "and").contains("and")).sorted(by: \.code)
      .pluck((\Buyer.name).trimmed, in: $0)
  }
  // 34. the median freight
  static let q34 = TradeQuestion(one: "SELECT MAX(freight) - MIN(freight) FROM deals") {
    try Deal.request.max(\.freight, in: $0)! - Deal.request.min(\.freight, in: $0)!
  }
  // 35. format language of texts
  static let q35 = TradeQuestion(
    dictionaries:
      "SELECT substr(name, 1, 3), replace(name, ' ', '_'), name || '/' || code FROM buyers ORDER BY code"
  ) {
    var request = FetchRequest("Buyer", sortedBy: [SortTerm("code")])
    request.propertiesToFetch = [
      try ExpressionDescription("a", format: "prefix:(name, 3)"),
      try ExpressionDescription("b", format: "replace:(name, ' ', '_')"),
      try ExpressionDescription("c", format: "concat:(name, '/', code)"),
    ]
    return request
  }
  // 36
  static let q36 = TradeQuestion(
    "SELECT number FROM deals d WHERE (SELECT TOTAL(price * quantity) FROM lines WHERE deal = d.number) > 300 ORDER BY number"
  ) {
    try Deal.where("sum:(SUBQUERY(lines, $l, TRUEPREDICATE, $l.price * $l.quantity)) > 300").sorted(
      by: \.number
    ).pluck(\.number, in: $0)
  }

  static let all = [
    q1, q2, q3, q4, q5, q6, q7, q8, q9, q10, q11, q12, q13, q14, q15, q16, q17, q18, q19, q20, q21,
    q22, q23, q24, q25, q26, q27, q28, q29, q30, q31, q32, q33, q34, q35, q36,
  ]
  @Test(arguments: StoreKind.allCases)
  func answersAreThoseOfTheirSQL(in kind: StoreKind) throws {
    try TradeTables.check(Self.all, kind)
  }
}
