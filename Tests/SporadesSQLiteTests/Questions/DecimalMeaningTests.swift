// SPDX-License-Identifier: MIT
import Foundation
import SporadesExplaining
import SporadesModel
import SporadesSQLite
import SporadesStore
import SporadesTesting
import Testing

/// Decimals beside whole numbers, doubles and literals: memory and SQL take the same rows, and these are the ones that
/// arithmetic with decimals asks for.
@Suite struct DecimalMeaningTests {
  // The model is written here, so a mistake in it is a mistake of the tests.
  private static let model = try! ManagedObjectModel(entities: [
    EntityDescription(
      "Line",
      attributes: [
        AttributeDescription("price", .decimal, isOptional: true),
        AttributeDescription("count", .integer64), AttributeDescription("rate", .double),
        AttributeDescription("name", .string),
      ],
      relationships: [.toOne("order", "Order", inverse: "lines")]),
    EntityDescription(
      "Order", attributes: [AttributeDescription("number", .integer32)],
      relationships: [.toMany("lines", "Line", inverse: "order", isOrdered: true)]),
  ])

  private static let prices: [String?] = [
    "0.1", "0.3", "7", "-1.5", nil, "9007199254740993", "0.1234567890123456789", "NaN",
  ]

  private static func stores() throws -> [any PersistentStore] {
    let order = RowDraft("Order", 1, ["number": 1], of: model)
    let lines = prices.enumerated().map { place, price in
      RowDraft(
        "Line", Int64(place + 1),
        [
          "price": price.map { .decimal($0 == "NaN" ? .nan : Decimal(string: $0) ?? 0) } ?? .null,
          "count": .integer(Int64(place)), "rate": .double(Double(place) / 10),
          "name": .string("\(Double(place) / 4)"),
        ], to: ["order": order], at: ["order": Int64(place)], of: model)
    }
    let stores: [any PersistentStore] = [
      MemoryStore(model: model), try SQLiteStore(inMemory: model),
    ]
    for store in stores {
      try store.execute(ChangeSet(inserting: lines + [order]))
      try store.commit(.eventual)
    }
    return stores
  }

  private func expect(_ keys: [Int64], _ format: String, entity: String = "Line") throws {
    let shape = try #require(Self.model.shape(named: entity))
    let fetch = StoreFetch(shape, where: try FetchPredicate(format: format))
    for store in try Self.stores() {
      let found = try store.keys(fetch, in: .accepted).map(\.primaryKey)
      #expect(found == keys, "\(type(of: store)): \(format)")
      try store.close()
    }
  }

  @Test(arguments: [
    ([1], "price + 0.2 == 0.3"), ([1], "0.2 + price == 0.3"), ([2], "price - 0.2 == 0.1"),
    ([1], "price * 3 == 0.3"), ([2], "price / 3 == 0.1"), ([1], "price + (0.1 + 0.1) == 0.3"),
    ([1], "price == 0.1"), ([1, 2], "price IN {0.1, 0.3}"),
    ([1, 2, 7], "price BETWEEN {0.1, 0.3}"),
    ([1], "TERNARY(count >= 0, price, 0.5) + 0.2 == 0.3"),
    ([1], "max:({price, 0.05}) + 0.2 == 0.3"), ([1], "-price == -0.1"),
  ])
  func literalsBesideADecimalAreDecimals(keys: [Int64], format: String) throws {
    try expect(keys, format)
  }

  @Test(arguments: [
    // The list has decimals, so -3 is one, and does not divide as whole numbers do.
    ([1], "mode:({7, -3, price}) / 2 == -1.5 AND price == 0.1"),
    ([3], "max:({count, price}) / 2 == 3.5 AND price == 7"),
    ([5], "TERNARY(price == nil, count, price) / 8 == 0.5 AND count == 4"),
    ([4], "max:({count, rate}) / 2 == 1.5"), ([4], "TERNARY(rate > 9, rate, count) / 2 == 1.5"),
    ([1, 2, 3, 4, 5, 6, 7, 8], "max:({7, 1}) / 2 == 3"),
    ([1], "sum:({price, 2}) / 3 == 0.7"),
    ([3], "median:({count, 9, price}) / 2 == 3.5 AND price == 7"),
  ])
  func aListHasTheWidestTypeOfItsNumbers(keys: [Int64], format: String) throws {
    try expect(keys, format)
  }

  @Test(arguments: [
    // 9007199254740993 is 2^53 + 1.
    ([6], "price & 1 == 1 AND price > 100"), ([6], "CAST(price, 'NSString') == '9007199254740993'"),
    ([6], "~price == -9007199254740994"), ([6], "price == 9007199254740993"),
    ([6], "price - 9007199254740992 == 1"),
    // All digits take part in arithmetic, and the sum compares as a column holds it.
    ([7], "(price - 0.1234567890123456789) * 1000000000000000000 == 0"),
    ([7], "price == 0.1234567890123456789"), ([5, 8], "price == nil"),
    ([1], "(price / 3) * 3 == 0.1"), ([3], "price / 3 * 3 == 7.0"),
    ([3], "CAST(name, 'NSNumber') + price == 7.5"), ([1], "median:({1, 2, 3}) * price == 0.2"),
    ([1], "rate + price == 0.1"),
    ([2], "CAST(CAST(price, 'NSString'), 'NSDecimalNumber') * 3 == 0.9"),
  ])
  func digitsAreKept(keys: [Int64], format: String) throws { try expect(keys, format) }

  @Test(arguments: [
    ([1], "lines[FIRST].price + 0.2 == 0.3"), ([1], "lines.@min.price / 3 == -0.5"),
    ([1], "lines.@max.price - 9007199254740992 == 1"),
    ([1], "lines[6].price * 10 == 1.234567890123456789"),
    ([1], "ANY lines.price == 0.3"),
    ([1], "SUBQUERY(lines, $l, $l.price + 0.2 == 0.3).@count == 1"),
    ([], "lines.@sum.price + 0.1 == 0"), ([1], "median:(lines.price) * 3 > 0.3"),
  ])
  func membersKeepTheirDigits(keys: [Int64], format: String) throws {
    try expect(keys, format, entity: "Order")
  }

  /// A number on the left is found as one on the right.
  @Test(arguments: [
    ("0 < lines.@count", "lines.@count > 0"), ("0 == lines.@count", "lines.@count == 0"),
    ("0 != lines.@count", "lines.@count != 0"), ("3 >= number", "number <= 3"),
    ("NULL == number", "number == NULL"),
  ])
  func aConstantOnTheLeftIsAskedLikeOneOnTheRight(left: String, right: String) throws {
    let store = try SQLiteStore(inMemory: Self.model)
    let shape = try #require(Self.model.shape(named: "Order"))
    let plans = try [left, right].map {
      try store.explain(
        .rows(StoreFetch(shape, where: try FetchPredicate(format: $0))), in: .accepted)
    }
    #expect("\(plans[0])" == "\(plans[1])")
    try store.close()
  }
}
