// SPDX-License-Identifier: MIT
import CoreData
import Foundation
import Testing

/// The classes of chapter 1.13 of the inventory: predicates and expressions. Foundation has their names.
@Suite struct InventoryPredicateTests {
  @available(*, deprecated)
  @Test func predicatesAreMadeAndEvaluated() {
    let _: (Bool) -> NSPredicate = NSPredicate.init(value:)
    let _: (String, [Any]?) -> NSPredicate = { NSPredicate(format: $0, argumentArray: $1) }
    let predicates: [NSPredicate] = [
      NSPredicate(format: "SELF.a > %d", 3), NSPredicate(format: "%K > 3", argumentArray: ["a"]),
      NSPredicate { object, _ in (object as? [String: Int])?["a"] == 4 }, NSPredicate(value: true),
    ]
    #expect(predicates.allSatisfy { $0.evaluate(with: ["a": 4]) })
    for predicate in predicates { predicate.allowEvaluation() }
    let text: String = predicates[0].predicateFormat
    #expect(text == "a > 3" || text == "SELF.a > 3")
    let open = NSPredicate(format: "a = $A")
    #expect(open.evaluate(with: ["a": 1], substitutionVariables: ["A": 1]))
    let closed: NSPredicate = open.withSubstitutionVariables(["A": 1])
    #expect(closed.evaluate(with: ["a": 1]))
  }

  @Test func collectionsAreFiltered() {
    let predicate = NSPredicate(format: "SELF > 1")
    let numbers = [1, 2, 3]
    let list: [Any] = (numbers as NSArray).filtered(using: predicate)
    let set: Set<AnyHashable> = NSSet(array: numbers).filtered(using: predicate)
    let ordered: NSOrderedSet = NSOrderedSet(array: numbers).filtered(using: predicate)
    #expect(list.count == 2 && set.count == 2 && ordered.count == 2)
    let mutable = NSMutableArray(array: numbers)
    mutable.filter(using: predicate)
    #expect(mutable.count == 2)
  }

  @Test func compoundPredicatesHaveParts() {
    let kinds: [NSCompoundPredicate.LogicalType] = [.not, .and, .or]
    #expect(kinds.map(\.rawValue) == [0, 1, 2])
    let (yes, no) = (NSPredicate(value: true), NSPredicate(value: false))
    let predicates: [NSCompoundPredicate] = [
      NSCompoundPredicate(notPredicateWithSubpredicate: no),
      NSCompoundPredicate(andPredicateWithSubpredicates: [yes, no]),
      NSCompoundPredicate(orPredicateWithSubpredicates: [yes, no]),
    ]
    #expect(predicates.map(\.compoundPredicateType) == kinds)
    #expect(predicates.map { $0.evaluate(with: nil) } == [true, false, true])
    #expect(predicates.map(\.subpredicates.count) == [1, 2, 2])
  }

  @available(*, deprecated)
  @Test func comparisonsHaveParts() {
    let comparison = NSComparisonPredicate(
      leftExpression: NSExpression(forKeyPath: "a"),
      rightExpression: NSExpression(forConstantValue: "B"), modifier: .direct, type: .beginsWith,
      options: [.caseInsensitive, .diacriticInsensitive])
    let (left, right): (NSExpression, NSExpression) = (
      comparison.leftExpression, comparison.rightExpression
    )
    #expect(left.keyPath == "a" && right.constantValue as? String == "B")
    #expect(comparison.comparisonPredicateModifier == .direct)
    #expect(comparison.predicateOperatorType == .beginsWith && comparison.options.rawValue == 3)
    #expect(comparison.evaluate(with: ["a": "bc"]))
    let modifiers: [NSComparisonPredicate.Modifier] = [.direct, .all, .any]
    #expect(modifiers.map(\.rawValue) == [0, 1, 2])
    let operators: [NSComparisonPredicate.Operator] = [
      .lessThan, .lessThanOrEqualTo, .greaterThan, .greaterThanOrEqualTo, .equalTo, .notEqualTo,
      .matches, .like, .beginsWith, .endsWith, .in, .contains, .between,
    ]
    #expect(operators.prefix(11).map(\.rawValue) == Array(0...10))
  }

  @available(*, deprecated)
  @Test func expressionsAreOfAllKinds() {
    let one = NSExpression(forConstantValue: 1)
    let expressions: [(NSExpression, NSExpression.ExpressionType)] = [
      (one, .constantValue), (NSExpression.expressionForEvaluatedObject(), .evaluatedObject),
      (NSExpression(forVariable: "a"), .variable), (NSExpression(forKeyPath: "a"), .keyPath),
      (NSExpression(forFunction: "sum:", arguments: [one]), .function),
      (NSExpression(forUnionSet: one, with: one), .unionSet),
      (NSExpression(forIntersectSet: one, with: one), .intersectSet),
      (NSExpression(forMinusSet: one, with: one), .minusSet),
      (NSExpression(forAggregate: [one]), .aggregate),
      (NSExpression(format: "SUBQUERY(a, $x, $x.b = 1)"), .subquery),
      (NSExpression.expressionForAnyKey(), .anyKey),
      (NSExpression(block: { _, _, _ in 1 }, arguments: nil), .block),
      (
        NSExpression(
          forConditional: NSPredicate(value: true), trueExpression: one, falseExpression: one),
        .conditional
      ),
    ]
    for (expression, type) in expressions { #expect(expression.expressionType == type) }
    let sum = NSExpression(format: "1 + %d", 2)
    #expect(sum.expressionValue(with: nil, context: nil) as? Int == 3)
  }
}
