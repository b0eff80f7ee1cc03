// SPDX-License-Identifier: MIT
import SporadesModel
import SporadesStore
import SporadesTesting
import Testing

@testable import SporadesGraph

/// Fetches among many changes find what a look at each of them would, without looking at each.
@Suite struct PendingIndexTests {
  /// How many changed objects are looked at while so many are found or created.
  private func examined(_ kind: StoreKind, creating count: Int) throws -> Int {
    try kind.people().newContext().performAndWait { context in
      for number in 0..<count {
        let book = try Book.firstOrCreate(\.title, equalTo: "title \(number)", in: context)
        _ = try Book.firstOrCreate(\.title, equalTo: "title \(number / 2)", in: context)
        #expect(book.title == "title \(number)")
      }
      #expect(context.insertedObjects.count == count)
      let examined = try #require(context.pendingIndex?.examined)
      try context.save()
      #expect(context.pendingIndex == nil)
      return examined
    }
  }

  @Test func findingOrCreatingTwiceAsManyLooksAtTwiceAsMany() throws {
    let (some, twice) = (try examined(.memory, creating: 200), try examined(.memory, creating: 400))
    #expect(twice <= some * 5 / 2 && twice < 400 * 4)
  }

  @Test(arguments: StoreKind.allCases)
  func valuesThatChangeAreFoundUnderTheNewOnes(in kind: StoreKind) throws {
    try kind.people().newContext().performAndWait { context in
      let people = (0..<100).map { Person.make("name \($0)", age: $0, in: context) }
      func named(_ name: String) throws -> [Person] {
        try Person.all(where: \.name == name, in: context)
      }
      #expect(try named("name 7") == [people[7]])
      people[7].name = "other"
      people[8].name = "name 7"
      #expect(try named("name 7") == [people[8]] && named("other") == [people[7]])
      people[8].name = "name 8"
      people[8].name = "name 7"
      #expect(try named("name 7") == [people[8]] && named("name 8").isEmpty)
      context.delete(people[8])
      #expect(try named("name 7").isEmpty)
      try context.save()
      for person in people where !person.isDeleted { person.age += 1000 }
      #expect(try Person.first(where: \.age == 1005, in: context) === people[5])
      #expect(try Person.first(where: \.age == 5, in: context) == nil)
      context.refresh(people[5], mergeChanges: false)
      #expect(try Person.first(where: \.age == 5, in: context) === people[5])
      context.rollback()
      #expect(try Person.first(where: \.age == 1006, in: context) == nil)
    }
  }

  /// Random changes; each question is asked with an index and by looking at everything.
  @Test(arguments: StoreKind.allCases, 1...3)
  func anIndexAndALookAtEverythingAgree(in kind: StoreKind, seed: Int) throws {
    var random = SeededGenerator(seed: UInt64(seed))
    let stack = try kind.people()
    let other = stack.newContext()
    let queue = stack.newContext()
    for _ in 0..<60 {
      try queue.performAndWait { context in
        if context.undoManager == nil { context.undoManager = ContextUndoManager() }
        for _ in 0..<12 { try change(context, &random) }
        for value in 0..<8 {
          let byIndex = try Person.all(
            where: \.name == "n \(value)" && \.age < 6, sortedBy: "age", in: context)
          let all = try Person.all(sortedBy: "age", in: context)
          #expect(
            byIndex.map(\.objectID)
              == all.filter { $0.name == "n \(value)" && $0.age < 6 }
              .map(\.objectID))
        }
        switch Int.random(in: 0..<12, using: &random) {
        case 0: try context.save()
        case 1: context.rollback()
        case 2, 3: context.undo()
        case 4: context.redo()
        case 5: context.refreshAllObjects()
        default: break
        }
      }
      try other.performAndWait { context in
        try Person.all(in: context).randomElement(using: &random)?.home = Home(zip: 3)
        try context.save()
      }
    }
  }

  private func change(
    _ context: ManagedObjectContext, _ random: inout SeededGenerator
  ) throws {
    let (kind, value) = (
      Int.random(in: 0..<6, using: &random), Int.random(in: 0..<8, using: &random)
    )
    if kind < 3 {
      Person.make("n \(value)", age: value, in: context)
    } else if let person = try Person.all(in: context).randomElement(using: &random) {
      switch kind {
      case 3: person.name = "n \(value)"
      case 4: person.age = value
      default: context.delete(person)
      }
    }
  }
}
