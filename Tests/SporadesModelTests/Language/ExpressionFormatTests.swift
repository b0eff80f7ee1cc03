// SPDX-License-Identifier: MIT
import SporadesModel
import Testing

/// Values in the language of formats, for columns of dictionaries and terms of an order.
@Suite struct ExpressionFormatTests {
  @Test func aFormatIsOneValue() throws {
    let product = FetchExpression.arithmetic(.multiply, .keyPath("price"), .keyPath("amount"))
    #expect(try FetchExpression(format: "price * amount") == product)
    #expect(try FetchExpression(format: "sum:(price * amount)") == .sum(of: product))
    #expect(try FetchExpression(format: "count:(SELF)") == .objectCount)
    #expect(try FetchExpression(format: "owner.name") == .keyPath("owner.name"))
    #expect(try FetchExpression(format: "%K + %d", "age", 3) == FetchExpression(format: "age + 3"))
  }

  @Test func aFormatNamesAColumn() throws {
    let column = try ExpressionDescription(
      "total", format: "sum:(price * %d)", 2, resultType: .double)
    #expect(column.name == "total")
    #expect(try column.expression == FetchExpression(format: "sum:(price * 2)"))
    #expect(column.resultType == .double)
  }

  @Test(arguments: [
    ("price > 3", "A value has no comparison"), ("price IN {3}", "A value has no comparison"),
    ("price 3", "an expression has one value"), ("(a == b)", "not a condition"),
    ("", "a value is missing"), ("price *", "a value is missing"),
  ])
  func anythingElseIsRefused(format: String, sentence: String) throws {
    let error = #expect(throws: FetchPredicateError.self) { try FetchExpression(format: format) }
    #expect(error?.description.contains(sentence) == true, "\(error as Any)")
  }

  @Test func eachArgumentIsTaken() {
    #expect(throws: FetchPredicateError.self) { try FetchExpression(format: "price + 1", 3) }
  }
}
