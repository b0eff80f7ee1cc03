// SPDX-License-Identifier: MIT
import Foundation
import SporadesMissingFoundation
import SporadesModel
import Testing

@Suite struct CompoundPredicateTests {
  private let one = NSPredicate(format: "age > 3")
  private let other = NSPredicate(format: "name == 'Ann'")

  @Test func partsMakeTheSameConditionAsAFormat() throws {
    let both = NSCompoundPredicate(andPredicateWithSubpredicates: [one, other])
    #expect(try both.condition == FetchPredicate(format: "age > 3 AND name == 'Ann'"))
    #expect(both.format == #"age > 3 AND name == "Ann""#)
    #expect(NSPredicate(format: "age > 3 AND name == 'Ann'").isEqual(both))
    #expect(!NSPredicate(format: "age > 3 AND name == 'Ben'").isEqual(both))
    #expect(both == NSPredicate(format: "age > 3 AND name == 'Ann'"))
    #expect(both != NSPredicate(format: "age > 3 AND name == 'Ben'"))
    #expect(both.evaluate(with: Person.ann))
    let not = NSCompoundPredicate(notPredicateWithSubpredicate: both)
    #expect(try not.condition == FetchPredicate(format: "NOT (age > 3 AND name == 'Ann')"))
    #expect(not.format == #"NOT (age > 3 AND name == "Ann")"#)
    let either = NSCompoundPredicate(type: .or, subpredicates: [one, both])
    #expect(either.format == #"age > 3 OR (age > 3 AND name == "Ann")"#)
  }

  @Test func compoundsOfProgramsAreValues() {
    let both = NSCompoundPredicate(andPredicateWithSubpredicates: [one, other])
    let either = NSCompoundPredicate(orPredicateWithSubpredicates: [one, other])
    let not = NSCompoundPredicate(notPredicateWithSubpredicate: one)
    #expect(both.description == #"age > 3 AND name == "Ann""#)
    #expect("\(either)" == #"age > 3 OR name == "Ann""#)
    #expect(not.description == "NOT age > 3")
    #expect(!both.isEqual(either))
    #expect(!both.isEqual(not))
    #expect(both.isEqual(NSPredicate(format: "age > 3 AND name == 'Ann'")))
    #expect(both.isEqual(NSCompoundPredicate(type: .and, subpredicates: [one, other])))
    #expect(!both.isEqual(NSCompoundPredicate(type: .and, subpredicates: [other, one])))
    #expect(!not.isEqual(NSPredicate(value: false)))
    #expect(both.hash == NSPredicate(format: "age > 3 AND name == 'Ann'").hash)
    let copy = both.copy() as? NSPredicate
    #expect(copy == both)
    #expect(Set([both, either, not, NSPredicate(format: "NOT age > 3")]).count == 3)
    let given: NSPredicate? = both
    #expect(given == NSPredicate(format: "age > 3 AND name == 'Ann'"))
    #expect(given != either)
    #expect(throws: FetchPredicateError.self) {
      try Parity(andPredicateWithSubpredicates: [one]).condition
    }
    #expect(Parity(andPredicateWithSubpredicates: [one]).evaluate(with: Person.ann))
  }

  @Test func aFormatWithSeveralConditionsHasParts() throws {
    let made = NSPredicate(format: "age > 3 AND name == 'Ann'")
    let compound = try #require(made as? NSCompoundPredicate)
    #expect(compound.compoundPredicateType == .and)
    #expect(compound.subpredicates == [one, other])
    let not = try #require(NSPredicate(format: "NOT age > 3") as? NSCompoundPredicate)
    #expect(not.compoundPredicateType == .not)
    #expect(not.subpredicates == [one])
  }

  @Test func constantsOfFoundationHaveConditions() throws {
    #expect(try NSPredicate(value: true).condition == .constant(true))
    #expect(try NSPredicate(value: false).condition == .constant(false))
    #expect(NSPredicate(value: true).isEqual(NSPredicate(format: "TRUEPREDICATE")))
    #expect(NSPredicate(format: "TRUEPREDICATE").isEqual(NSPredicate(value: true)))
    #expect(!NSPredicate(format: "TRUEPREDICATE").isEqual(NSPredicate(value: false)))
    let empty = NSCompoundPredicate(andPredicateWithSubpredicates: [])
    #expect(try empty.condition == .and([]))
    #expect(empty.evaluate(with: nil))
  }

  @Test func blocksAndSubclassesHaveNoCondition() {
    let block = NSPredicate { object, _ in object is Person }
    #expect(throws: FetchPredicateError.self) { try block.condition }
    let both = NSCompoundPredicate(andPredicateWithSubpredicates: [one, block])
    #expect(throws: FetchPredicateError.self) { try both.condition }
    #expect(both.evaluate(with: Person.ann))
    #expect(both.format == "age > 3 AND BLOCKPREDICATE")
    #expect(!one.isEqual(block))
    #expect(block == block)
    let error = #expect(throws: FetchPredicateError.self) { try Odd(value: true).condition }
    #expect(error?.detail.hasPrefix("Odd is a program's own subclass") == true)
  }

  @Test func variablesAreSubstitutedBesideABlock() {
    let block = NSPredicate { object, _ in object is Person }
    let template = NSCompoundPredicate(
      andPredicateWithSubpredicates: [NSPredicate(format: "age > $AGE"), block])
    let filled = template.withSubstitutionVariables(["AGE": 3])
    #expect(filled.subpredicates[0] == one)
    #expect(filled.evaluate(with: Person.ann))
  }
}

/// A program's own compound.
private final class Parity: NSCompoundPredicate {}

/// A program's own predicate.
private final class Odd: NSPredicate {
  override func evaluate(with object: Any?, substitutionVariables bindings: [String: Any]?) -> Bool
  {
    (object as? Int).map { $0 % 2 == 1 } ?? false
  }
}
