// SPDX-License-Identifier: MIT
import SporadesModel
import Testing

@Suite struct PredicateValidationTests {
  @Test(arguments: [
    ("nothing == 1", FetchPredicateError.Code.unknownKeyPath),
    ("boss.nothing == 1", .unknownKeyPath), ("name.length == 1", .notAnAttribute),
    ("address.city == 'x'", .unknownKeyPath), ("address == nil", .notStored),
    ("mood == 'x'", .notStored), ("pets.name == 'x'", .needsQuantifier),
    ("pets == nil", .needsQuantifier), ("age == pets.age", .needsQuantifier),
    ("ANY pets.age == pets.age", .needsQuantifier), ("ANY pets.age IN pets.age", .needsQuantifier),
    ("pets.age + 1 == 2", .needsQuantifier), ("age IN {1, pets.age}", .needsQuantifier),
    ("ANY boss.age == 1", .notToMany), ("ALL age == 1", .notToMany),
    ("boss.@count == 1", .notToMany),
    ("name.@count == 1", .notToMany), ("boss.@max.age == 1", .notToMany),
    ("@max.age == 1", .notToMany), ("pets.@max.toys == 1", .notAnAttribute),
    ("pets.@sum.name == 1", .wrongOperands), ("name == 1", .wrongOperands),
    ("age == '1'", .wrongOperands), ("age == name", .wrongOperands), ("boss == 1", .wrongOperands),
    ("boss == name", .wrongOperands), ("boss < SELF", .wrongOperands),
    ("secret == 'x'", .wrongOperands), ("secret == secret", .wrongOperands),
    ("age BEGINSWITH '1'", .wrongOperands), ("name LIKE 1", .wrongOperands),
    ("name MATCHES name", .wrongOperands), ("name MATCHES '('", .invalidPattern),
    ("age IN 'abc'", .wrongOperands), ("age IN 1", .wrongOperands),
    ("name IN {'a', 1}", .wrongOperands),
    ("age == {1}", .wrongOperands), ("{1} == age", .wrongOperands),
    ("age IN {1, {2}}", .wrongOperands),
    ("age BETWEEN {1}", .wrongOperands), ("age BETWEEN 1", .wrongOperands),
    ("age BETWEEN {1, 'x'}", .wrongOperands), ("name + 1 == 2", .wrongOperands),
    ("born > 5", .wrongOperands), ("ANY pets == SELF", .wrongOperands),
    ("@count == 1", .unknownKeyPath),
  ])
  func refusesPredicatesThatDoNotFitTheEntity(format: String, code: FetchPredicateError.Code) throws
  {
    #expect(TestModel.refusal(try FetchPredicate(format: format)) == code)
  }

  @Test(arguments: [
    "address.street == 'x'", "secret == nil", "name == nil", "age > nil", "boss.boss.name == name",
    "SELF == boss", "SELF != nil", "ANY pets.owner == SELF", "ANY staff == boss", "nil == name",
    "1 == age", "home == 'x'", "name MATCHES nil", "age IN {}", "ALL pets.toys.price > 1 + age",
  ])
  func acceptsPredicatesThatFitTheEntity(format: String) throws {
    #expect(TestModel.refusal(try FetchPredicate(format: format)) == nil)
  }

  @Test func refusesIdsOfOtherTrees() {
    let pet = Node("Pet", 1).subjectID
    #expect(TestModel.refusal(.equals("boss", pet)) == .wrongOperands)
    #expect(TestModel.refusal(.compare("boss", .isIn, [pet])) == .wrongOperands)
    let unknown = ManagedObjectID(
      key: RowKey(entity: 900, primaryKey: 1), scope: TestModel.scope)
    #expect(TestModel.refusal(.equals("boss", unknown)) == .wrongOperands)
  }

  @Test func refusesPredicatesThatNestTooDeep() {
    var predicate = FetchPredicate.constant(true)
    for _ in 0..<300 { predicate = .not(predicate) }
    #expect(TestModel.refusal(predicate) == .tooDeep)
    var expression = FetchExpression.constant(1)
    for _ in 0..<300 { expression = .arithmetic(.add, expression, .constant(1)) }
    #expect(
      TestModel.refusal(.comparison(.init(.keyPath("age"), .equal, expression))) == .tooDeep)
  }

  @Test func refusalsNameKeyPathsAndNoValues() {
    do throws(FetchPredicateError) {
      try FetchPredicate.equals("age", "a secret").validate(
        in: TestModel.shape("Person"), TestModel.model)
      Issue.record("The predicate was not refused.")
    } catch {
      #expect(error.description.contains("age"))
      #expect(!error.description.contains("secret"))
    }
  }
}
