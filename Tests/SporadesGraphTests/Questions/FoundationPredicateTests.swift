// SPDX-License-Identifier: MIT
import FoundationEssentials
import Sporades
import SporadesGraph
import SporadesModel
import Testing

/// Foundation's `#Predicate`, which becomes a condition of a store. The cases follow those that swift-foundation
/// converts to `NSPredicate`.
@Suite struct FoundationPredicateTests {
  @Test(arguments: StoreKind.allCases)
  func comparisonsAndLogic(in kind: StoreKind) throws {
    try Workshop.open(kind) { context in
      try context.expect([3, 4], #Predicate { $0.number > 2 })
      try context.expect([1, 2], #Predicate { $0.number >= 1 && $0.number <= 2 })
      try context.expect([0, 4], #Predicate { $0.number < 1 || $0.title == "" })
      try context.expect([1, 2, 3, 4], #Predicate { !($0.title == "a") })
      try context.expect([0, 1, 3, 4], #Predicate { $0.title != "c" })
      try context.expect([0, 2], #Predicate { $0.isActive && !$0.isHidden })
      try context.expect([3, 4], #Predicate { $0.isActive == false })
      try context.expect([1, 3, 4], #Predicate { ($0.isActive == $0.isHidden) || $0.number > 2 })
      try context.expect([0, 1, 2, 3, 4], #Predicate { _ in true })
      try context.expect([], #Predicate { _ in false })
      try context.expect([0, 1, 2], #Predicate { ($0.number > 2) == false })
      try context.expect([3, 4], #Predicate { ($0.number > 2) != ($0.title == "x") })
    }
  }

  @Test(arguments: StoreKind.allCases)
  func valuesOfTheProgram(in kind: StoreKind) throws {
    try Workshop.open(kind) { context in
      let (title, numbers, day) = ("b", [Int16(1), 3], Workshop.date(2))
      let (range, days) = (Int16(1)...2, Workshop.date(1)..<Workshop.date(3))
      try context.expect([1], #Predicate { $0.title == title })
      try context.expect([1, 3], #Predicate { numbers.contains($0.number) })
      try context.expect([2], #Predicate { $0.due == day })
      try context.expect([1, 2], #Predicate { range.contains($0.number) })
      try context.expect([1, 2], #Predicate { days.contains($0.due!) })
      try context.expect([2, 3], #Predicate { (2...3).contains($0.number) })
      try context.expect([2], #Predicate { (2..<3).contains($0.number) })
      try context.expect([2, 3], #Predicate { $0.due.flatMap { $0 >= day } == true })
    }
  }

  @Test(arguments: StoreKind.allCases)
  func optionalsAndArithmetic(in kind: StoreKind) throws {
    try Workshop.open(kind) { context in
      try context.expect([3], #Predicate { $0.note == nil })
      try context.expect([2, 3], #Predicate { ($0.note ?? "") == "" })
      try context.expect([2, 3], #Predicate { ($0.note ?? "").isEmpty })
      try context.expect([0, 2], #Predicate { $0.owner?.name == "Ann" })
      try context.expect([0, 2], #Predicate { $0.owner!.value < 8 })
      try context.expect(
        [0],
        #Predicate {
          if let note = $0.note { note == "x" } else { false }
        })
      try context.expect(
        [0, 3],
        #Predicate {
          if let note = $0.note { note == "x" } else { true }
        })
      try context.expect([2], #Predicate { $0.number * 2 + 1 == 5 })
      try context.expect([3, 4], #Predicate { -$0.number < -2 })
      try context.expect([1, 3], #Predicate { $0.number % 2 == 1 })
      try context.expect([2, 3], #Predicate { $0.number / 2 == 1 })
      try context.expect([2, 3, 4], #Predicate { ($0.isActive ? $0.number : 9) > 1 })
      try context.expect([0, 1, 2, 4], #Predicate { $0.isActive ? true : $0.number == 4 })
    }
  }

  @Test(arguments: StoreKind.allCases)
  func texts(in kind: StoreKind) throws {
    try Workshop.open(kind) { context in
      try context.expect([1], #Predicate { $0.title.contains("b") })
      try context.expect([2], #Predicate { $0.title.starts(with: "c") })
      try context.expect([4], #Predicate { $0.title.isEmpty })
      try context.expect([0, 1, 2, 3], #Predicate { $0.title.utf16.count == 1 })
      try context.expect([0, 2], #Predicate { $0.owner?.name.contains("nn") == true })
    }
  }

  @Test(arguments: StoreKind.allCases)
  func members(in kind: StoreKind) throws {
    try Workshop.open(kind) { context in
      try context.expect([1, 2], #Predicate { $0.watchers.contains { $0.name == "Ann" } })
      try context.expect([0, 1, 4], #Predicate { $0.watchers.allSatisfy { $0.name == "Ann" } })
      try context.expect([2], #Predicate { $0.watchers.count == 2 })
      try context.expect([0, 4], #Predicate { $0.watchers.isEmpty })
      try context.expect([2, 3], #Predicate { $0.watchers.filter { $0.value > 7 }.count == 1 })
      try context.expect([0, 1, 4], #Predicate { $0.watchers.filter { $0.value > 7 }.isEmpty })
      try context.expect(
        [1, 2, 3],
        #Predicate { ticket in
          ticket.watchers.contains { $0.watched.contains { $0.number >= ticket.number } }
        })
      try context.expect([1, 2, 3, 4], #Predicate { $0.steps.first?.text == "" })
    }
  }

  @Test(arguments: StoreKind.allCases)
  func findersAndRequestsTakeThemWithAnyOrder(in kind: StoreKind) throws {
    try Workshop.open(kind) { context in
      let found = try Ticket.all(
        where: #Predicate { $0.number > 2 }, sortedBy: \.number, in: context)
      #expect(found.numbers == [3, 4])
      let down = try Ticket.all(
        where: #Predicate { $0.number > 1 }, sortedBy: .descending(\.number), limit: 2, in: context)
      #expect(down.numbers == [4, 3])
      let text = try Ticket.all(
        where: #Predicate { $0.number > 2 }, sortedBy: "number", ascending: false, in: context)
      #expect(text.numbers == [4, 3])
      let first = try Ticket.first(
        where: #Predicate { $0.number > 1 }, sortedBy: \.number, in: context)
      #expect(first?.number == 2)
      let last = try Ticket.first(
        where: #Predicate { $0.number > 1 }, sortedBy: .descending(\.number), in: context)
      #expect(last?.number == 4)
      let request = Ticket.where(#Predicate { $0.number > 1 }).where(#Predicate { $0.number < 4 })
        .or(#Predicate { $0.number == 0 }).sorted(by: \.number)
      #expect(try request.fetch(in: context).numbers == [0, 2, 3])
    }
  }

  @Test func whatNoStoreCanComputeIsNamed() throws {
    try Workshop.open(.memory) { context in
      let cases: [(Predicate<Ticket>, String)] = [
        (#Predicate { $0.title.count > 3 }, "utf16.count"),
        (#Predicate { ($0.number as Any) is Int }, "is"),
      ]
      for (predicate, words) in cases {
        let error = #expect(throws: FetchPredicateError.self) {
          try Ticket.all(where: predicate, in: context)
        }
        #expect(error?.code == .unsupported)
        #expect(error?.detail.contains(words) == true, "\(error?.detail ?? "")")
      }
    }
  }

  @Test func findersTakeFoundationsPredicates() throws {
    try Workshop.open(.memory) { context in
      #expect(try Ticket.first(where: #Predicate { $0.number == 2 }, in: context)?.title == "c")
      #expect(try Ticket.count(where: #Predicate<Ticket> { $0.number > 2 }, in: context) == 2)
      try Ticket.deleteAll(where: #Predicate { $0.number > 2 }, in: context)
      #expect(try Ticket.count(in: context) == 3)
      context.rollback()
    }
  }
}

extension ManagedObjectContext {
  /// Expects the numbers of the tickets that satisfy one of Foundation's predicates.
  fileprivate func expect(
    _ numbers: [Int16], _ predicate: Predicate<Ticket>,
    at location: SourceLocation = #_sourceLocation
  ) throws {
    try expect(numbers, TypedPredicate(predicate), at: location)
  }
}
