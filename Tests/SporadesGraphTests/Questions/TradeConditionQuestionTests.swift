// SPDX-License-Identifier: MIT
import Foundation
import SporadesGraph
import SporadesModel
import Testing

/// Conditions on an object's own values, as the tests of EF Core and of Rails ask for them, in our words and with the
/// SQL beside them.
@Suite struct TradeConditionQuestionTests {
  private typealias Ask = TradeQuestion

  private static let texts: [TradeQuestion] = [
    .buyers("city = 'London'", \.city == "London"),
    .buyers("city IS NOT 'London'", \.city != "London"),
    .buyers("city = 'London' AND country = 'UK'", \.city == "London" && \.country == "UK"),
    .buyers(
      "(city = 'London' AND region IS NULL) IS NOT TRUE", !(\.city == "London" && \.region == nil)),
    .buyers("city IS NULL", \.city == nil), .buyers("city IS NOT NULL", \.city != nil),
    .buyers("region IS NULL AND country = 'UK'", \.region == nil && \.country == "UK"),
    .buyers("1", format: "city == city"), .buyers("city IS region", format: "city == region"),
    .buyers("city IS NOT region", format: "city != region"), .buyers("1", format: "nil == nil"),
    .buyers("0", format: "'foo' == nil"), .buyers("1", format: "TRUEPREDICATE"),
    .buyers("0", format: "FALSEPREDICATE"), .buyers("code = 'ANKER'", \.code ~= ["ANKER"]),
    .buyers("code IN ('ANKER', 'none')", \.code ~= ["ANKER", "none"]),
    .buyers("code NOT IN ('ANKER', 'CORAL')", !(\.code ~= ["ANKER", "CORAL"])),
    .buyers("0", \.code ~= [String]()), .buyers("1", !(\.code ~= [String]())),
    .buyers("city IS NULL OR city IN ('London')", \.city ~= [nil, "London"]),
    .buyers("city IS NOT NULL AND city <> 'London'", !(\.city ~= [nil, "London"])),
    .buyers(
      "city = 'London' OR code = 'IDAHO' OR code IN ('IDAHO', 'x')",
      \.city == "London" || \.code == "IDAHO" || \.code ~= ["IDAHO", "x"]),
    .buyers(
      "code IN ('ANKER', 'BIRKE') AND code <> 'ANKER'",
      \.code ~= ["ANKER", "BIRKE"] && \.code != "ANKER"),
    .buyers("0", \.code ~= ["ANKER')); DROP TABLE ZDEAL; --"]),
    .buyers("'London' IN (city, region)", format: "'London' IN {city, region}"),
    .buyers("'South' IN (city, region)", format: "'South' IN {city, region}"),
    .buyers("substr(name, 1, 1) = 'D'", (\Buyer.name).hasPrefix("D")),
    .buyers("name LIKE 'd%'", (\Buyer.name).hasPrefix("d", .caseInsensitive)),
    .buyers("instr(name, 'Sons') > 0", (\Buyer.name).contains("Sons")),
    .buyers("instr(name, '%') > 0", (\Buyer.name).contains("%")),
    .buyers("instr(name, '_') > 0", (\Buyer.name).contains("_")),
    .buyers("instr(name, '''') > 0", (\Buyer.name).contains("'")),
    .buyers("name LIKE '%ods'", (\Buyer.name).hasSuffix("ods")),
    .buyers("NOT (name LIKE '%s%')", !(\Buyer.name).contains("s", .caseInsensitive)),
    .buyers("contact IS NULL OR contact NOT GLOB 'Ann*'", !(\Buyer.contact).hasPrefix("Ann")),
    .buyers("contact GLOB '* H???'", (\Buyer.contact).isLike("* H???")),
    .buyers("contact = 'Åse Lund'", format: "contact ==[cd] 'ase lund'"),
    .buyers("length(name) > 12", (\Buyer.name).length > 12),
    .buyers("upper(city) = 'LONDON'", (\Buyer.city).uppercased == "LONDON"),
    .buyers("lower(name) = 'delta foods'", (\Buyer.name).lowercased == "delta foods"),
    .buyers("name < 'D'", \.name < "D"), .buyers("name >= 'G' AND name < 'I'", \.name ~= "G"..<"I"),
    .buyers("name > country", format: "name > country"),
    .buyers("length(city) = length(country)", format: "length:(city) == length:(country)"),
    .buyers(
      "'Anker Tools and more' GLOB name || '*'", format: "'Anker Tools and more' BEGINSWITH name"),
    .buyers("instr('Kiel or Bergen', city) > 0", format: "city IN 'Kiel or Bergen'"),
    .buyers("name GLOB '[A-C]*s'", format: "name MATCHES '[A-C].*s'"),
    .buyers(
      "coalesce(region, city, country) = 'Ghana'",
      format: "TERNARY(region == nil, TERNARY(city == nil, country, city), region) == 'Ghana'"),
  ]

  private static let numbers: [TradeQuestion] = [
    .deals("freight > 50", \.freight > 50.0), .deals("freight >= 50", \.freight >= 50.0),
    .deals("freight BETWEEN 12.5 AND 50", \.freight ~= 12.5...50),
    .deals("(freight BETWEEN 12.5 AND 50) IS NOT TRUE", !(\.freight ~= 12.5...50)),
    .deals("(freight > 50) IS NOT TRUE", !(\.freight > 50.0)),
    .deals("freight IS NULL", \.freight == nil),
    .deals("freight = 0", \.freight == 0.0), .deals("number % 2 = 0", \.number % 2 == 0),
    .deals("number * 2 > 210", \.number * 2 > 210), .deals("-number < -108", \.number * -1 < -108),
    .deals("number / 10 * 10 = 100", format: "number / 10 * 10 == 100"),
    .deals("number / 2.0 = 51", format: "number / 2.0 == 51"),
    .deals("freight + number > 150", format: "freight + number > 150"),
    .deals("105 < number", format: "105 < number"),
    .deals("number = 105", format: "number == 105.0"),
    .deals("0", format: "number == 105.5"), .deals("number > 105.5", format: "number > 105.5"),
    .deals("number IN (101, 102, 999999999999)", format: "number IN {101, 102, 999999999999}"),
    .deals(
      "number IN (101, 103) OR number BETWEEN 110 AND 112",
      \.number ~= [101, 103] || \.number ~= 110...112),
    .deals(
      "(number = 101 AND freight = 12.5) OR (number = 102 AND freight = 1)",
      format: "(number == 101 AND freight == 12.5) OR (number == 102 AND freight == 1)"),
    .articles("price * stock > 300", format: "price * stock > 300"),
    .articles("coalesce(price, 0) = 0", format: "TERNARY(price == nil, 0, price) == 0"),
    .articles("price = 40", \.price == 40), .articles("price IS NULL", \.price == nil),
    .articles("price > 12.5", \.price > 12.5),
    .articles("abs(stock - 10) < 10", format: "abs:(stock - 10) < 10"),
    .articles("CAST(price AS INTEGER) = 22", format: "floor:(price) == 22"),
    .articles("price > CAST(price AS INTEGER)", format: "price > trunc:(price)"),
    .articles("stock * stock >= 361", format: "stock ** 2 >= 361"),
    .articles("stock >= 16", format: "sqrt:(stock) >= 4"),
    .articles("(stock & 3) = 3", format: "(stock & 3) == 3"),
    .articles("stock > price", format: "stock > price"),
    .articles("max(stock, 12) = 12", format: "max:({stock, 12}) == 12"),
    .articles("stock > 0", \.stock > 0 as Int16),
    .articles("CAST(stock AS TEXT) LIKE '%0'", format: "CAST(stock, 'NSString') ENDSWITH '0'"),
  ]

  private static let truths: [TradeQuestion] = [
    .articles("dropped", \.isDropped == true), .articles("NOT dropped", !\.isDropped),
    .articles("dropped", !(!(\.isDropped == true))),
    .articles(
      "(number > 5 AND dropped) OR dropped = 1", \.number > 5 && \.isDropped || \.isDropped == true),
    .articles("dropped = (number > 4)", format: "isDropped == TERNARY(number > 4, YES, NO)"),
    .articles("dropped <> (number > 4)", format: "isDropped != TERNARY(number > 4, YES, NO)"),
    .articles(
      "(number > 5) = (number > 2)",
      format: "TERNARY(number > 5, 1, 0) == TERNARY(number > 2, 1, 0)"),
    .articles("NOT (dropped OR number < 3)", !(\.isDropped == true || \.number < 3)),
    .articles("NOT (dropped AND number < 5)", !(\.isDropped == true && \.number < 5)),
    .articles(
      "NOT (NOT (NOT dropped AND number < 6) OR NOT number > 3)",
      !(!(!(\.isDropped == true) && \.number < 6) || !(\.number > 3))),
    .articles(
      "CASE WHEN dropped THEN stock > 5 ELSE stock > 10 END",
      format: "TERNARY(isDropped == YES, TERNARY(stock > 5, 1, 0), TERNARY(stock > 10, 1, 0)) == 1"),
    .articles(
      "CASE WHEN price > 20 THEN stock ELSE number END > 6",
      format: "TERNARY(price > 20, stock, number) > 6"),
  ]

  private static let dates: [TradeQuestion] = [
    .deals("strftime('%Y', day) = '2024'", (\Deal.day).year == 2024),
    .deals("strftime('%m', day) = '06'", (\Deal.day).month == 6),
    .deals("strftime('%d', day) = '31'", (\Deal.day).day == 31),
    .deals("strftime('%w', day) = '6'", (\Deal.day).weekday == 7),
    .deals("day = '2024-02-29'", format: "day == %@", Trade.date("2024-02-29")),
    .deals("day > '2024-03-01'", format: "day > %@", Trade.date("2024-03-01")),
    .deals(
      "day BETWEEN '2023-03-01' AND '2024-03-01'", format: "day BETWEEN {%@, %@}",
      Trade.date("2023-03-01"), Trade.date("2024-03-01")),
    .deals("day IS NULL", \.day == nil), .deals("day IS shipped", format: "day == shipped"),
    .deals("shipped = day", format: "shipped == day AND day != nil"),
    .deals("julianday(shipped) - julianday(day) > 8", format: "shipped - day > 691200"),
    .deals("date(day, '+5 days') = shipped", format: "day + 432000 == shipped AND shipped != nil"),
    .deals(
      "day >= '2024-01-01' AND shipped IS NULL", format: "day >= %@ AND shipped == nil",
      Trade.date("2024-01-01")),
    .sellers(
      "strftime('%m', born) = '12' AND strftime('%d', born) = '01'",
      (\Seller.born).month == 12 && (\Seller.born).day == 1),
    .deals(
      "strftime('%Y', day) <> strftime('%Y', shipped)",
      format: "year:(day) != year:(shipped) AND day != nil AND shipped != nil"),
  ]

  @Test(arguments: StoreKind.allCases)
  func aConditionFindsWhatItsSQLFinds(in kind: StoreKind) throws {
    let all = Self.texts + Self.numbers + Self.truths + Self.dates
    try TradeTables.check(all, kind)
    #expect(all.count == 110)
  }
}
