// SPDX-License-Identifier: MIT
import Foundation
import SporadesModel
import Testing

/// What a format reads as, told by the format that the tree prints. The formats are those of other projects' tests
/// and programs: GNUstep, Cappuccino, mySTEP, Foundation, and apps that use Core Data.
@Suite struct FormatSpellingTests {
  /// A format and the format that its tree prints; nil where both are the same.
  typealias Spelling = (format: String, printed: String?)

  static let comparisons: [Spelling] = [
    ("a = 1", "a == 1"), ("a <> 1", "a != 1"), ("a =< 1", "a <= 1"), ("a => 1", "a >= 1"),
    ("1 == 1", nil), ("'a' == 'b'", "\"a\" == \"b\""), ("40.5 > Record.Age", nil),
    ("isMale == yes", "isMale == TRUE"), ("isMale == no", "isMale == FALSE"),
    ("isMale == False", "isMale == FALSE"), ("name == NULL", "name == nil"),
    ("self beginswith 'aaa'", "SELF BEGINSWITH \"aaa\""),
    ("name like[c] 'prefix?suffix'", "name LIKE[c] \"prefix?suffix\""),
    ("'hello' MATCHES 'hel{2}o'", "\"hello\" MATCHES \"hel{2}o\""),
    ("a CONTAINS \"\"", nil), ("$x CONTAINS 'a'", "$x CONTAINS \"a\""),
    ("'b' IN 'abc'", "\"b\" IN \"abc\""), ("'a' IN list", "\"a\" IN list"),
    ("1 BETWEEN { 0 , 33 }", "1 BETWEEN {0, 33}"),
    ("$INPUT BETWEEN { $LOWER, $UPPER }", "$INPUT BETWEEN {$LOWER, $UPPER}"),
    ("Any kids == 'Ann'", "ANY kids == \"Ann\""), ("SOME kids.age > 3", "ANY kids.age > 3"),
    ("NONE kids.age > 3", "NOT ANY kids.age > 3"), ("ALL kids.age < 18", nil),
    ("SELF IN {1}", nil), ("SELF.age > 1", "age > 1"), ("SELF == $owner", nil),
    ("(age) > 1", "age > 1"), ("((age > 1))", "age > 1"),
    ("NOT(1 < 0)", "NOT 1 < 0"), ("!(1 < 0)", "NOT 1 < 0"),
    ("(1 < 0) || TRUEPREDICATE", "1 < 0 OR TRUEPREDICATE"),
    ("(a == 1 or b == 2) and c == 3", "(a == 1 OR b == 2) AND c == 3"),
    ("NOT NOT a == 1", nil),
  ]

  static let operations: [Spelling] = [
    ("SELF +1 = 3", "SELF + 1 == 3"), ("x- 1 = 1", "x - 1 == 1"), ("x/2 = 1", "x / 2 == 1"),
    ("x** 3 = 8", "x ** 3 == 8"), ("a - b - c == 0", "(a - b) - c == 0"),
    ("a - (b - c) == 0", nil), ("a + b * c == 0", "a + (b * c) == 0"),
    ("2 ** 3 ** 2 == 64", "(2 ** 3) ** 2 == 64"), ("-a == 1", "0 - a == 1"),
    ("a * -1 == 1", "a * (-1) == 1"), ("1 << 3 == 8", nil), ("8 >> 2 == 2", nil),
    ("flags & 4 == 4", nil), ("2 | 1 == 3", nil), ("2 ^ 1 == 3", nil),
    ("1 | 2 & 3 == 3", "1 | (2 & 3) == 3"), ("1 + 2 << 3 == 24", "(1 + 2) << 3 == 24"),
    ("~(1) == 0", "onesComplement:(1) == 0"),
    ("~~a == a", "onesComplement:(onesComplement:(a)) == a"),
    ("age %% 2 == 0", "modulus:by:(age, 2) == 0"),
    ("name like 'b' + $b + $c", "name LIKE (\"b\" + $b) + $c"),
    ("'x' IN (kids.name UNION {'b'})", "\"x\" IN kids.name UNION {\"b\"}"),
    ("x IN a.name UNION b.name MINUS c.name", "x IN (a.name UNION b.name) MINUS c.name"),
    ("x IN a.name INTERSECT {1, 2}", nil),
  ]

  static let functions: [Spelling] = [
    ("multiply:by:(5,3) = 15", "5 * 3 == 15"), ("add:to:(5,3) = 8", "5 + 3 == 8"),
    ("from:subtract:(5,3) = 2", "5 - 3 == 2"), ("divide:by:(a,b) = 2", "a / b == 2"),
    ("modulus:by:(17, 5) == 2", nil), ("raise:toPower:(2, 3) == 8", "2 ** 3 == 8"),
    ("bitwiseAnd:with:(a, 4) != 0", "a & 4 != 0"), ("bitwiseOr:with:(a, 4) != 0", "a | 4 != 0"),
    ("bitwiseXor:with:(a, 4) != 0", "a ^ 4 != 0"), ("leftshift:by:(a, 4) > 1", "a << 4 > 1"),
    ("rightshift:by:(a, 4) > 1", "a >> 4 > 1"), ("abs:(a) == 1", nil),
    ("ABS(a) == 1", "abs:(a) == 1"),
    ("ceil(a) == 1", "ceiling:(a) == 1"), ("FLOOR(a) == 1", "floor:(a) == 1"),
    ("trunc:(a) == 1", nil),
    ("sqrt:(16) + abs:(-2) == 6", nil), ("ln:(a) > log:(b)", nil), ("exp:(a) > 1", nil),
    ("LENGTH(name) > 3", "length:(name) > 3"),
    ("lowercase:(name) == 'a'", "lowercase:(name) == \"a\""),
    ("UPPERCASE(name) == 'A'", "uppercase:(name) == \"A\""),
    ("canonical:(name) == 'a'", "canonical:(name) == \"a\""), ("born < NOW()", "born < now()"),
    ("noindex:(name) == 'a'", "noindex:(name) == \"a\""), ("random() > 0", nil),
    ("sum:(1,1) = 2", "sum:({1, 1}) == 2"), ("sum:(books.pages) > 1000", nil),
    ("average:({1, 2, a}) > 2", nil), ("avg(books.pages) > 2", "average:(books.pages) > 2"),
    ("median:({5, 1, 3}) == 3", nil), ("mode:({5, 5, 3}) == 5", nil),
    ("stddev:(books.pages) > 1", nil),
    ("max:(a, b) == a", "max:({a, b}) == a"), ("min:({a, b}) == a", nil),
    ("count:(pets) == 3", nil),
    ("FUNCTION('a', 'uppercase') == 'A'", "uppercase:(\"a\") == \"A\""),
    ("FUNCTION(a, \"pow:\", 3) == 8", "a ** 3 == 8"),
    ("FUNCTION(born, 'dateByAddingTimeInterval:', 60) < now()", "born + 60 < now()"),
    ("year:(born) == 1970 AND month:(born) == 1", nil),
    ("weekday(born) == 1", "weekday:(born) == 1"),
    ("TERNARY(name == 'poems', 1, 0) == 1", "TERNARY(name == \"poems\", 1, 0) == 1"),
    ("CAST(0, 'NSDate') < born", "CAST(0.0, \"NSDate\") < born"),
    ("CAST(age, 'NSString') == '3'", "CAST(age, \"NSString\") == \"3\""),
    ("castObject:toType:(age, 'NSString') == '3'", "CAST(age, \"NSString\") == \"3\""),
    ("CAST(now(), 'NSNumber') > 1", "CAST(now(), \"NSNumber\") > 1"),
    (
      "born > CAST(CAST(now(), 'NSNumber') - 60, 'NSDate')",
      "born > CAST(CAST(now(), \"NSNumber\") - 60, \"NSDate\")"
    ),
    ("indexed:by:(latitude, 'byPlace') > 3", "indexed:by:(latitude, \"byPlace\") > 3"),
  ]

  static let collections: [Spelling] = [
    ("a.@count == 3", nil), ("pets[SIZE] = 3", "pets.@count == 3"),
    (
      "@sum.items.price < 1000",
      "items.@sum.price < 1000"
    ), ("items.@avg.price < 1000", nil),
    ("chapters[  FIRST ].title = 'A'", "chapters[FIRST].title == \"A\""),
    ("chapters[last] == $c", "chapters[LAST] == $c"),
    (
      "chapters[1].title == 'B'",
      "chapters[1].title == \"B\""
    ), ("(SELF.chapters)[0] == $c", "chapters[0] == $c"),
    ("objectFrom:withIndex:(chapters, FIRST) == $c", "chapters[FIRST] == $c"),
    ("SUBQUERY(books, $b, $b.pages > 400).@count >= 2", nil),
    (
      "SUBQUERY(SELF.books, $b, $b.pages > $min).@count == 1",
      "SUBQUERY(books, $b, $b.pages > $min).@count == 1"
    ),
    (
      "SUBQUERY(kids, $x, $x BEGINSWITH 'Kid')[SIZE] = 2",
      "SUBQUERY(kids, $x, $x BEGINSWITH \"Kid\").@count == 2"
    ),
    ("SUBQUERY(messages, $t, ANY $t.labels.id == $id).@count != 0", nil),
    (
      "SUBQUERY(favorites,$favorite,$favorite.isHidden == false).@count > 0",
      "SUBQUERY(favorites, $favorite, $favorite.isHidden == FALSE).@count > 0"
    ),
    (
      "SUBQUERY(legalities,$l, $l.legality == 'L' AND $l.format IN {'a'}).@count > 0",
      "SUBQUERY(legalities, $l, $l.legality == \"L\" AND $l.format IN {\"a\"}).@count > 0"
    ),
    (
      "SUBQUERY(pets, $p, $p.age > SELF.age AND SUBQUERY($p.toys, $t, $t.price > $p.age).@count > 1).@max.age > 3",
      "SUBQUERY(pets, $p, $p.age > age AND SUBQUERY($p.toys, $t, $t.price > $p.age).@count > 1).@max.age > 3"
    ),
    (
      "ANY SUBQUERY(pets, $p, $p.age > 3).name == 'Rex'",
      "ANY SUBQUERY(pets, $p, $p.age > 3).name == \"Rex\""
    ),
    ("'a' IN pets.@distinctUnionOfObjects.name", "\"a\" IN pets.@distinctUnionOfObjects.name"),
    ("pets.@distinctUnionOfObjects.name.@count > 1", nil),
    ("pets.@distinctUnionOfObjects.age.@max.self > 1", "pets.@distinctUnionOfObjects.age.@max > 1"),
    ("ANY pets.@unionOfSets.toys == $t", "ANY pets.@unionOfObjects.toys == $t"),
    ("#in == 1 AND #first.last == 2", "#in == 1 AND #first.last == 2"),
    ("first == 1", "#first == 1"), ("été.größe == 1", nil),
  ]

  @Test(arguments: comparisons + operations + functions + collections)
  func readsAndPrints(spelling: Spelling) throws {
    let format = spelling.format
    let predicate = try FetchPredicate(format: format)
    #expect(predicate.predicateFormat == spelling.printed ?? format)
    #expect(try FetchPredicate(format: predicate.predicateFormat) == predicate)
  }
}
