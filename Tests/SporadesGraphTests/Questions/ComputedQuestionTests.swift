// SPDX-License-Identifier: MIT
import FoundationEssentials
import Sporades
import SporadesGraph
import SporadesModel
import Testing

/// Conditions that compute, and conditions on members, from a fetch and from each object.
@Suite struct ComputedQuestionTests {
  @Test(arguments: StoreKind.allCases)
  func propertiesAreComputedWith(in kind: StoreKind) throws {
    try Workshop.open(kind) { context in
      try context.expect([3, 4], \.number * 2 > 5)
      try context.expect([0, 2, 4], \.number % 2 == 0)
      try context.expect([0, 1], 3 - \.number >= 2)
      try context.expect([2], \.number + \.number == 4)
      try context.expect([1, 2], \.number * \.number - 1 ~= 0...3)
      try context.expect([3, 4], (\.number + 1) / 2 == 2)
      try context.expect([0, 1, 2, 3, 4], TypedExpression(\.number) == \.number)
      try context.expect([0, 1], \.owner!.value - 6 > 0 && \.number < 2)
      try context.expect([0], TypedExpression(\.number) < 1 && TypedExpression(\.number) != 1)
      try context.expect([0, 4], !(\.number + 0 ~= [1, 2, 3]))
    }
  }

  @Test(arguments: StoreKind.allCases)
  func functionsOfPropertiesAreCompared(in kind: StoreKind) throws {
    try Workshop.open(kind) { context in
      try context.expect([1], (\Ticket.note).lowercased == "y")
      try context.expect([0], (\Ticket.note).uppercased == "X")
      try context.expect([4], (\Ticket.note).canonical == "e")
      try context.expect([4], (\Ticket.title).length == 0)
      try context.expect([2], (\Ticket.note).length ~= [0])
      try context.expect([0, 1, 2, 3], (\Ticket.due).year == 2001 && (\Ticket.due).month == 1)
      try context.expect([1], (\Ticket.due).day == 2)
      try context.expect([0], (\Ticket.due).weekday == 2 && (\Ticket.due).hour == 0)
      try context.expect([4], (\.number - 4).magnitude < 1)
      try context.expect([2], (\Ticket.number).squareRoot ~= 1.4..<1.5)
      try context.expect([1], (\Ticket.note).lowercased.hasPrefix("y"))
      try context.expect([1, 3], (\Ticket.title).matches("[bd]"))
      try context.expect(
        [0, 1, 2], (\Ticket.owner!.name).lowercased.contains("n") || \.number == 1)
    }
  }

  @Test(arguments: StoreKind.allCases)
  func membersAreAsked(in kind: StoreKind) throws {
    try Workshop.open(kind) { context in
      let bob = try #require(try Worker.first(where: \.name == "Bob", in: context))
      try context.expect([1, 2], (\Ticket.watchers).any(\.name == "Ann"))
      try context.expect([2, 3], (\Ticket.watchers).any(\.name == "Bob" && \.value > 7))
      try context.expect([0, 3, 4], (\Ticket.watchers).none(\.name == "Ann"))
      try context.expect([0, 1, 4], (\Ticket.watchers).all(\.name == "Ann"))
      try context.expect([0, 1, 4], (\Ticket.watchers).all(\.name == "Ann" && \.value == 7))
      try context.expect([2], (\Ticket.watchers).count(where: \.value > 0) == 2)
      try context.expect([2, 3], (\Ticket.watchers).contains(bob))
      try context.expect([2], (\Ticket.watchers).sum(\.value) == 15)
      try context.expect([2], (\Ticket.watchers).average(\.value) == 7.5)
      try context.expect([2, 3], (\Ticket.watchers).max(\.value) == 8)
      try context.expect([1, 2], (\Ticket.watchers).min(\.value) < 8)
      try context.expect(
        [0, 1, 2], (\Ticket.owner!.watched).any((\Ticket.watchers).any(\.name == "Bob")))
      try context.expect([2, 3, 4], (\Ticket.steps).count(where: \.text == "") > 1)
    }
  }

  @Test(arguments: StoreKind.allCases)
  func aClosureIsAskedInMemoryAlone(in kind: StoreKind) throws {
    try Workshop.open(kind) { context in
      let condition = TypedPredicate<Ticket>(block: { $0.number > 2 }) && \.number < 4
      let all = try Ticket.all(sortedBy: \.number, in: context)
      #expect(try all.filter { try condition.evaluate(with: $0) }.numbers == [3])
      let error = #expect(throws: FetchPredicateError.self) {
        try Ticket.all(where: condition, in: context)
      }
      #expect(error?.code == .unsupported)
      let untyped = FetchPredicate { ($0 as? Ticket)?.number == 1 }
      #expect(try all.filter { try untyped.evaluate(with: $0) }.numbers == [1])
    }
  }

  @Test func whatNoStoreFollowsFailsInTheFetch() throws {
    try Workshop.open(.memory) { context in
      for condition in [
        (\Ticket.watchers).sum(\.name.count) > 3
      ] {
        let error = #expect(throws: FetchPredicateError.self) {
          try Ticket.all(where: condition, in: context)
        }
        #expect(error?.code == .notStored)
      }
    }
  }
}

extension ManagedObjectContext {
  /// Expects the numbers of the tickets that satisfy a condition, from a fetch, from a count and from each object.
  func expect(
    _ numbers: [Int16], _ predicate: TypedPredicate<Ticket>,
    at location: SourceLocation = #_sourceLocation
  ) throws {
    let found = try Ticket.all(where: predicate, sortedBy: \.number, in: self)
    #expect(found.numbers == numbers, sourceLocation: location)
    #expect(try Ticket.count(where: predicate, in: self) == numbers.count, sourceLocation: location)
    let all = try Ticket.all(sortedBy: \.number, in: self)
    let satisfying = try all.filter { try predicate.evaluate(with: $0) }
    #expect(satisfying.numbers == numbers, sourceLocation: location)
    let format = predicate.predicate.predicateFormat
    #expect(
      try FetchPredicate(format: format) == predicate.predicate, "\(format)",
      sourceLocation: location)
  }
}
