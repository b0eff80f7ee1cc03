// SPDX-License-Identifier: MIT
import SporadesModel
import Testing

/// What formats of other projects' tests answer: GNUstep, Cappuccino, mySTEP, and programs that test Foundation.
@Suite struct FormatAnswerTests {
  /// John, 34, has two pets; his boss Mary, 30, has two as well, one of them with the name of one of his.
  private let john: Node = {
    let john = Node("Person", 1, ["name": "John", "age": 34, "height": 1.5, "isActive": true])
    let mary = Node("Person", 2, ["name": "Mary", "age": 30, "isActive": false])
    func pet(_ key: Int64, _ name: String, _ age: Int64) -> Node {
      Node("Pet", key, ["name": .string(name), "age": .integer(age)])
    }
    john.links["boss"] = [mary]
    john.links["pets"] = [pet(1, "Kid1", 2), pet(2, "Kid2", 5)]
    mary.links["pets"] = [pet(3, "Kid1", 1), pet(4, "Girl1", 3)]
    return john
  }()

  @Test(arguments: [
    ("1 == 1", true), ("2 => 1", true), ("1 =< 2", true), ("1 <> 2", true), ("1 << 3 > 1", true),
    ("1 << 3 == 8", true), ("8 >> 2 == 2", true), ("8 >> 1 == 4", true), ("1 & 0 == 0", true),
    ("2 & 1 == 0", true), ("1 | 0 == 1", true), ("2 | 1 == 3", true), ("1 ^ 1 == 0", true),
    ("2 ^ 1 == 3", true), ("~(0) == -1", true), ("(1 < 0) || (1 > 0)", true),
    ("(1 < 0) && (1 > 0)", false), ("NOT(1 < 0)", true), ("!(1 < 0)", true),
    ("(1 < 0) || TRUEPREDICATE", true), ("(1 < 0) || FALSEPREDICATE", false),
    ("multiply:by:(5,3) = 15", true), ("sum:(1,1) = 2", true), ("3*5+2 == 17", true),
    ("2 ** 10 == 1024", true), ("modulus:by:(17, 5) == 2", true),
    ("sqrt:(16) + abs:(-2) == 6", true),
    ("average:({1, 2, 3, 4}) == 2.5", true), ("median:({5, 1, 3}) == 3", true),
    ("17 %% 5 == 2", true),
    ("max:(1.5, 2.5) == 2.5", true), ("min:({3, 1}) == 1", true), ("count:({1, 2, 3}) == 3", true),
    ("ceiling:(1.2) == 2 AND floor:(1.8) == 1 AND trunc:(-1.8) == -1", true),
    ("TERNARY(name == 'John', 1, 0) == 1", true), ("FUNCTION(age, 'pow:', 2) == 1156", true),
  ])
  func numbersAreComputed(format: String, expected: Bool) throws {
    #expect(try TestModel.holds(format, for: john) == expected)
  }

  @Test(arguments: [
    ("'AABBBAA' CONTAINS 'BBB'", true), ("'BBB' IN 'AABBBAA'", true), ("name IN 'xJohny'", true),
    ("'hello' BEGINSWITH 'he'", true), ("'Hello' BEGINSWITH 'he'", false),
    ("'Hello' BEGINSWITH[cd] 'he'", true), ("'HELLO' ENDSWITH[cd] 'llo'", true),
    ("'HELLO' CONTAINS[cd] 'll'", true), ("'hello' LIKE 'hel*o'", true),
    ("'heo' LIKE 'hel*o'", false),
    ("'helo' LIKE 'hel?o'", false), ("'hello' LIKE 'hel?o'", true),
    ("'HELLO' LIKE[cd] 'hello'", true),
    ("'prefixxsuffix' like[c] 'prefix?suffix'", true), ("'hello' MATCHES 'hel{2}o'", true),
    ("'heo' MATCHES 'he[l]*o'", true), ("'hello' == 'hel?o'", false), ("'helllo' != 'hel*o'", true),
    ("name MATCHES[c] 'john'", true), ("name BEGINSWITH 'Jo'", true), ("name ENDSWITH 'hn'", true),
    ("name CONTAINS ''", true), ("name == 'John' AND boss.name == 'Mary'", true),
    ("UPPERCASE(name) == 'JOHN'", true), ("FUNCTION('a', 'uppercase') == 'A'", true),
    ("lowercase:(name) == 'john'", true), ("length:(name) == 4", true),
    ("canonical:('Émile') == canonical:('emile')", true), ("CAST(age, 'NSString') == '34'", true),
  ])
  func textsAreCompared(format: String, expected: Bool) throws {
    #expect(try TestModel.holds(format, for: john) == expected)
  }

  @Test(arguments: [
    ("age BETWEEN {20, 40}", true), ("age BETWEEN {20.0,40.0}", true), ("40.5 > age", true),
    ("age == 34 OR boss.age == 34", true), ("isActive == yes", true), ("isActive == FALSE", false),
    ("'Kid1' IN pets.name", true), ("pets.name CONTAINS 'Kid1'", true),
    ("Any boss.pets.name == 'Girl1'", true),
    ("ALL pets.name BEGINSWITH 'Kid'", true), ("NONE pets.name == 'Girl1'", true),
    ("pets.@count == 2", true), ("pets[SIZE] = 2", true), ("count:(pets) == 2", true),
    ("SUBQUERY(pets, $x, $x.name BEGINSWITH 'Kid')[SIZE] = 2", true),
    ("SUBQUERY(boss.pets, $x, $x.name BEGINSWITH 'Kid').@count == 1", true),
    ("SUBQUERY(pets, $b, $b.age > 2).@max.age == 5", true), ("pets.@sum.age == 7", true),
    ("sum:(pets.age) == 7", true), ("pets.@avg.age == 3.5", true), ("@max.pets.age == 5", true),
    ("SUBQUERY(pets, $p, $p.age > SELF.boss.age).@count == 0", true),
    ("boss.pets.@distinctUnionOfObjects.name.@count == 2", true), ("nil == uid", true),
    ("nil != name", true),
    ("ANY SUBQUERY(pets, $p, $p.age > 3).name == 'Kid2'", true),
    ("'Girl1' IN (pets.name UNION boss.pets.name)", true),
    ("'Kid1' IN (pets.name MINUS boss.pets.name)", false),
    ("'Kid1' IN (pets.name INTERSECT boss.pets.name)", true),
  ])
  func membersAreAsked(format: String, expected: Bool) throws {
    #expect(try TestModel.holds(format, for: john) == expected)
  }
}
