// SPDX-License-Identifier: MIT
import SporadesGraph
import SporadesModel
import SporadesStore
import Testing

/// What each part of a fetch request asks for, unsaved changes included.
@Suite struct RequestTests {
  /// Stored are Ann, 1, to Eve, 5; unsaved are Fay, 6, and that Ann is 9.
  private func withPeople(
    _ kind: StoreKind, _ body: (ManagedObjectContext) throws -> Void
  ) throws {
    try kind.people().newContext().performAndWait { context in
      for (index, name) in ["Ann", "Bob", "Cid", "Dan", "Eve"].enumerated() {
        Person.make(name, age: index + 1, in: context)
      }
      try context.save()
      Person.make("Fay", age: 6, in: context)
      try Person.named("Ann", in: context).age = 9
      try body(context)
    }
  }

  @Test(arguments: StoreKind.allCases)
  func limitsAndOffsetsCutWhatIsOrdered(in kind: StoreKind) throws {
    try withPeople(kind) { context in
      func names(_ limit: Int?, _ offset: Int) throws -> [String] {
        let request = FetchRequest(
          "Person", sortedBy: [SortTerm("age")], limit: limit, offset: offset)
        #expect(try context.count(request) == context.fetch(request).count)
        return try context.fetch(Person.self, request).map(\.name)
      }
      for _ in 0..<2 {
        #expect(try names(nil, 0) == ["Bob", "Cid", "Dan", "Eve", "Fay", "Ann"])
        #expect(try names(2, 0) == ["Bob", "Cid"])
        #expect(try names(2, 4) == ["Fay", "Ann"])
        #expect(try names(nil, 5) == ["Ann"])
        #expect(try names(3, 6).isEmpty)
        #expect(try names(0, 0).isEmpty && names(0, 3).isEmpty)
        try context.save()
      }
    }
  }

  @Test(arguments: StoreKind.allCases)
  func unsavedChangesAreLeftOutWhereAsked(in kind: StoreKind) throws {
    try withPeople(kind) { context in
      var request = FetchRequest(
        "Person", where: try FetchPredicate(format: "age >= 5"), sortedBy: [SortTerm("age")])
      #expect(try context.fetch(Person.self, request).map(\.name) == ["Eve", "Fay", "Ann"])
      request.includesPendingChanges = false
      #expect(try context.fetch(Person.self, request).map(\.name) == ["Eve"])
      #expect(try context.count(request) == 1)
      #expect(try context.fetchIDs(request).count == 1)
      request.predicate = try FetchPredicate(format: "age == 1")
      let ann = try #require(try context.fetch(Person.self, request).first)
      #expect(ann.name == "Ann")
      #expect(ann.age == 9)
    }
  }

  @Test(arguments: StoreKind.allCases)
  func ordersFollowKeyPathsDirectionsAndFolding(in kind: StoreKind) throws {
    try withPeople(kind) { context in
      let people = try Person.all(sortedBy: "name", in: context)
      people[0].parent = people[5]
      people[1].parent = people[4]
      people[2].name = "éve"
      func names(_ terms: SortTerm...) throws -> String {
        try context.fetch(Person.self, FetchRequest("Person", sortedBy: terms)).map(\.name)
          .joined(separator: " ")
      }
      for _ in 0..<2 {
        #expect(
          try names(SortTerm("parent.name", ascending: false), SortTerm("age"))
            == "Ann Bob éve Dan Eve Fay")
        #expect(try names(SortTerm("name")) == "Ann Bob Dan Eve Fay éve")
        let folded = SortTerm("name", options: [.caseInsensitive, .diacriticInsensitive])
        #expect(try names(folded, SortTerm("age")) == "Ann Bob Dan éve Eve Fay")
        try context.save()
      }
    }
  }

  @Test(arguments: StoreKind.allCases)
  func idsAndCountsMakeNoObjects(in kind: StoreKind) throws {
    try withPeople(kind) { context in
      try context.save()
      context.reset()
      let request = FetchRequest("Person", sortedBy: [SortTerm("age")], limit: 3)
      let ids = try context.fetchIDs(request)
      #expect(try context.count(request) == 3)
      #expect(context.registeredObjects.isEmpty)
      let objects = try context.fetch(request)
      #expect(objects.map(\.objectID) == ids)
      #expect(context.registeredObjects == Set(objects))
    }
  }

  @Test(arguments: StoreKind.allCases)
  func registeredObjectsAreThoseInUseAndThoseChanged(in kind: StoreKind) throws {
    try withPeople(kind) { context in
      context.reset()
      let bob = try Person.named("Bob", in: context)
      let dog = Dog.create(in: context)
      #expect(context.registeredObjects == [bob, dog])
      #expect(context.registeredObject(for: bob.objectID) === bob)
      context.reset()
      #expect(context.registeredObjects.isEmpty)
      #expect(context.registeredObject(for: bob.objectID) == nil)
    }
  }

  @Test(arguments: StoreKind.allCases)
  func registeredObjectsAreHeldBySomebody(in kind: StoreKind) throws {
    try withPeople(kind) { context in
      context.reset()
      let count = try Person.all(in: context).count
      #expect(count > 1 && context.registeredObjects.isEmpty)
      var bob: Person? = try Person.named("Bob", in: context)
      #expect(context.registeredObjects == [try #require(bob)])
      bob?.age += 1
      bob = nil
      #expect(context.registeredObjects.count == 1)
      context.rollback()
      #expect(context.registeredObjects.isEmpty)
      var owner: Person? = try Person.named("Bob", in: context)
      owner?.dogs = [Dog.create(in: context)]
      try context.save()
      #expect(context.registeredObjects.count == 2)
      owner = nil
      #expect(context.registeredObjects.isEmpty)
      context.retainsRegisteredObjects = true
      _ = try Person.all(in: context)
      #expect(context.registeredObjects.count == count)
    }
  }

  @Test(arguments: StoreKind.allCases)
  func anEntityTheModelDoesNotHaveIsRefused(in kind: StoreKind) throws {
    try withPeople(kind) { context in
      #expect(throws: ContextError.self) { try context.fetch(FetchRequest("Persons")) }
      #expect(throws: ContextError.self) { try context.count(FetchRequest("Persons")) }
      #expect(throws: ContextError.self) { try context.insert(entityNamed: "Persons") }
    }
  }

  @Test(arguments: StoreKind.allCases)
  func anObjectFetchedAgainShowsItsRowUnlessItWasChanged(in kind: StoreKind) throws {
    let stack = try kind.people()
    let queue = stack.newContext()
    let people = try queue.performAndWait { context in
      context.automaticallyMergesChangesFromParent = false
      let people = ["Ann", "Bob"].map { Person.make($0, age: 1, in: context) }
      try context.save()
      return people
    }
    queue.performAndWait { _ in people[1].age = 2 }
    try stack.newContext().performAndWait { context in
      for person in try Person.all(in: context) { person.age = 9 }
      try context.save()
    }
    try queue.performAndWait { context in
      #expect(people.map(\.age) == [1, 2])
      let again = try Person.all(sortedBy: \.name, in: context)
      #expect(again == people)
      #expect(people.map(\.age) == [9, 2])
    }
  }
}
