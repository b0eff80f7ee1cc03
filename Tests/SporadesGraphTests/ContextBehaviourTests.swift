// SPDX-License-Identifier: MIT
import Foundation
import SporadesGraph
import SporadesModel
import SporadesStore
import SporadesTesting
import Testing

/// Fetching ahead, merging between siblings, inheritance, memory, and queues.
@Suite struct ContextBehaviourTests {
  @Test(arguments: StoreKind.allCases)
  func prefetchedObjectsNeedNoStore(in kind: StoreKind) throws {
    let store = RefusingStore(try kind.store(People.model))
    let stack = DataStack(store: store, classes: People.classes)
    try stack.newContext().performAndWait { context in
      let books = Book.make("abc", in: context)
      for index in 0..<5 {
        let person = Person.make("\(index)", age: index, in: context)
        person.dogs = Set((0..<index).map { _ in Dog.create(in: context) })
        person.reads = books
        if index > 0 { person.parent = try Person.first(where: \.age == index - 1, in: context) }
      }
      try context.save()
      context.reset()
      var request = FetchRequest("Person", sortedBy: [SortTerm("age")])
      request.relationshipKeyPathsForPrefetching = [
        "dogs", "reads", "parent.parent.dogs", "reads.readers",
      ]
      let people = try context.fetch(Person.self, request)
      store.refusesReading = true
      #expect(people.map(\.dogs.count) == [0, 1, 2, 3, 4])
      #expect(
        people.allSatisfy { $0.reads.titles == "abc" && $0.dogs.allSatisfy { $0.name == "Rex" } })
      #expect(people[4].parent?.parent === people[2])
      #expect(people[0].reads[0].readers.count == 5)
      #expect(context.takeFailures().isEmpty)
      store.refusesReading = false
      request.relationshipKeyPathsForPrefetching = ["nothing"]
      #expect(throws: FetchPredicateError.self) { try context.fetch(request) }
    }
  }

  @Test(arguments: StoreKind.allCases)
  func objectsInHandShowWhatSiblingsSaved(in kind: StoreKind) throws {
    let stack = try kind.people()
    let (one, two) = (stack.newContext(), stack.newContext())
    let ids = try one.performAndWait { context in
      let people = ["Ann", "Bob", "Cid"].map { Person.make($0, in: context) }
      people[0].shelf = Book.make("abc", in: context)
      people[0].friends = [people[1]]
      try context.save()
      return people.map(\.objectID)
    }
    let held = try two.performAndWait { context in
      let people = try ids.map { try #require(try context.existingObject(with: $0) as? Person) }
      #expect(people[0].shelf.titles == "abc")
      #expect(people[0].friends == [people[1]])
      #expect(people[1].dogs.isEmpty)
      people[0].age = 7
      Dog.create(in: context).owner = people[1]
      return people
    }
    try one.performAndWait { context in
      let people = try ids.map { try #require(try context.existingObject(with: $0) as? Person) }
      people[0].name = "Anna"
      people[0].shelf.swapAt(0, 2)
      people[0].friends = [people[2]]
      Dog.create(in: context).owner = people[1]
      try context.save()
    }
    try two.performAndWait { context in
      #expect(held[0].name == "Anna")
      #expect(held[0].age == 7)
      #expect(held[0].shelf.titles == "cba")
      #expect(held[0].friends == [held[2]])
      #expect(held[1].dogs.count == 2)
      try context.save()
      #expect(held[1].dogs.count == 2)
      #expect(held[1].dogCount == 2)
    }
    try one.performAndWait { context in
      context.delete(try context.existingObject(with: ids[2]))
      try context.save()
    }
    try two.performAndWait { context in
      #expect(held[0].friends.isEmpty)
      #expect(held[2].name == "")
      held[1].parent = held[0]
      try context.save()
    }
  }

  @Test(arguments: StoreKind.allCases)
  func anUnsavedLinkToARowDeletedElsewhereIsDropped(in kind: StoreKind) throws {
    let stack = try kind.people()
    let (one, two) = (stack.newContext(), stack.newContext())
    let id = try one.performAndWait { context in
      let ann = Person.make("Ann", in: context)
      try context.save()
      return ann.objectID
    }
    let dog = try two.performAndWait { context in
      let dog = Dog.create(in: context)
      dog.owner = try context.existingObject(with: id) as? Person
      return dog
    }
    try one.performAndWait { context in
      context.delete(try context.existingObject(with: id))
      try context.save()
    }
    try two.performAndWait { context in
      #expect(dog.owner == nil)
      try context.save()
      context.reset()
      #expect(try Dog.first(in: context)?["owner"] == .null)
    }
  }

  @Test(arguments: StoreKind.allCases)
  func aFetchOfAnEntityFindsThoseBelowIt(in kind: StoreKind) throws {
    let stack = try kind.people()
    let id = try stack.newContext().performAndWait { context in
      let ann = Member.make("Ann", age: 2, in: context)
      ann.number = 12
      Person.make("Bob", age: 1, in: context)
      #expect(try Person.all(sortedBy: \.age, in: context).map(\.name) == ["Bob", "Ann"])
      try context.save()
      return ann.objectID
    }
    try stack.newContext().performAndWait { context in
      let all = try Person.all(sortedBy: \.age, in: context)
      #expect(all.map { $0 is Member } == [false, true])
      #expect(try Member.all(in: context) == [all[1]])
      #expect(try Member.count(in: context) == 1)
      #expect((all[1] as? Member)?.number == 12)
      #expect(all[1].name == "Ann")
      #expect(try context.existingObject(with: id) === all[1])
      var request = FetchRequest("Person")
      request.includesSubentities = false
      #expect(try context.fetch(request) == [all[0]])
      #expect(try Member.first(where: \.name == "Ann" && \.number == 12, in: context) === all[1])
    }
  }

  @Test func anObjectOutsideItsQueueTraps() async {
    await #expect(processExitsWith: .failure) {
      let stack = DataStack(store: MemoryStore(model: People.model), classes: People.classes)
      let queue = stack.newContext()
      let ann = queue.performAndWait { Person.make("Ann", in: $0) }
      withExtendedLifetime(queue) { _ = ann.name }
    }
  }

  @Test func aLoopOverManyRowsHoldsFewObjects() throws {
    let total = 60_000
    let model = try ManagedObjectModel(entities: [
      EntityDescription("Row", attributes: [AttributeDescription("number", .integer64)])
    ])
    let stack = try StoreKind.sqlite.stack(model)
    for batch in 0..<20 {
      try stack.newContext().performAndWait { context in
        for index in 0..<total / 20 {
          try context.insert(entityNamed: "Row")["number"] = .integer(
            Int64(batch * total / 20 + index))
        }
        try context.save()
      }
    }
    let reader = stack.newContext()
    let kept = try reader.performAndWait {
      try #require(try $0.fetch(FetchRequest("Row", limit: 1)).first)
    }
    var (sum, most): (Int64, Int) = (0, 0)
    for offset in stride(from: 0, to: total, by: 5000) {
      try reader.performAndWait { context in
        most = max(most, context.registeredObjects.count)
        let request = FetchRequest(
          "Row", sortedBy: [SortTerm("number")], limit: 5000, offset: offset)
        for row in try context.fetch(request) {
          if case .integer(let number) = row["number"] { sum += number }
        }
      }
    }
    #expect(sum == Int64(total) * Int64(total - 1) / 2)
    #expect(most < 15_000)
    try reader.performAndWait { context in
      let same = try context.existingObject(with: kept.objectID)
      #expect(same === kept)
    }
  }
}
