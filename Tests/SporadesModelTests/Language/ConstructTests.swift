// SPDX-License-Identifier: MIT
import Foundation
import SporadesModel
import Testing

/// What the constructs of the language mean, object by object.
@Suite struct ConstructTests {
  /// Ada has three pets: Rex, who is 2 years old and has two toys; Émile, 5 years old; and one without name and age.
  private func ada() -> Node {
    let ada = Node(
      "Person", 1,
      [
        "name": "Ada", "age": 30, "height": 1.5, "isActive": true,
        "funds": .decimal(Decimal(string: "0.1") ?? 0),
        "born": .date(Date(timeIntervalSinceReferenceDate: 86_399.5)),
      ])
    let rex = Node("Pet", 2, ["name": "Rex", "age": 2])
    let emile = Node("Pet", 3, ["name": "Émile", "age": 5])
    let other = Node("Pet", 4)
    rex.links["toys"] = [Node("Toy", 5, ["price": 7]), Node("Toy", 6, ["price": 7])]
    ada.links["pets"] = [rex, emile, other]
    for pet in [rex, emile, other] { pet.links["owner"] = [ada] }
    return ada
  }

  @Test(arguments: [
    ("modulus:by:(age, 7) == 2", true), ("modulus:by:(age, 0) == nil", true),
    ("modulus:by:(0 - age, 7) == -2", true), ("2 ** 10 == 1024", true),
    ("age ** 2 == 900", true), ("2 ** 63 == 9223372036854775808.0", true),
    ("2 ** -1 == 0.5", true), ("(0 - 8) ** 0.5 == nil", true), ("age & 6 == 6", true),
    ("age | 1 == 31", true), ("age ^ 31 == 1", true), ("age << 1 == 60", true),
    ("age >> 1 == 15", true), ("1 << 64 == 0", true), ("height & 1 == nil", true),
    ("~age == -31", true), ("funds + 0.2 == 0.3", true),
    ("abs:(0 - age) == 30", true), ("floor:(height) == 1", true), ("ceiling:(height) == 2", true),
    ("trunc:(0 - height) == -1", true), ("sqrt:(age - 5) == 5", true),
    ("sqrt:(0 - age) == nil", true), ("ln:(0) == nil", true), ("log:(100) == 2", true),
    ("exp:(0) == 1", true), ("length:(name) == 3", true), ("uppercase:(name) == 'ADA'", true),
    ("lowercase:(name) == 'ada'", true), ("canonical:('Émile') == 'emile'", true),
    ("length:(nil) == nil", true), ("max:({age, 18}) == 30", true),
    ("min:({age, nil}) == 30", true),
    ("sum:({age, height}) == 31.5", true), ("average:({1, 2}) == 1.5", true),
    ("count:({1, nil, 3}) == 2", true), ("median:({5, 1, 3}) == 3", true),
    ("median:({1, 2}) == 1.5", true), ("mode:({2, 1, 2}) == 2", true),
    ("stddev:({2, 4}) == 1", true), ("max:(pets.age) == 5", true), ("count:(pets.age) == 2", true),
    ("max:({}) == nil", true), ("sum:({}) == 0", true),
    ("TERNARY(age > 18, 'adult', 'child') == 'adult'", true),
    ("TERNARY(name == nil, 1, age) == 30", true), ("CAST(age, 'NSString') == '30'", true),
    ("CAST('12', 'NSNumber') == 12", true), ("CAST('x', 'NSNumber') == nil", true),
    ("CAST(born, 'NSNumber') == 86399.5", true), ("noindex:(age) == 30", true),
  ])
  func functionsCompute(format: String, expected: Bool) throws {
    #expect(try TestModel.holds(format, for: ada()) == expected)
  }

  @Test(arguments: [
    ("SUBQUERY(pets, $p, $p.age > 1).@count == 2", true),
    ("SUBQUERY(pets, $p, $p.age == nil).@count == 1", true),
    ("SUBQUERY(pets, $p, $p.age > 2 AND $p.owner == SELF).@count == 1", true),
    ("SUBQUERY(pets, $p, $p.name == 'Rex' AND name == 'Ada').@count == 1", true),
    ("SUBQUERY(pets, $p, SUBQUERY($p.toys, $t, $t.price > $p.age).@count == 2).@count == 1", true),
    ("SUBQUERY(pets, $p, ANY $p.toys.price == 7).@count == 1", true),
    ("SUBQUERY(pets, $p, $p.age > 1).@max.age == 5", true),
    ("ANY SUBQUERY(pets, $p, $p.age > 3).name ==[d] 'Emile'", true),
    ("ALL SUBQUERY(pets, $p, $p.age > 9).name == 'x'", true),
    ("'Rex' IN SUBQUERY(pets, $p, $p.age > 3).name", false),
    ("pets.toys.@distinctUnionOfObjects.price.@count == 1", true),
    ("pets.@unionOfObjects.name.@count == 2", true),
    ("'Rex' IN pets.name UNION {'Max'}", true), ("'Max' IN pets.name UNION {'Max'}", true),
    ("'Max' IN pets.name INTERSECT {'Max'}", false), ("'Rex' IN pets.name MINUS {'Rex'}", false),
    ("'Rex' IN pets.name MINUS {'Max'}", true), ("name IN 'Ada and Max'", true),
    ("name IN[c] 'ADA'", true), ("ANY pets.name IN 'Rex and Max'", true),
    ("NOT boss.name IN 'x'", true),
  ])
  func collectionsSelect(format: String, expected: Bool) throws {
    #expect(try TestModel.holds(format, for: ada()) == expected)
  }

  /// A subquery computes a value of each member, and a function makes one of them.
  @Test(arguments: [
    (
      "sum:(SUBQUERY(pets, $p, TRUEPREDICATE, $p.age * 2)) == 10 + sum:(SUBQUERY(pets, $p, $p.age != 5, $p.age * 2))",
      true
    ),
    ("max:(SUBQUERY(pets, $p, $p.age > 1, $p.age + 1)) == 6", true),
    ("SUBQUERY(pets, $p, $p.age > 1, $p.age + 1).@count > 0", true),
    ("ANY SUBQUERY(pets, $p, TRUEPREDICATE, uppercase:($p.name)) == 'REX'", true),
    ("6 IN SUBQUERY(pets, $p, TRUEPREDICATE, $p.age + 1)", true),
    ("sum:(SUBQUERY(pets, $p, FALSEPREDICATE, $p.age + 1)) == 0", true),
  ])
  func subqueriesComputeAValueOfEachMember(format: String, expected: Bool) throws {
    #expect(try TestModel.holds(format, for: ada()) == expected)
    let predicate = try FetchPredicate(format: format)
    #expect(try FetchPredicate(format: predicate.predicateFormat) == predicate)
  }

  @Test(arguments: [
    ("trim:('  a b \n') == 'a b'", true), ("trim:(' ') == ''", true),
    ("prefix:('Grüße', 3) == 'Grü'", true), ("prefix:('ab', 9) == 'ab'", true),
    ("prefix:('ab', -1) == ''", true), ("suffix:('Grüße', 2) == 'ße'", true),
    ("substring:('abcdef', 2, 3) == 'cde'", true), ("substring:('abc', 9, 1) == ''", true),
    ("replace:('a-b-c', '-', '') == 'abc'", true), ("replace:('abc', '', 'x') == 'abc'", true),
    ("concat:('a', 'b') == 'ab'", true), ("concat:('a', '-', name, '!') == 'a-Ada!'", true),
    ("prefix:(name, 1) ==[c] 'a'", true), ("concat:(name, nil) == nil", true),
    ("prefix:(name, nil) == nil", true), ("length:(concat:(name, name)) == 6", true),
    ("replace:(name, 'd', boss.name) == nil", true),
    ("concat:(CAST(3 + 4, 'NSString'), 'x') == '7x'", true),
  ])
  func textsArePartedAndPutTogether(format: String, expected: Bool) throws {
    #expect(try TestModel.holds(format, for: ada()) == expected)
    let predicate = try FetchPredicate(format: format)
    #expect(try FetchPredicate(format: predicate.predicateFormat) == predicate)
  }

  @Test(arguments: [
    (
      "SUBQUERY(pets, $p, SUBQUERY($p.toys, $p, TRUEPREDICATE).@count == 1).@count == 1",
      FetchPredicateError.Code.wrongOperands
    ),
    ("SUBQUERY(boss, $p, TRUEPREDICATE).@count == 1", .notToMany),
    ("SUBQUERY(pets, $p, $q.age == 1).@count == 1", .unboundVariable),
    ("SUBQUERY(pets, $p, $p.agee == 1).@count == 1", .unknownKeyPath),
    ("SUBQUERY(pets, $p, TRUEPREDICATE).name == 'Rex'", .needsQuantifier),
    ("pets[FIRST].name == 'Rex'", .unsupported), ("boss[FIRST] == nil", .notToMany),
    ("random() == 1", .unsupported), ("length:(age) == 1", .wrongOperands),
    ("sqrt:(name) == 1", .wrongOperands), ("max:({1, 'a'}) == 1", .wrongOperands),
    ("max:(age) == 1", .notToMany), ("sum:(pets.name) == 1", .wrongOperands),
    ("TERNARY(age > 1, 'a', 1) == 1", .wrongOperands),
    ("CAST(uid, 'NSDate') == nil", .wrongOperands),
    ("born + born == nil", .wrongOperands), ("born * 2 == nil", .wrongOperands),
    ("age IN 1 UNION {2}", .notToMany), ("prefix:(age, 1) == 'a'", .wrongOperands),
    ("prefix:(name, 'a') == 'a'", .wrongOperands), ("concat:(name, 3) == 'a'", .wrongOperands),
    ("startOfDay:(name) == nil", .wrongOperands),
    ("SUBQUERY(pets, $p, TRUEPREDICATE, $p.age).@max.age == 1", .unsupported),
    ("SUBQUERY(pets, $p, TRUEPREDICATE, {1, 2}).@count == 1", .wrongOperands),
    ("sum:(SUBQUERY(pets, $p, TRUEPREDICATE, $p.name)) == 1", .wrongOperands),
  ])
  func refusesConstructsWithoutAMeaning(format: String, code: FetchPredicateError.Code) throws {
    #expect(TestModel.refusal(try FetchPredicate(format: format)) == code)
  }

  @Test func theMomentIsOneForAllSubjects() throws {
    let predicate = FetchPredicate.comparison(
      .init(
        .arithmetic(.subtract, .function(.now, []), .keyPath("born")), .greater,
        .constant(.integer(0))))
    let moment = Date(timeIntervalSinceReferenceDate: 90_000)
    let pinned = try #require(predicate.substitutingMoment(moment))
    #expect(try PredicateEvaluator(pinned, in: ada().entity, TestModel.model).matches(ada()))
    #expect(pinned.substitutingMoment(moment) == nil)
  }

  @Test func theVariableOfASubqueryNeedsNoValue() throws {
    let predicate = FetchPredicate.comparison(
      .init(
        .subquery(
          ["pets"], "p", .comparison(.init(.keyPath(["$p", "age"]), .greater, .variable("AGE"))),
          .count), .equal, .constant(.integer(1))))
    #expect(predicate.variableNames == ["AGE"])
    let bound = predicate.substituting(["AGE": 3, "p": 9])
    #expect(try PredicateEvaluator(bound, in: ada().entity, TestModel.model).matches(ada()))
  }

  @Test func aClosureOfTheProgramIsRefusedWhereAStoreWouldAnswer() {
    #expect(TestModel.refusal(FetchPredicate { _ in true }) == .unsupported)
  }

  @Test func keyPathsOfVariablesBeginAtTheFetchedObject() throws {
    let format =
      "SUBQUERY(pets, $p, ANY $p.toys.price > age AND $p.owner.boss.name == 'x').@count > 0"
    var paths: Set<[String]> = []
    try FetchPredicate(format: format).forEachKeyPath { paths.insert($0) }
    #expect(
      paths == [
        ["pets"], ["pets", "toys", "price"], ["age"], ["pets", "owner", "boss", "name"],
      ])
  }

  // MARK: - Dates

  @Test func datePartsAreThoseOfTheCalendarInUTC() throws {
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = try #require(TimeZone(identifier: "UTC"))
    var seconds = -6.0e10
    while seconds < 6.0e10 {
      let date = Date(timeIntervalSinceReferenceDate: seconds)
      let parts = calendar.dateComponents(
        [.year, .month, .day, .hour, .minute, .second, .weekday], from: date)
      let found = [
        FetchFunction.year, .month, .day, .hour, .minute, .second, .weekday,
      ].map { $0.apply(.date(date)) }
      let expected = [
        parts.year, parts.month, parts.day, parts.hour, parts.minute, parts.second, parts.weekday,
      ].map { Value.integer(Int64($0 ?? -1)) }
      // The calendar of Foundation is Julian before 1582-10-15.
      if seconds > -1.32e10 { #expect(found == expected, "\(date)") }
      seconds += 86_400 * 97.123
    }
    #expect(FetchFunction.year.apply(.date(Date(timeIntervalSinceReferenceDate: .nan))) == .null)
  }

  @Test func daysMonthsAndYearsBeginInUTC() throws {
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = try #require(TimeZone(identifier: "UTC"))
    var seconds = -1.3e10
    while seconds < 6.0e10 {
      let date = Date(timeIntervalSinceReferenceDate: seconds)
      for (function, part) in [
        (FetchFunction.startOfDay, Calendar.Component.day), (.startOfMonth, .month),
        (.startOfYear, .year),
      ] {
        let start = try #require(calendar.dateInterval(of: part, for: date)?.start)
        #expect(function.apply(.date(date)) == .date(start), "\(function) of \(date)")
      }
      seconds += 86_400 * 13.123
    }
  }

  @Test func datesMoveByTheLastBit() {
    let start = Date(timeIntervalSinceReferenceDate: 0.1)
    #expect(
      ArithmeticOperator.add.apply(.date(start), .double(0.2))
        == .date(Date(timeIntervalSinceReferenceDate: 0.1 + 0.2)))
    #expect(
      ArithmeticOperator.subtract.apply(.date(start), .date(start)) == .double(0))
    #expect(ArithmeticOperator.multiply.apply(.date(start), .integer(2)) == .null)
  }
}
