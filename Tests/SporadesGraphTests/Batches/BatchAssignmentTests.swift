// SPDX-License-Identifier: MIT
import Foundation
import Sporades
import SporadesCare
import SporadesGraph
import SporadesModel
import SporadesStore
import Testing

/// Cases of the tests of other libraries, GRDB's `updateAll` and `deleteAll` and EF Core's `ExecuteUpdate` and
/// `ExecuteDelete`, for what carries over.
@Suite struct BatchAssignmentTests {
  /// Wares 1 to 12: the stock is the number modulo 3, plus 1; three aisles; every fourth ware is a gift; even wares
  /// have as many opinions as their stock.
  private static func library(_ kind: StoreKind) throws -> DataStack {
    let stack = try kind.depot()
    try stack.saving { context in
      let aisles = (1...3).map { number in
        let aisle = Aisle.create(in: context)
        aisle.number = number
        return aisle
      }
      for number in 1...12 {
        let stock = Int16(number % 3 + 1)
        let ware =
          number % 4 == 0
          ? GiftWare.make(number, price: 1, stock: stock, in: context)
          : Ware.make(number, price: 1, stock: stock, in: context)
        if number < 10 { ware.aisle = aisles[number % 3] }
        guard number % 2 == 0 else { continue }
        for place in 0..<number % 3 + 1 {
          let opinion = Opinion.create(in: context)
          (opinion.number, opinion.stars) = (100 * number + place, place)
          opinion.ware = ware
        }
      }
    }
    return stack
  }

  // MARK: - Assignments

  struct Assignment: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let expression: FetchExpression
    let expected: @Sendable (_ score: Int, _ bonus: Int) -> Int
  }

  private static let score = FetchExpression.keyPath(["number"])
  private static let bonus = FetchExpression.keyPath(["stock"])

  private static func number(_ number: Int64) -> FetchExpression { .constant(.integer(number)) }

  private static func assign(
    _ name: String, _ operation: ArithmeticOperator, _ operand: FetchExpression,
    _ expected: @escaping @Sendable (Int, Int) -> Int
  ) -> Assignment {
    Assignment(
      testDescription: name, expression: .arithmetic(operation, score, operand), expected: expected)
  }

  private static let twice = FetchExpression.arithmetic(.multiply, bonus, number(2))
  private static let minus = FetchExpression.arithmetic(.subtract, number(0), bonus)
  private static let more = FetchExpression.arithmetic(.add, bonus, number(1))

  static let assignments: [Assignment] = [
    assign("+ 1", .add, number(1)) { score, _ in score + 1 },
    assign("+ bonus", .add, bonus) { $0 + $1 },
    assign("+ -bonus", .add, minus) { $0 - $1 },
    assign("+ bonus * 2", .add, twice) { $0 + $1 * 2 },
    assign("- 1", .subtract, number(1)) { score, _ in score - 1 },
    assign("- bonus", .subtract, bonus) { $0 - $1 },
    assign("- -bonus", .subtract, minus) { $0 + $1 },
    assign("- bonus * 2", .subtract, twice) { $0 - $1 * 2 },
    assign("* 1", .multiply, number(1)) { score, _ in score },
    assign("* bonus", .multiply, bonus) { $0 * $1 },
    assign("* -bonus", .multiply, minus) { $0 * -$1 },
    assign("* (bonus + 1)", .multiply, more) { $0 * ($1 + 1) },
    assign("/ 1", .divide, number(1)) { score, _ in score },
    assign("/ bonus", .divide, bonus) { $0 / $1 },
    assign("/ -bonus", .divide, minus) { $0 / -$1 },
    assign("/ bonus * 2", .divide, twice) { $0 / ($1 * 2) },
    assign("& 1", .bitwiseAnd, number(1)) { score, _ in score & 1 },
    assign("& bonus", .bitwiseAnd, bonus) { $0 & $1 },
    assign("& bonus * 2", .bitwiseAnd, twice) { $0 & ($1 * 2) },
    assign("| 1", .bitwiseOr, number(1)) { score, _ in score | 1 },
    assign("| bonus", .bitwiseOr, bonus) { $0 | $1 },
    assign("| -bonus", .bitwiseOr, minus) { $0 | -$1 },
    assign("<< 1", .shiftLeft, number(1)) { score, _ in score << 1 },
    assign("<< bonus", .shiftLeft, bonus) { $0 << $1 },
    assign(">> 1", .shiftRight, number(1)) { score, _ in score >> 1 },
    assign(">> bonus", .shiftRight, bonus) { $0 >> $1 },
    assign("% bonus", .modulus, bonus) { $0 % $1 },
  ]

  @Test(arguments: assignments, StoreKind.allCases)
  func anAssignmentComputesEachRow(_ assignment: Assignment, in kind: StoreKind) throws {
    let stack = try Self.library(kind)
    let before = try stack.newContext().performAndWait { context in
      try Ware.all(sortedBy: \.name, in: context).map { ($0.number, Int($0.stock)) }
    }
    try stack.newContext().performAndWait { (context) throws in
      try context.execute(
        BatchUpdateRequest(
          fetchRequest: FetchRequest("Ware"),
          propertiesToUpdate: ["number": assignment.expression]))
      let after = try Ware.all(sortedBy: \.name, in: context).map(\.number)
      #expect(after == before.map { assignment.expected($0.0, $0.1) })
    }
  }

  // MARK: - Rows

  struct Rows: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let request: FetchRequest
    let count: Int
  }

  private static func rows(
    _ format: StaticString, _ count: Int, of entity: String = "Ware", sorted: [SortTerm] = [],
    limit: Int? = nil, offset: Int = 0
  ) -> Rows {
    // The formats are written here, so a mistake in one is a mistake of the test.
    let predicate = "\(format)".isEmpty ? nil : try! FetchPredicate(format: "\(format)")
    return Rows(
      testDescription: "\(entity) \(format) \(limit ?? -1) \(offset)",
      request: FetchRequest(
        entity, where: predicate, sortedBy: sorted, limit: limit, offset: offset),
      count: count)
  }

  static let cases: [Rows] = [
    rows("", 12), rows("name == 'ware 3'", 1), rows("name == 'nobody'", 0),
    rows("number IN {1, 2}", 2), rows("number == 1 AND name == 'ware 1'", 1),
    rows("", 12, sorted: [SortTerm("name")]), rows("", 1, limit: 1),
    rows("", 0, limit: 0), rows("", 1, sorted: [SortTerm("name")], limit: 1),
    rows("", 1, sorted: [SortTerm("name", ascending: false)], limit: 1, offset: 2),
    rows("", 2, limit: 5, offset: 10), rows("", 0, limit: 5, offset: 12),
    rows("number > 3", 4, limit: 4), rows("number > 3", 9, limit: 100),
    rows("number < 3 OR number > 10", 4), rows("number < 10 AND NOT number IN {1, 2, 3}", 6),
    rows("aisle.number == 1", 3), rows("aisle == nil", 3), rows("aisle.number != 1", 9),
    rows("aisle.wares.@count > 2", 9), rows("opinions.@count > 0", 6),
    rows("opinions.@count == 2", 2), rows("ANY opinions.stars > 1", 2),
    rows("ALL opinions.stars < 2", 10), rows("NONE opinions.stars == 0", 6),
    rows("SUBQUERY(opinions, $o, $o.stars == 1).@count == 1", 4),
    rows("", 3, of: "GiftWare"), rows("number > 4", 2, of: "GiftWare"),
    rows("ribbon == nil", 3, of: "GiftWare"), rows("price * stock > 2", 4),
    rows("name BEGINSWITH 'ware 1'", 4), rows("name MATCHES '.*2'", 2),
    rows("name ENDSWITH[c] 'E 1'", 1), rows("label == nil", 12),
  ]

  @Test(arguments: cases, StoreKind.allCases)
  func aBatchUpdatesWhatTheRequestFinds(_ rows: Rows, in kind: StoreKind) throws {
    let stack = try Self.library(kind)
    try stack.newContext().performAndWait { (context) throws in
      let ids = Set(try context.fetchIDs(rows.request))
      #expect(ids.count == rows.count)
      let result = try context.execute(
        BatchUpdateRequest(
          fetchRequest: rows.request, propertiesToUpdate: ["label": "found", "mark": nil]))
      #expect(Set(result.objectIDs) == ids)
      #expect(Set(try Ware.where(\.label == "found").ids(in: context)) == ids)
    }
  }

  @Test(arguments: cases, StoreKind.allCases)
  func aBatchDeletesWhatTheRequestFinds(_ rows: Rows, in kind: StoreKind) throws {
    let stack = try Self.library(kind)
    try stack.newContext().performAndWait { (context) throws in
      let ids = Set(try context.fetchIDs(rows.request))
      let all = Set(try Ware.request.ids(in: context))
      let result = try context.execute(BatchDeleteRequest(fetchRequest: rows.request))
      #expect(Set(result.objectIDs) == ids)
      #expect(Set(try Ware.request.ids(in: context)) == all.subtracting(ids))
      #expect(try Opinion.where(\.ware == nil).count(in: context) == 0)
    }
    #expect(try stack.store.integrityProblems() == [])
  }

  @Test(arguments: StoreKind.allCases)
  func rowsAreFoundByTheMembersOfAnotherEntity(in kind: StoreKind) throws {
    let stack = try Self.library(kind)
    try stack.newContext().performAndWait { (context) throws in
      #expect(try context.execute(Aisle.where("wares.@count > 3").delete()).count == 0)
      #expect(try context.execute(Aisle.where("ANY wares.number == 4").delete()).count == 1)
      #expect(try context.execute(Opinion.where("ware.aisle == nil").delete()).count > 0)
      #expect(try Ware.count(in: context) == 12)
    }
    #expect(try stack.store.integrityProblems() == [])
  }
}
