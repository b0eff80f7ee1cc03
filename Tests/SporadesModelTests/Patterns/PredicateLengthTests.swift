// SPDX-License-Identifier: MIT
import SporadesModel
import Testing

/// Formats, key paths and predicates have a greatest length, so that none takes time that grows with the square of it.
@Suite(.timeLimit(.minutes(60))) struct PredicateLengthTests {
  private func code(_ format: String, _ arguments: Any?...) -> FetchPredicateError.Code? {
    do throws(FetchPredicateError) {
      try FetchPredicate(format: format, argumentArray: arguments).validate(
        in: TestModel.shape("Person"), TestModel.model)
      return nil
    } catch { return error.code }
  }

  private func repeated(_ text: String, _ count: Int) -> String {
    String(repeating: text, count: count)
  }

  @Test(arguments: [100, 30_000])
  func aKeyPathHasFewSteps(_ count: Int) {
    #expect(code(repeated("boss.", count) + "name == 'x'") == .tooDeep)
    #expect(code("ANY pets" + repeated("[0]", count) + " == 1") == .tooDeep)
    #expect(code("%K == 'x'", repeated("boss.", count) + "name") == .tooDeep)
    #expect(
      code("SUBQUERY(pets, $p, $p." + repeated("owner.", count) + "age > 1).@count > 0") == .tooDeep
    )
    #expect(throws: FetchPredicateError.self) {
      try KeyPathShape(
        Array(repeating: "boss", count: count), in: TestModel.shape("Person"), TestModel.model)
    }
  }

  @Test func aKeyPathOfSixtyNamesIsRead() {
    #expect(code(repeated("boss.", 59) + "name == 'x'") == nil)
    #expect(code(repeated("boss.", 60) + "name == 'x'") == .tooDeep)
  }

  @Test func aFormatHasAMillionCharacters() {
    let list = repeated("1, ", 333_000)
    #expect(code("age IN {" + list + "1}") == nil)
    #expect(code("age IN {" + list + list + "1}") == .tooDeep)
  }

  @Test(arguments: ["age < %d", "name == 'x%d' OR age > %d", "name ==[c] 'x%d'"])
  func aPredicateHasAFewThousandComparisons(_ condition: String) {
    func chain(_ count: Int) -> String {
      (0..<count).map { condition.replacing("%d", with: "\($0)") }.joined(separator: " OR ")
    }
    #expect(code(chain(2_000)) == nil)
    #expect(code(chain(6_000)) == .tooDeep)
  }

  @Test func equalitiesOfOneKeyPathCountAsOne() {
    let format = (0..<16_000).map { "age == \($0)" }.joined(separator: " OR ")
    #expect(code(format) == nil)
    #expect(code("(\(format)) AND boss.age == 3") == nil)
    #expect(code((0..<16_000).map { "age != \($0)" }.joined(separator: " AND ")) == nil)
  }

  @Test func computedValuesCount() {
    let items = (0..<6_000).map { "age + \($0)" }.joined(separator: ", ")
    #expect(code("age IN {\(items)}") == .tooDeep)
  }
}
