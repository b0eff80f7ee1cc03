// SPDX-License-Identifier: MIT
import FoundationEssentials
import SporadesModel
import Testing

@Suite struct PredicateEvaluationTests {
  private func person(_ values: [String: Value] = [:]) -> Node { Node("Person", 1, values) }

  @Test(arguments: [
    ("age == nil", true), ("age != nil", false), ("age == 1", false), ("age != 1", true),
    ("age < 1", false), ("age >= 1", false), ("NOT age < 1", true), ("NOT age >= 1", true),
    ("age <= nil", false), ("age BETWEEN {0, 9}", false), ("NOT age BETWEEN {0, 9}", true),
    ("age IN {1, 2}", false), ("NOT age IN {1, 2}", true), ("age IN {1, nil}", true),
    ("NOT (age != 1)", false), ("NOT (age == 1 AND age == 2)", true),
    ("age == 1 OR NOT age == 1", true), ("name BEGINSWITH ''", false),
    ("NOT name LIKE '*'", true), ("name == name", true), ("age + 1 == nil", true),
    ("age * 0 == 0", false), ("boss == nil", true), ("boss.age == nil", true),
    ("boss.age != 3", true), ("boss.name CONTAINS 'a'", false),
  ])
  func logicIsTwoValuedWhereValuesAreNil(format: String, expected: Bool) throws {
    #expect(try TestModel.holds(format, for: person()) == expected)
  }

  @Test(arguments: [
    ("age == 5", true), ("age == 5.0", true), ("age < 5.5", true), ("isActive == 1", true),
    ("isActive == YES", true), ("height == 5", false), ("height > 1", true),
    ("funds == 0.1", true), ("funds < 1", true), ("age > funds", true), ("age / 2 == 2", true),
    ("age / 0 == nil", true), ("height / 0 == nil", true), ("age + funds == 5.1", true),
    ("age * 2 - 1 == 9", true), ("age - 6 == -1", true), ("-age == -5", true),
    ("age / 2.0 == 2.5", true), ("age BETWEEN {5, 5}", true), ("age IN {4, 5}", true),
    ("{4, 5} CONTAINS age", true), ("age IN {funds, age}", true), ("age IN {}", false),
  ])
  func numbersOfAllTypesCompareByTheirAmount(format: String, expected: Bool) throws {
    let node = person([
      "age": 5, "height": 1.5, "funds": .decimal(Decimal(string: "0.1")!), "isActive": true,
    ])
    #expect(try TestModel.holds(format, for: node) == expected)
  }

  @Test func largeIntegersAndDoublesCompareWithoutRounding() {
    let large: Int64 = 9_007_199_254_740_993  // 2⁵³ + 1 has no double
    #expect(ValueOrder.compare(.integer(large), .double(9_007_199_254_740_992)) == 1)
    #expect(ValueOrder.compare(.double(9_007_199_254_740_992), .integer(large)) == -1)
    #expect(ValueOrder.compare(.integer(.max), .double(0x1p63)) == -1)
    #expect(ValueOrder.compare(.integer(.min), .double(-0x1p63)) == 0)
    #expect(ValueOrder.compare(.integer(.min), .double(-.infinity)) == 1)
    #expect(ValueOrder.compare(.integer(-2), .double(-2.5)) == 1)
    #expect(ValueOrder.areEqual(.double(0), .double(-0.0)))
    let wide = Decimal(string: "9007199254740993")!
    #expect(ValueOrder.areEqual(.integer(large), .decimal(wide)))
  }

  @Test func aNumberThatIsNotANumberIsNil() throws {
    let node = person(["height": .double(.nan), "age": .integer(.max)])
    #expect(try TestModel.holds("height == nil AND NOT height < 1", for: node))
    #expect(try TestModel.holds("age == %@", Value.double(.nan), for: node) == false)
    #expect(ArithmeticOperator.subtract.apply(.double(.infinity), .double(.infinity)) == .null)
    #expect(ArithmeticOperator.add.apply(.integer(.max), 1) == .double(0x1p63))
    #expect(ArithmeticOperator.divide.apply(.integer(.min), -1) == .double(0x1p63))
    #expect(ArithmeticOperator.divide.apply(-7, 2) == -3)
  }

  @Test func datesDataAndIdentifiersCompareWithTheirOwnKind() throws {
    let (early, late) = (
      Date(timeIntervalSinceReferenceDate: 1), Date(timeIntervalSinceReferenceDate: 1.5)
    )
    let id = UUID()
    let node = person([
      "born": .date(early), "photo": .data(Data([1, 2])), "uid": .uuid(id),
      "home": .url(URL(string: "https://a.org/x")!),
    ])
    #expect(try TestModel.holds("born < %@ AND born == %@", late, early, for: node))
    #expect(try TestModel.holds("photo < %@", Data([2]), for: node))
    #expect(try TestModel.holds("photo > %@", Data([1]), for: node))
    #expect(try TestModel.holds("uid == %@", id, for: node))
    #expect(
      try TestModel.holds("home BEGINSWITH 'https:' AND home == 'https://a.org/x'", for: node))
  }

  @Test func objectsCompareByTheirIds() throws {
    let (boss, node) = (Node("Person", 7), person())
    node.links = ["boss": [boss], "pets": [Node("Pet", 3)]]
    #expect(try TestModel.holds("boss == %@", boss.subjectID, for: node))
    #expect(try TestModel.holds("SELF == %@", boss.subjectID, for: node) == false)
    #expect(try TestModel.holds("SELF IN %@", [node.subjectID], for: node))
    #expect(try TestModel.holds("ANY pets == %@", Node("Pet", 3).subjectID, for: node))
    #expect(try TestModel.holds("pets CONTAINS %@", Node("Pet", 4).subjectID, for: node) == false)
    #expect(try TestModel.holds("boss IN staff", for: node) == false)
    let elsewhere = ManagedObjectID(
      key: boss.subjectID.key, scope: StoreScope(identifier: "OTHER", entityNames: ["Person"]))
    #expect(try TestModel.holds("boss != %@", elsewhere, for: node))
  }

  // MARK: - Many objects

  private func owner() -> Node {
    let node = person(["age": 4])
    let pets = [
      Node("Pet", 1, ["name": "Rex", "age": 3]), Node("Pet", 2, ["name": "Tom", "age": 7]),
      Node("Pet", 3, ["name": "Kim"]),
    ]
    pets[0].links["toys"] = [Node("Toy", 1, ["price": 1]), Node("Toy", 2, ["price": 2])]
    pets[2].links["toys"] = [Node("Toy", 3, ["price": 9]), Node("Toy", 4)]
    node.links["pets"] = pets
    return node
  }

  @Test(arguments: [
    ("ANY pets.age > 5", true), ("ANY pets.age > 7", false), ("SOME pets.age == nil", true),
    ("ALL pets.age > 2", false), ("ALL pets.age != 4", true), ("NONE pets.age == 4", true),
    ("NOT ALL pets.age > 2", true), ("NOT ANY pets.name == 'Rex'", false),
    ("ANY pets.name BEGINSWITH[c] 'r'", true), ("ANY pets.name IN {'Tom', 'x'}", true),
    ("'Rex' IN pets.name", true), ("pets.name CONTAINS 'Re'", false),
    ("ANY pets.name CONTAINS 'Re'", true), ("age IN pets.age", false),
    ("ANY pets.toys.price == 9", true), ("ALL pets.toys.price < 10", false),
    ("ANY pets.toys.price == nil", true), ("ANY pets.owner.name == nil", true),
    ("ANY staff.age == nil", false), ("ALL staff.age == 1", true), ("NONE staff.age == 1", true),
    ("ANY boss.pets.age == nil", false), ("ALL boss.pets.age == 1", true),
    ("ANY pets.age BETWEEN {6, 8}", true),
    ("pets.@count == 3", true), ("staff.@count == 0", true), ("boss.pets.@count == 0", true),
    ("pets.toys.@count == 4", true), ("pets.@max.age == 7", true), ("pets.@min.age == 3", true),
    ("pets.@sum.age == 10", true), ("pets.@avg.age == 5", true),
    ("pets.toys.@sum.price == 12", true),
    ("staff.@sum.age == 0", true), ("staff.@max.age == nil", true), ("staff.@avg.age < 9", false),
    ("pets.@max.name == 'Tom'", true), ("pets.@count + age > 6", true),
  ])
  func manyObjectsAreQuantifiedCountedAndAggregated(format: String, expected: Bool) throws {
    #expect(try TestModel.holds(format, for: owner()) == expected)
  }

  @Test func failuresOfSubjectsPassThrough() throws {
    let node = person(["age": 4])
    node.isUnreadable = true
    #expect(throws: Node.MissingRows.self) {
      try TestModel.holds("ANY pets.age == 1", for: node)
    }
    #expect(try TestModel.holds("age == 4 OR ANY pets.age == 1", for: node))
  }

  // MARK: - Order and variables

  @Test func ordersPutNilFirstAndTextByItsBytes() throws {
    let names: [Value] = ["b", .null, "B", "é", "a"]
    let nodes = names.enumerated().map { Node("Person", Int64($0), ["name": $1]) }
    func sorted(_ term: SortTerm) throws -> [Int64] {
      let order = try SubjectOrder([term], in: nodes[0].entity, TestModel.model)
      return try nodes.sorted { try order.compare($0, $1) < 0 }.map(\.key)
    }
    #expect(try sorted(SortTerm("name")) == [1, 2, 4, 0, 3])
    #expect(try sorted(SortTerm("name", ascending: false)) == [3, 0, 4, 2, 1])
    #expect(try sorted(SortTerm("name", options: .caseInsensitive)) == [1, 4, 0, 2, 3])
    #expect(throws: FetchPredicateError.self) { _ = try sorted(SortTerm("pets.name")) }
    #expect(throws: FetchPredicateError.self) { _ = try sorted(SortTerm("boss")) }
  }

  @Test func aVariableTakesAValueAndIsRefusedWithoutOne() throws {
    let template = try FetchPredicate(format: "age IN {1, $age} AND NOT name == $name")
    #expect(TestModel.refusal(template) == .unboundVariable)
    let half = template.substituting(["age": 4])
    #expect(TestModel.refusal(half) == .unboundVariable)
    let whole = half.substituting(["name": nil])
    #expect(TestModel.refusal(whole) == nil)
    let evaluator = try PredicateEvaluator(whole, in: TestModel.shape("Person"), TestModel.model)
    #expect(try evaluator.matches(person(["age": 4, "name": "x"])))
    #expect(try !evaluator.matches(person(["age": 4])))
  }
}
