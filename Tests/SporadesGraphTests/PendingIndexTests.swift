// SPDX-License-Identifier: MIT
import Foundation
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
    let (some, twice) = (
      try examined(.memory, creating: 2_000), try examined(.memory, creating: 4_000)
    )
    #expect(twice <= some * 5 / 2)
    #expect(twice < 4_000 * 4)
  }

  /// Keys of every type that imports use find what was made before them, one look each; large values, which
  /// may lie in files, take more.
  @Test(arguments: StoreKind.allCases)
  func everyTypeOfKeyIsIndexed(in kind: StoreKind) throws {
    func check<Key: ValueConvertible>(
      _ keyPath: ReferenceWritableKeyPath<Kinds, Key>, isIndexed: Bool = true,
      _ key: (Int) -> Key
    ) throws {
      try kind.kinds().newContext().performAndWait { context in
        let made = try (0..<200).map {
          try Kinds.firstOrCreate(keyPath, equalTo: key($0), in: context)
        }
        for number in 0..<200 {
          let found = try Kinds.firstOrCreate(keyPath, equalTo: key(number), in: context)
          #expect(found === made[number])
        }
        #expect(context.insertedObjects.count == 200)
        let examined = try #require(context.pendingIndex?.examined)
        #expect((examined < 200 * 3) == isIndexed, "\(Key.self)")
      }
    }
    try check(\.number) { $0 + 1000 }
    try check(\.short) { Int16($0) }
    try check(\.double) { Double($0) / 3 }
    try check(\.single) { Float($0) / 3 }
    try check(\.text) { "\($0)" }
    try check(\.date) { Date(timeIntervalSinceReferenceDate: Double($0) / 7) }
    try check(\.data, isIndexed: false) { Data([UInt8($0)]) }
    let ids = (0..<200).map { _ in UUID() }
    try check(\.id) { ids[$0] }
    try check(\.link) { URL(string: "https://example.org/\($0)") }
  }

  @Test(arguments: StoreKind.allCases)
  func linksAreIndexedByTheirObjects(in kind: StoreKind) throws {
    try kind.people().newContext().performAndWait { context in
      let saved = (0..<10).map { Person.make("saved \($0)", age: $0, in: context) }
      try context.save()
      let dogs = (0..<200).map { number in
        let dog = Dog.create(in: context)
        dog.owner = saved[number % 10]
        return dog
      }
      func owned(by person: Person) throws -> [Dog] {
        try Dog.all(where: \.owner == person && \.name != "no", in: context)
      }
      for (place, person) in saved.enumerated() {
        #expect(Set(try owned(by: person)) == Set(dogs.filter { $0.owner == saved[place] }))
      }
      #expect(try #require(context.pendingIndex).examined < 200 * 3)
      let new = Person.make("new", age: 1, in: context)
      dogs[3].owner = new
      #expect(try owned(by: new) == [dogs[3]])
      #expect(try owned(by: saved[3]).count == 19)
      try context.obtainPermanentIDs(for: [new])
      #expect(try owned(by: new) == [dogs[3]])
      context.delete(saved[4])
      context.processPendingChanges()
      #expect(try owned(by: saved[4]).isEmpty)
      #expect(try Dog.count(in: context) == 180)
      dogs[5].owner = nil
      let nobody: Person? = nil
      #expect(try Dog.all(where: \.owner == nobody, in: context) == [dogs[5]])
      #expect(try owned(by: saved[5]).count == 19)
    }
  }

  /// Objects that have one of some values are looked up, too, on whichever side the values stand.
  @Test func severalValuesAreFoundByTheIndex() throws {
    try StoreKind.memory.kinds().newContext().performAndWait { context in
      for number in 0..<200 { Kinds.create(in: context).number = number }
      func found(_ format: String) throws -> [Int] {
        try Kinds.all(where: FetchPredicate(format: format), in: context).map(\.number)
      }
      #expect(try found("number == 3") == [3])
      let once = try #require(context.pendingIndex).examined
      #expect(try found("number IN {7, 7, 8, 500}") == [7, 8])
      #expect(try found("9 == number") == [9])
      #expect(try found("number == 1 OR number == 2") == [1, 2])
      #expect(try #require(context.pendingIndex).examined - once < 12)
    }
  }

  @Test func nothingIsFoundAmongManyChanges() throws {
    try StoreKind.memory.kinds().newContext().performAndWait { context in
      let all = (0..<100).map { number in
        let kinds = Kinds.create(in: context)
        kinds.double = number == 7 ? nil : number == 8 ? .nan : 1
        return kinds
      }
      let nothing: Double? = nil
      let found = try Kinds.all(where: \.double == nothing, in: context)
      #expect(found == [all[7], all[8]])
      #expect(try #require(context.pendingIndex).examined < 110)
      #expect(try Kinds.count(where: \.double == 1, in: context) == 98)
    }
  }

  @Test func whatWasMadeAndDeletedIsNotLookedAtAgain() throws {
    func examined(_ count: Int) throws -> Int {
      try StoreKind.memory.people().newContext().performAndWait { context in
        for _ in 0..<count {
          context.delete(try Book.firstOrCreate(\.title, equalTo: "title", in: context))
        }
        #expect(context.insertedObjects.isEmpty)
        return try #require(context.pendingIndex?.examined)
      }
    }
    #expect(try examined(2000) <= examined(1000) * 5 / 2)
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
      #expect(try named("name 7") == [people[8]])
      #expect(try named("other") == [people[7]])
      people[8].name = "name 8"
      people[8].name = "name 7"
      #expect(try named("name 7") == [people[8]])
      #expect(try named("name 8").isEmpty)
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
    for _ in 0..<25 {
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
