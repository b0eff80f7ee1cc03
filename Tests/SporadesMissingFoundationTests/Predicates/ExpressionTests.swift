// SPDX-License-Identifier: MIT
import Foundation
import SporadesMissingFoundation
import SporadesModel
import Testing

/// The tests of `NSExpression` and `NSComparisonPredicate`, of which Foundation warns: the suite calls them by way of this
/// protocol.
protocol ExpressionChecks {
  func everyInitializerMakesItsExpression() throws
  func partsComeBack() throws
  func functionsHaveNamesAndArguments() throws
  func valuesAreComputed() throws
  func comparisonsEqualFormats() throws
  func blocksAreAskedInMemory() throws
  func objectsAndMissingValuesAreConstants() throws
}

@Suite struct ExpressionTests {
  private let checks: any ExpressionChecks = Checks()

  @Test func everyInitializerMakesItsExpression() throws {
    try checks.everyInitializerMakesItsExpression()
  }
  @Test func partsComeBack() throws { try checks.partsComeBack() }
  @Test func functionsHaveNamesAndArguments() throws { try checks.functionsHaveNamesAndArguments() }
  @Test func valuesAreComputed() throws { try checks.valuesAreComputed() }
  @Test func comparisonsEqualFormats() throws { try checks.comparisonsEqualFormats() }
  @Test func blocksAreAskedInMemory() throws { try checks.blocksAreAskedInMemory() }
  @Test func objectsAndMissingValuesAreConstants() throws {
    try checks.objectsAndMissingValuesAreConstants()
  }
}

private struct Checks: ExpressionChecks {
  @available(*, deprecated)
  private var age: NSExpression { NSExpression(forKeyPath: "age") }
  @available(*, deprecated)
  private var name: NSExpression { NSExpression(forKeyPath: "name") }
  @available(*, deprecated)
  private var four: NSExpression { NSExpression(forConstantValue: 4) }

  @available(*, deprecated)
  func everyInitializerMakesItsExpression() throws {
    let samples: [(NSExpression, NSExpression.ExpressionType, String)] = [
      (four, .constantValue, "4"),
      (NSExpression(forConstantValue: nil), .constantValue, "nil"),
      (NSExpression(forConstantValue: "x" as NSString), .constantValue, #""x""#),
      (.expressionForEvaluatedObject(), .evaluatedObject, "SELF"),
      (.expressionForAnyKey(), .anyKey, "ANYKEY"),
      (NSExpression(forVariable: "x"), .variable, "$x"),
      (age, .keyPath, "age"),
      (NSExpression(forKeyPath: "friends.@max.age"), .keyPath, "friends.@max.age"),
      (NSExpression(forKeyPath: "boss.name"), .keyPath, "boss.name"),
      (NSExpression(forFunction: "max:", arguments: [age]), .function, "max:(age)"),
      (NSExpression(forFunction: "add:to:", arguments: [age, four]), .function, "age + 4"),
      (NSExpression(forFunction: "now", arguments: []), .function, "now()"),
      (NSExpression(forAggregate: [age, 4]), .aggregate, "{age, 4}"),
      (NSExpression(forUnionSet: age, with: name), .unionSet, "age UNION name"),
      (NSExpression(forIntersectSet: age, with: name), .intersectSet, "age INTERSECT name"),
      (NSExpression(forMinusSet: age, with: name), .minusSet, "age MINUS name"),
      (
        NSExpression(
          forSubquery: NSExpression(forKeyPath: "friends"), usingIteratorVariable: "x",
          predicate: NSPredicate(format: "$x.age > 30")), .subquery,
        "SUBQUERY(friends, $x, $x.age > 30)"
      ),
      (
        NSExpression(
          forConditional: NSPredicate(format: "age > 17"), trueExpression: name,
          falseExpression: four), .conditional, "TERNARY(age > 17, name, 4)"
      ),
      (
        NSExpression(forFunction: name, selectorName: "uppercaseString", arguments: nil), .function,
        "uppercase:(name)"
      ),
      (
        NSExpression(
          forFunction: "castObject:toType:",
          arguments: [age, NSExpression(forConstantValue: "NSString")]),
        .function, #"CAST(age, "NSString")"#
      ),
      (NSExpression(format: "age * 2 + %@", 4), .function, "(age * 2) + 4"),
      (NSExpression(format: "%@ + 1", age), .function, "age + 1"),
      (NSExpression(format: "max(%K)", argumentArray: ["age"]), .function, "max:(age)"),
      (NSExpression(block: { _, _, _ in 1 }, arguments: nil), .block, "BLOCK"),
    ]
    for (expression, type, text) in samples {
      #expect(expression.expressionType == type, "\(text)")
      #expect(expression.description == text)
      #expect(expression.isEqual(expression.copy()))
    }
    #expect(NSExpression(forKeyPath: "age") == age)
    #expect(NSExpression(forKeyPath: "age").hash == age.hash)
    #expect(NSExpression(forKeyPath: "name") != age)
    #expect(NSExpression(age.content) == age)
  }

  @available(*, deprecated)
  func partsComeBack() throws {
    #expect(four.constantValue as? Int == 4)
    #expect(NSExpression(forConstantValue: nil).constantValue == nil)
    let person = Person.ann
    #expect(NSExpression(forConstantValue: person).constantValue as? Person === person)
    #expect(age.keyPath == "age")
    #expect(NSExpression(forKeyPath: "friends.@count").keyPath == "friends.@count")
    #expect(NSExpression(forVariable: "x").variable == "x")
    let union = NSExpression(forUnionSet: age, with: name)
    #expect(union.left == age)
    #expect(union.right == name)
    let either = NSExpression(
      forConditional: NSPredicate(format: "age > 17"), trueExpression: name, falseExpression: four)
    #expect(either.true == name)
    #expect(either.false == four)
    #expect(either.predicate == NSPredicate(format: "age > 17"))
    let list = NSExpression(forAggregate: [age, 4])
    #expect(list.collection as? [NSExpression] == [age, four])
    let subquery = NSExpression(format: "SUBQUERY(friends, $x, $x.age > 30)")
    #expect(subquery.collection as? NSExpression == NSExpression(forKeyPath: "friends"))
    #expect(subquery.variable == "x")
    #expect(subquery.predicate.description == "$x.age > 30")
  }

  @available(*, deprecated)
  func functionsHaveNamesAndArguments() throws {
    let total = NSExpression(forFunction: "sum:", arguments: [age])
    #expect(total.function == "sum:")
    #expect(total.arguments == [age])
    let sum = NSExpression(format: "age + 4")
    #expect(sum.function == "add:to:")
    #expect(sum.arguments == [age, four])
    #expect(age.arguments == nil)
    let unknown = NSExpression(forFunction: name, selectorName: "reverse:", arguments: [four])
    #expect(throws: FetchPredicateError.self) {
      try FetchPredicate.comparison(.init(unknown.content, .equal, .constant(1))).checked()
    }
  }

  @available(*, deprecated)
  func valuesAreComputed() throws {
    let ann = Person.ann
    #expect(age.expressionValue(with: ann, context: nil) as? Int == 41)
    #expect(
      NSExpression(forKeyPath: "boss").expressionValue(with: ann, context: nil) as? Person
        === ann.boss)
    #expect(
      NSExpression(format: "age * 2 + 1").expressionValue(with: ann, context: nil) as? Int == 83)
    #expect(NSExpression(format: "2 ** 3").expressionValue(with: nil, context: nil) as? Int == 8)
    let numbers = NSExpression(forConstantValue: [1, 2, 6])
    let average = NSExpression(forFunction: "average:", arguments: [numbers])
    #expect(average.expressionValue(with: nil, context: nil) as? Double == 3)
    #expect(
      NSExpression(format: "sum(friends.age)").expressionValue(with: ann, context: nil) as? Int
        == 53)
    let variable = NSExpression(forVariable: "x")
    #expect(variable.expressionValue(with: nil, context: ["x": 3]) as? Int == 3)
    let text = NSExpression(format: "uppercase(name)")
    #expect(text.expressionValue(with: ann, context: nil) as? String == "ANN")
    let either = NSExpression(format: "TERNARY(age > 17, 'adult', 'child')")
    #expect(either.expressionValue(with: ann, context: nil) as? String == "adult")
  }

  @available(*, deprecated)
  func comparisonsEqualFormats() throws {
    let made = NSComparisonPredicate(
      leftExpression: name, rightExpression: NSExpression(forConstantValue: "ann"),
      modifier: .direct, type: .beginsWith, options: [.caseInsensitive, .diacriticInsensitive])
    let format = NSPredicate(format: "name BEGINSWITH[cd] %@", "ann")
    #expect(made.isEqual(format))
    #expect(format.isEqual(made))
    #expect(made.description == #"name BEGINSWITH[cd] "ann""#)
    #expect(made.predicateFormat == #"name BEGINSWITH[cd] "ann""#)
    #expect(made.evaluate(with: Person.ann))
    let read = try #require(format as? NSComparisonPredicate)
    #expect(read.leftExpression == name)
    #expect(read.rightExpression.constantValue as? String == "ann")
    #expect(read.predicateOperatorType == .beginsWith)
    #expect(read.options == [.caseInsensitive, .diacriticInsensitive])
    #expect(read.comparisonPredicateModifier == .direct)
    let all: [NSComparisonPredicate.Operator] = [
      .lessThan, .lessThanOrEqualTo, .greaterThan, .greaterThanOrEqualTo, .equalTo, .notEqualTo,
      .matches, .like, .beginsWith, .endsWith, .in, .contains, .between,
    ]
    for type in all {
      for modifier in [NSComparisonPredicate.Modifier.direct, .any, .all] {
        let made = NSComparisonPredicate(
          leftExpression: age, rightExpression: four, modifier: modifier, type: type)
        #expect(made.predicateOperatorType == type)
        #expect(made.comparisonPredicateModifier == modifier)
      }
    }
  }

  @available(*, deprecated)
  func blocksAreAskedInMemory() throws {
    let block = NSExpression(
      block: { object, values, context in
        "\((object as? Person)?.name ?? "-") \(values) \(context?["k"] ?? "-")"
      }, arguments: [age, four])
    let value = block.expressionValue(with: Person.ann, context: ["k": "v"])
    #expect(value as? String == "Ann [41, 4] v")
    #expect(block.arguments == [age, four])
    #expect(block != NSExpression(block: { _, _, _ in 1 }, arguments: nil))
    let made = NSComparisonPredicate(
      leftExpression: block, rightExpression: four, modifier: .direct, type: .equalTo)
    #expect(throws: FetchPredicateError.self) { try made.condition.checked() }
    #expect(!made.evaluate(with: Person.ann))
    #expect(made.description == "BLOCK == 4")
    let length = NSExpression(
      block: { object, _, _ in (object as? Person)?.name.count ?? 0 }, arguments: nil)
    let long = NSComparisonPredicate(
      leftExpression: length, rightExpression: four, modifier: .direct, type: .lessThan)
    #expect(long.evaluate(with: Person.ann))
    #expect(!long.isEqual(made))
    #expect(
      long.isEqual(
        NSComparisonPredicate(
          leftExpression: length, rightExpression: four, modifier: .direct, type: .lessThan)))
  }

  @available(*, deprecated)
  func objectsAndMissingValuesAreConstants() throws {
    let ann = Person.ann
    let boss = NSComparisonPredicate(
      leftExpression: NSExpression(forKeyPath: "boss"),
      rightExpression: NSExpression(forConstantValue: ann.boss), modifier: .direct, type: .equalTo)
    #expect(boss.evaluate(with: ann))
    #expect(!boss.evaluate(with: Person.ann))
    #expect(boss.rightExpression.constantValue as? Person === ann.boss)
    func predicate(_ value: Any?, _ type: NSComparisonPredicate.Operator = .equalTo) -> NSPredicate
    {
      NSComparisonPredicate(
        leftExpression: name, rightExpression: NSExpression(forConstantValue: value),
        modifier: .direct, type: type)
    }
    let missing: String? = nil
    #expect(predicate(NSNull()).description == "name == <null>")
    #expect(predicate(nil).description == "name == nil")
    #expect(predicate(missing as Any).isEqual(NSPredicate(format: "name == %@", NSNull())))
    #expect(predicate("Ann" as NSString).isEqual(NSPredicate(format: "name == 'Ann'")))
    #expect(predicate(10, .like).isEqual(NSPredicate(format: "name LIKE 10")))
    #expect(predicate(10, .in).isEqual(NSPredicate(format: "name IN 10")))
    #expect(
      predicate([5, 10] as NSArray, .between).isEqual(
        NSPredicate(format: "name BETWEEN %@", [5, 10])))
  }
}

extension FetchPredicate {
  /// Asks the condition of nothing, so that a part without meaning throws.
  fileprivate func checked() throws { _ = try ConstantExpression.holds(self) }
}
