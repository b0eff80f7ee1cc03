// SPDX-License-Identifier: MIT
import Foundation
import SporadesModel
import Testing

@Suite struct PredicateFormatTests {
  @Test(arguments: [
    ("age > 18", FetchPredicate.compare("age", .greater, 18)),
    ("age => 18", .compare("age", .greaterOrEqual, 18)),
    ("age =< -18", .compare("age", .lessOrEqual, -18)),
    ("age <> 0x10", .compare("age", .notEqual, 16)),
    ("age = 1.5e2", .compare("age", .equal, 150.0)),
    ("name == 'it\\'s'", .equals("name", "it's")),
    ("name == \"a\\u00e9\\n\"", .equals("name", "a\u{e9}\n")),
    ("name = nil", .equals("name", Value.null)),
    ("isActive == YES", .equals("isActive", true)),
    (
      "owner.name beginswith[cd] 'r'",
      .compare("owner.name", .beginsWith, "r", options: [.caseInsensitive, .diacriticInsensitive])
    ),
    ("name LIKE[c] 'a*'", .compare("name", .like, "a*", options: .caseInsensitive)),
    ("name MATCHES 'a.*'", .compare("name", .matches, "a.*")),
    ("name ENDSWITH[n] 'a'", .compare("name", .endsWith, "a", options: .normalized)),
    ("age BETWEEN {1, 2}", .compare("age", .between, [1, 2])),
    ("name IN {'a', 'b'}", .compare("name", .isIn, ["a", "b"])),
    ("#in == 1", .equals("in", 1)),
    ("size == 1", .equals("size", 1)),
    ("NOT a == 1 AND b == 2", .and([.not(.equals("a", 1)), .equals("b", 2)])),
    ("!(a == 1 || b == 2)", .not(.or([.equals("a", 1), .equals("b", 2)]))),
    (
      "a == 1 OR b == 2 && c == 3",
      .or([.equals("a", 1), .and([.equals("b", 2), .equals("c", 3)])])
    ),
    ("TRUEPREDICATE", .constant(true)),
    ("((falsepredicate))", .constant(false)),
  ])
  func readsComparisonsAndTheirCompounds(format: String, expected: FetchPredicate) throws {
    #expect(try FetchPredicate(format: format) == expected)
  }

  @Test func readsQuantifiersAggregatesAndArithmetic() throws {
    typealias Comparison = FetchPredicate.Comparison
    #expect(
      try FetchPredicate(format: "NONE pets.age > 3")
        == .not(
          .comparison(
            Comparison(.keyPath("pets.age"), .greater, .constant(3), quantifier: .any))))
    #expect(
      try FetchPredicate(format: "ALL pets.age > 3")
        == .comparison(
          Comparison(.keyPath("pets.age"), .greater, .constant(3), quantifier: .all)))
    #expect(
      try FetchPredicate(format: "pets.@count == pets.@max.age")
        == .comparison(
          Comparison(.count(["pets"]), .equal, .aggregate(.max, ["pets", "age"]))))
    #expect(
      try FetchPredicate(format: "(a + 1) * 2 > b - 3 - 4")
        == .comparison(
          Comparison(
            .arithmetic(
              .multiply, .arithmetic(.add, .keyPath("a"), .constant(1)), .constant(2)),
            .greater,
            .arithmetic(
              .subtract, .arithmetic(.subtract, .keyPath("b"), .constant(3)), .constant(4)))))
    #expect(
      try FetchPredicate(format: "SELF IN $ids AND SELF.age == $age")
        == .and([
          .comparison(Comparison(.subject, .isIn, .variable("ids"))),
          .comparison(Comparison(.keyPath("age"), .equal, .variable("age"))),
        ]))
  }

  @Test func placeholdersTakeArguments() throws {
    let id = UUID()
    let predicate = try FetchPredicate(
      format: "%K == %@ AND a > %d AND b < %lf AND c IN %@ AND d == %@ AND e == '%@' AND %K > 0",
      "owner.id", id, 5, 1.5, [1, 2], nil as String?, "pets.@count")
    #expect(
      predicate
        == .and([
          .equals("owner.id", id), .compare("a", .greater, 5), .compare("b", .less, 1.5),
          .compare("c", .isIn, [1, 2]), .equals("d", Value.null), .equals("e", "%@"),
          .comparison(.init(.count(["pets"]), .greater, .constant(0))),
        ]))
  }

  @Test(arguments: [
    ("a == 1 AND FUNCTION(a, 'doubled:', 21) == 1", 11, "FUNCTION"),
    ("FETCH(a, b, NO) == 1", 0, "FETCH"),
    ("FUNCTION('a/path', 'lastPathComponent') == 'path'", 0, "lastPathComponent"),
    ("randomn:(3) == 1", 0, "randomn"),
    ("distanceToLocation:fromLocation:(a, b) < 3", 0, "distanceToLocation:fromLocation:"),
    ("BLOCKPREDICATE()", 0, "closure"), ("mgl_interpolate:withCurveType:(a, b) == 1", 0, "mgl_"),
    ("uppercas:(a) == 'A'", 0, "uppercase:("),
    ("name ==[l] 'a'", 8, "[l]"), ("pets.@medianOf.age == 1", 0, "medianOf"),
    ("pets.@distinctUnionOfObject.age == 1", 0, "distinctUnionOfObjects"),
    ("pets.@avg == 1", 0, "pets.@avg.age"), ("pets.@count.age == 1", 0, "@count"),
    ("pets.@max.@min.age == 1", 0, "two operators"),
    ("a UTI-CONFORMS-TO 'b'", 2, "UTI"), ("$x := 3", 3, ":="), ("ANYKEY == 3", 0, "ANYKEY"),
    ("tags['color'] == 'red'", 5, "dictionary"), ("chapters[count:(chapters) - 1] == 1", 9, "LAST"),
    ("$a[0] > 1", 2, "variable"), ("SUBQUERY(a, $x, $x == 1)[FIRST] == 1", 0, "order"),
    ("CAST(a, 'NSUUID') == b", 0, "NSUUID"), ("CAST(a, 'UIColor') == b", 8, "NSString"),
    ("chapters[0].notes.@count == 1", 0, "names"),
  ])
  func namesThePartsThatItDoesNotSupport(format: String, position: Int, name: String) {
    let error = refusal(format)
    #expect(error?.position == position)
    #expect(error?.detail.contains(name) == true, "\(error?.description ?? "")")
    #expect(error?.code == .unsupported)
  }

  @Test(arguments: [
    "", "a", "a ==", "== 1", "a == 1 b", "a == 'x", "(a == 1", "a == 1)", "a == 1 AND", "NOT",
    "a IN {1, 2", "a == 12x", "a == 99999999999999999999", "a BETWEEN", "ANY a",
    "(a == 1) + 2 == 3",
    "a == (b == 1)", "a AND b", "in == 1", "a == #", "a.  == 1", "a ==[x] 1", "a == 0x",
    "a == \u{7f}",
    "a == '\\u12'", "$ == 1", "a == 1 = 2", "a == 1 % 2", "abs:() == 1", "now(1) == 1",
    "add:to:(1) == 2",
    "SUBQUERY(a, b, TRUEPREDICATE) == 1", "SUBQUERY(1, $x, TRUEPREDICATE) == 1",
    "SUBQUERY(a, $x) == 1",
    "TERNARY(a, 1, 2) == 1", "TERNARY(a == 1, 2) == 1", "CAST(a) == 1", "a[ == 1", "a[SIZE].b == 1",
    "FUNCTION(a, b) == 1", "a == 1 & b == 2", "(a == 1) & (b == 2)", "(a == 1) | (b == 2)",
  ])
  func refusesFormatsThatBreakTheGrammar(format: String) {
    let error = refusal(format)
    #expect(error?.code == .syntax, "\(error?.description ?? "")")
    #expect(error?.position != nil)
  }

  @Test func refusesArgumentsThatDoNotFit() {
    #expect(refusal("a == %@")?.code == .arguments)
    #expect(refusal("a == %@", 1, 2)?.code == .arguments)
    #expect(refusal("a == %d", "1")?.code == .arguments)
    #expect(refusal("%K == 1", 1)?.code == .arguments)
    #expect(refusal("%K == 1", "a..b")?.code == .arguments)
    #expect(refusal("%K == 1", "$single")?.code == .arguments)
    #expect(refusal("a > %@", 1...2)?.code == .arguments)
    #expect(refusal("ANY a.b IN %@", 1.0..<2.0)?.code == .arguments)
  }

  @Test(
    arguments: [
      (1...5, "a BETWEEN {1, 5}"), (1..<5, "a BETWEEN {1, 4}"), (1..., "a >= 1"), (...5, "a <= 5"),
      (..<5, "a <= 4"), (1.5..<2.5, "a >= 1.5 AND a < 2.5"), ("a"..<"c", "a >= 'a' AND a < 'c'"),
      ("a"..., "a >= 'a'"), (..<"c", "a < 'c'"),
    ] as [(any Sendable, String)])
  func rangesAreArgumentsOfInAndBetween(range: any Sendable, expected: String) throws {
    #expect(try FetchPredicate(format: "a IN %@", range) == FetchPredicate(format: expected))
    #expect(try FetchPredicate(format: "a BETWEEN %@", range) == FetchPredicate(format: expected))
  }

  @Test(arguments: [
    "(", "NOT ", "a == -", "{", "a == 1 + (", "!", "a == ~", "abs:(", "a == TERNARY(",
  ])
  func deepNestingIsRefusedBeforeTheStackOverflows(part: String) {
    let error = refusal(String(repeating: part, count: 50_000) + "a")
    #expect(error?.code == .tooDeep || error?.code == .syntax)
  }

  /// Threads other than the first have small stacks on some systems.
  @Test func theDeepestNestingAllowedFitsASmallStack() {
    let finished = DispatchSemaphore(value: 0)
    let failures = Guarded<[String]>([])
    let thread = Thread {
      defer { finished.signal() }
      for (part, count) in [("(", 49), ("NOT ", 49), ("!(", 24)] {
        let closing = part.contains("(") ? ")" : ""
        let format =
          String(repeating: part, count: count) + "age == (1 + 2)"
          + String(repeating: closing, count: count)
        do {
          _ = try TestModel.holds(format, for: Node("Person"))
        } catch {
          failures.withLock { $0.append("\(part): \(error)") }
        }
      }
    }
    thread.stackSize = 1024 * 1024
    thread.start()
    finished.wait()
    #expect(failures.withLock(\.self) == [])
  }

  @Test func longChainsOfOperationsAreRefusedBeforeTheStackOverflows() {
    let error = refusal("a == 1" + String(repeating: " + 1", count: 50_000))
    #expect(error?.code == .tooDeep)
  }

  @Test func longListsOfConditionsAreFlat() throws {
    let format = Array(repeating: "a == 1", count: 5_000).joined(separator: " OR ")
    guard case .or(let parts) = try FetchPredicate(format: format) else {
      Issue.record("The predicate is not a disjunction.")
      return
    }
    #expect(parts.count == 5_000)
  }

  @Test func valuesWithoutALiteralAreRenderedAsCasts() throws {
    let values: [Value] = [
      .date(Date(timeIntervalSinceReferenceDate: 0.1)), .data(Data([0, 255])), .uuid(UUID()),
      .decimal(Decimal(string: "1.05")!), .url(URL(string: "https://example.org/a?b=c")!),
      .double(.infinity), .string("a\"\\\n\u{301}"), .integer(.min), .double(1e300), .double(5),
    ]
    for value in values {
      let predicate = FetchPredicate.equals("a", value)
      #expect(try FetchPredicate(format: predicate.predicateFormat) == predicate)
    }
  }

  /// The error with which a format is refused; nil if it is accepted.
  private func refusal(_ format: String, _ arguments: Any?...)
    -> FetchPredicateError?
  {
    do throws(FetchPredicateError) {
      _ = try FetchPredicate(format: format, argumentArray: arguments)
      return nil
    } catch {
      return error
    }
  }

  @Test func aKeyPathFromAVariableIsSubstitutedAsAWhole() throws {
    let predicate = try FetchPredicate(format: "name == $x.owner.name AND age > $y")
    #expect(predicate.variableNames == ["x.owner.name", "y"])
    let whole = predicate.substituting(["x.owner.name": "Ann", "y": 3])
    #expect(try whole == FetchPredicate(format: "name == 'Ann' AND age > 3"))
    #expect(throws: FetchPredicateError.self) { try FetchPredicate(format: "name == $x.") }
  }
}
