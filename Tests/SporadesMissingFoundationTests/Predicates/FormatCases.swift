// SPDX-License-Identifier: MIT
import Foundation

extension FormatCase {
  /// Formats that compare single values.
  static var comparisons: [FormatCase] {
    [
      .init("name == %@", ["Ann"], #"name == "Ann""#, true),
      .init("name = 'Ann'", [], #"name == "Ann""#, true),
      .init("%K == %@", ["name", "Ben"], #"name == "Ben""#, false),
      .init(
        "%K = %@ AND %K > %@", ["name", "Ann", "age", 40], #"name == "Ann" AND age > 40"#, true),
      .init("name != %@", ["Ann"], #"name != "Ann""#, false),
      .init("name <> 'Ben'", [], #"name != "Ben""#, true),
      .init("age > 3", [], "age > 3", true),
      .init("age >= 41", [], "age >= 41", true),
      .init("age => 42", [], "age >= 42", false),
      .init("age < 41", [], "age < 41", false),
      .init("age =< 41", [], "age <= 41", true),
      .init("age == %d", [41], "age == 41", true),
      .init("age == %ld", [41], "age == 41", true),
      .init("age == %lu", [UInt(41)], "age == 41", true),
      .init("age == %i", [Int32(41)], "age == 41", true),
      .init("age == %u", [UInt32(41)], "age == 41", true),
      .init("age == %li", [41], "age == 41", true),
      .init("age == %lld", [Int64(41)], "age == 41", true),
      .init("age == %x", [41], "age == 41", true),
      .init("age == %@", [NSNumber(value: 41)], "age == 41", true),
      .init("score == %f", [20.5], "score == 20.5", true),
      .init("score > %lf", [20.0], "score > 20.0", true),
      .init("score == %@", [NSNumber(value: 20.5)], "score == 20.5", true),
      .init(
        "score < %@", [NSDecimalNumber(string: "20.6")],
        #"score < CAST("20.6", "NSDecimalNumber")"#,
        true),
      .init("name == %s", ["Ann"], #"name == "Ann""#, true),
      .init("isMember == YES", [], "isMember == 1", true),
      .init("isMember == NO", [], "isMember == 0", false),
      .init("isMember = true", [], "isMember == 1", true),
      .init("isMember == %@", [true], "isMember == 1", true),
      .init("isMember == %@", [NSNumber(value: true)], "isMember == 1", true),
      .init("isMember == %d", [true], "isMember == 1", true),
      .init("isMember == 1", [], "isMember == 1", true),
      .init(
        "born < %@", [Date(timeIntervalSinceReferenceDate: 0)], #"born < CAST(0.0, "NSDate")"#, true
      ),
      .init(
        "born >= %@", [NSDate(timeIntervalSinceReferenceDate: 0)], #"born >= CAST(0.0, "NSDate")"#,
        false),
      .init(
        "id == %@", [Person.ann.id],
        #"id == CAST("29000000-0000-0000-0000-000000000000", "NSUUID")"#,
        true),
      .init("nick == nil", [], "nick == nil", false),
      .init("nick != nil", [], "nick != nil", true),
      .init("nick == NULL", [], "nick == nil", false),
      .init("nick = %@", [nil], "nick == nil", false),
      .init("nick != %@", [NSNull()], "nick != nil", true),
      .init("boss != nil", [], "boss != nil", true),
      .init("boss.boss == nil", [], "boss.boss == nil", true),
      .init("boss.name == 'Zoë'", [], #"boss.name == "Zoë""#, true),
      .init("boss.boss.name == 'x'", [], #"boss.boss.name == "x""#, false),
      .init("%K == %@", ["boss.name", "Zoë"], #"boss.name == "Zoë""#, true),
      .init("age == %@", [Level.high], "age == 2", false),
      .init("age > %@", [Level.high.rawValue], "age > 2", true),
      .init("100 > age", [], "100 > age", true),
      .init("\"Ann\" == name", [], #""Ann" == name"#, true),
      .init("age BETWEEN {40, 50}", [], "age BETWEEN {40, 50}", true),
      .init("age BETWEEN %@", [[1, 10]], "age BETWEEN {1, 10}", false),
      .init("age between {%@, %@}", [41, 42], "age BETWEEN {41, 42}", true),
      .init("SELF != nil", [], "SELF != nil", true),
      .init("self.name == 'Ann'", [], #"name == "Ann""#, true),
      .init("TRUEPREDICATE", [], "TRUEPREDICATE", true),
      .init("FALSEPREDICATE", [], "FALSEPREDICATE", false),
    ]
  }

  /// Formats that compare texts.
  static var texts: [FormatCase] {
    [
      .init("name BEGINSWITH 'A'", [], #"name BEGINSWITH "A""#, true),
      .init("name BEGINSWITH[c] %@", ["a"], #"name BEGINSWITH[c] "a""#, true),
      .init("name beginswith[cd] %@", ["ä"], #"name BEGINSWITH[cd] "ä""#, true),
      .init("name ENDSWITH %@", ["n"], #"name ENDSWITH "n""#, true),
      .init("name ENDSWITH[c] 'N'", [], #"name ENDSWITH[c] "N""#, true),
      .init("name CONTAINS[cd] %@", ["NN"], #"name CONTAINS[cd] "NN""#, true),
      .init("name contains[c] 'x'", [], #"name CONTAINS[c] "x""#, false),
      .init("name ==[c] 'ANN'", [], #"name ==[c] "ANN""#, true),
      .init("name =[cd] %@", ["änn"], #"name ==[cd] "änn""#, true),
      .init("name LIKE 'A*'", [], #"name LIKE "A*""#, true),
      .init("name like[c] %@", ["*N"], #"name LIKE[c] "*N""#, true),
      .init("name LIKE 'A?n'", [], #"name LIKE "A?n""#, true),
      .init("name MATCHES 'A.n'", [], #"name MATCHES "A.n""#, true),
      .init("name MATCHES %@", ["[a-z]+"], #"name MATCHES "[a-z]+""#, false),
      .init("name MATCHES[c] %@", ["[a-z]+"], #"name MATCHES[c] "[a-z]+""#, true),
      .init("nick CONTAINS 'nn'", [], #"nick CONTAINS "nn""#, true),
      .init("name == \"An\\\"n\"", [], #"name == "An\"n""#, false),
      .init("name.length == 3", [], "name.length == 3", true),
      .init("name.lowercaseString == 'ann'", [], #"name.lowercaseString == "ann""#, true),
      .init("uppercase:(name) == 'ANN'", [], #"uppercase:(name) == "ANN""#, true),
      .init("lowercase(name) == 'ann'", [], #"lowercase:(name) == "ann""#, true),
    ]
  }

  /// Formats with several conditions, and with arithmetic.
  static var compounds: [FormatCase] {
    [
      .init("name == 'Ann' AND age > 3", [], #"name == "Ann" AND age > 3"#, true),
      .init("name == 'Ann' && age > 50", [], #"name == "Ann" AND age > 50"#, false),
      .init("name == 'Ben' OR age > 3", [], #"name == "Ben" OR age > 3"#, true),
      .init("name == 'Ben' || age < 3", [], #"name == "Ben" OR age < 3"#, false),
      .init("NOT age > 3", [], "NOT age > 3", false),
      .init("!(age > 50)", [], "NOT age > 50", true),
      .init("not (name == %@)", ["Ben"], #"NOT name == "Ben""#, true),
      .init("NOT (age == 1 OR age == 2)", [], "NOT (age == 1 OR age == 2)", true),
      .init("age == 1 AND age == 2 AND age == 3", [], "age == 1 AND age == 2 AND age == 3", false),
      .init(
        "(age == 1 OR age == 41) AND name == 'Ann'", [],
        #"(age == 1 OR age == 41) AND name == "Ann""#, true),
      .init(
        "age == 1 OR age == 41 AND name == 'Ann'", [],
        #"age == 1 OR (age == 41 AND name == "Ann")"#,
        true),
      .init("age + 1 == 42", [], "age + 1 == 42", true),
      .init("age * 2 > score", [], "age * 2 > score", true),
      .init("age - score == 20.5", [], "age - score == 20.5", true),
      .init("age ** 2 == 1681", [], "age ** 2 == 1681", true),
      .init("(age & 1) == 1", [], "age & 1 == 1", true),
      .init("abs:(age) == 41", [], "abs:(age) == 41", true),
      .init("modulus:by:(age, 10) == 1", [], "modulus:by:(age, 10) == 1", true),
      .init(
        "TERNARY(age > 17, 'adult', 'child') == 'adult'", [],
        #"TERNARY(age > 17, "adult", "child") == "adult""#, true),
      .init("CAST(age, 'NSString') == '41'", [], #"CAST(age, "NSString") == "41""#, true),
    ]
  }

  /// Formats that ask collections.
  static var collections: [FormatCase] {
    [
      .init("name IN %@", [["Ann", "Ben"]], #"name IN {"Ann", "Ben"}"#, true),
      .init("name IN {'Ben', 'Zoë'}", [], #"name IN {"Ben", "Zoë"}"#, false),
      .init("NOT (name IN %@)", [["Ben"]], #"NOT name IN {"Ben"}"#, true),
      .init("name IN %@", [Set(["Ann"])], #"name IN {"Ann"}"#, true),
      .init("name IN %@", [NSSet(array: ["Ann"])], #"name IN {"Ann"}"#, true),
      .init("name IN %@", [NSArray(array: ["Ann"])], #"name IN {"Ann"}"#, true),
      .init("name IN %@", [NSOrderedSet(array: ["Ann"])], #"name IN {"Ann"}"#, true),
      .init("age IN %@", [[Level.high, .low]], "age IN {2, 1}", false),
      .init("name IN[c] %@", [["ANN"]], #"name IN[c] {"ANN"}"#, true),
      .init("'red' IN tags", [], #""red" IN tags"#, true),
      .init("tags CONTAINS 'red'", [], #"tags CONTAINS "red""#, true),
      .init("tags CONTAINS %@", ["green"], #"tags CONTAINS "green""#, false),
      .init("ANY tags == 'blue'", [], #"ANY tags == "blue""#, true),
      .init("ANY tags BEGINSWITH 'b'", [], #"ANY tags BEGINSWITH "b""#, true),
      .init("ANY friends.age > 30", [], "ANY friends.age > 30", true),
      .init("SOME friends.name == %@", ["Ben"], #"ANY friends.name == "Ben""#, true),
      .init("ALL friends.age > 18", [], "ALL friends.age > 18", true),
      .init("ALL friends.age > 30", [], "ALL friends.age > 30", false),
      .init("NONE friends.age < 18", [], "NOT ANY friends.age < 18", true),
      .init("ANY friends.tags == 'red'", [], #"ANY friends.tags == "red""#, true),
      .init("ANY friends.name IN %@", [["Zoë"]], #"ANY friends.name IN {"Zoë"}"#, true),
      .init("friends.@count == 2", [], "friends.@count == 2", true),
      .init("friends.@count > %d", [2], "friends.@count > 2", false),
      .init("friends[SIZE] == 2", [], "friends.@count == 2", true),
      .init("friends.@avg.age > 26", [], "friends.@avg.age > 26", true),
      .init("friends.@max.age == 33", [], "friends.@max.age == 33", true),
      .init("friends.@min.age == 20", [], "friends.@min.age == 20", true),
      .init("friends.@sum.age == 53", [], "friends.@sum.age == 53", true),
      .init("tags.@count == 0", [], "tags.@count == 0", false),
      .init("friends[0].name == 'Ben'", [], #"friends[0].name == "Ben""#, true),
      .init("friends[FIRST].name == 'Ben'", [], #"friends[FIRST].name == "Ben""#, true),
      .init("friends[LAST].name == 'Ben'", [], #"friends[LAST].name == "Ben""#, false),
      .init(
        "SUBQUERY(friends, $f, $f.age > 30).@count > 0", [],
        "SUBQUERY(friends, $f, $f.age > 30).@count > 0", true),
      .init(
        "SUBQUERY(friends, $x, $x.age > %d AND $x.name == %@).@count == 1", [18, "Ben"],
        #"SUBQUERY(friends, $x, $x.age > 18 AND $x.name == "Ben").@count == 1"#, true),
      .init(
        "ANY SUBQUERY(friends, $x, $x.age > 30).name == 'Ben'", [],
        #"ANY SUBQUERY(friends, $x, $x.age > 30).name == "Ben""#, false),
      .init(
        "SUBQUERY(friends, $x, $x.age < age).@count == 2", [],
        "SUBQUERY(friends, $x, $x.age < age).@count == 2", true),
      .init(
        "SUBQUERY(friends, $x, ANY $x.tags == 'red').@count == 1", [],
        #"SUBQUERY(friends, $x, ANY $x.tags == "red").@count == 1"#, true),
      .init("max:({age, 50}) == 50", [], "max:({age, 50}) == 50", true),
      .init(
        "friends.@distinctUnionOfObjects.name.@count == 2", [],
        "friends.@distinctUnionOfObjects.name.@count == 2", true),
    ]
  }
}
