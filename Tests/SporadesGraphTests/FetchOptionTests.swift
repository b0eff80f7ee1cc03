// SPDX-License-Identifier: MIT
import SporadesGraph
import SporadesModel
import SporadesStore
import Testing

/// What a fetch reads, and what relationships tell without reading.
@Suite struct FetchOptionTests {
  private func inFamily(
    _ kind: StoreKind, depth: Int,
    _ body: (ManagedObjectContext, RefusingStore, DataStack) throws -> Void
  ) throws {
    let store = RefusingStore(try kind.store(People.model))
    let stack = DataStack(store: store, classes: People.classes)
    try stack.newContext().performAndWait { context in
      let ann = Person.make("Ann", age: 1, in: context)
      for _ in 0..<20 { Dog.create(in: context).owner = ann }
      ann.reads = Book.make("abc", in: context)
      ann.shelf = Book.make("xy", in: context)
      ann.notes = [Note.create(in: context), Note.create(in: context)]
      for age in 2..<30 { Person.make("p", age: age, in: context) }
      try context.save()
    }
    let queues = stack.chain(depth: depth)
    try queues[depth - 1].performAndWait { context in
      try body(context, store, stack)
      #expect(context.takeFailures().isEmpty)
    }
  }

  @Test(arguments: StoreKind.allCases, [1, 3])
  func fetchesOfIdsAloneGiveFaultsThatFireTogether(in kind: StoreKind, depth: Int) throws {
    try inFamily(kind, depth: depth) { context, store, _ in
      var byBatch = FetchRequest("Person", sortedBy: [SortTerm("age")])
      byBatch.fetchBatchSize = 10
      var withoutValues = FetchRequest("Person", sortedBy: [SortTerm("age")])
      withoutValues.includesPropertyValues = false
      for var request in [byBatch, withoutValues] {
        context.reset()
        let people = try context.fetch(Person.self, request)
        let before = store.reads
        #expect(people.count == 29)
        #expect(people.allSatisfy { $0.isFault })
        #expect(people.map(\.age) == Array(1..<30))
        // a parent has them since the first round
        #expect(depth == 1 ? store.reads == before + 1 : store.reads <= before + 1)
        context.reset()
        request.returnsObjectsAsFaults = false
        #expect(try context.fetch(request).allSatisfy { !$0.isFault })
      }
      context.reset()
      Person.make("new", age: 0, in: context)
      #expect(try context.fetch(Person.self, byBatch).map(\.age) == Array(0..<30))
      byBatch.includesPendingChanges = false
      #expect(try context.fetch(Person.self, byBatch).map(\.age) == Array(1..<30))
      #expect(try context.fetchIDs(byBatch).count == 29)
      #expect(try context.count(byBatch) == 29)
    }
  }

  @Test(arguments: StoreKind.allCases)
  func subentitiesTakePartUnlessAskedNotTo(in kind: StoreKind) throws {
    try inFamily(kind, depth: 1) { context, _, _ in
      Member.create(in: context)
      for isSaved in [false, true] {
        if isSaved { try context.save() }
        var request = FetchRequest("Person")
        #expect(try context.count(request) == 30)
        #expect(try context.fetch(request).count == 30)
        request.includesSubentities = false
        #expect(try context.count(request) == 29)
        #expect(try context.fetchIDs(request).count == 29)
        #expect(try context.fetchInBatches(Person.self, request).count == 29)
      }
    }
  }

  @Test(arguments: StoreKind.allCases)
  func refetchedObjectsTakeOverWhatOthersSaved(in kind: StoreKind) throws {
    try inFamily(kind, depth: 1) { context, _, stack in
      context.automaticallyMergesChangesFromParent = false
      let ann = try #require(try Person.first(where: \.age == 1, in: context))
      ann.name = "Anna"
      try stack.newContext().performAndWait { context in
        let ann = try #require(try Person.first(where: \.age == 1, in: context))
        (ann.name, ann.home) = ("Annette", Home(city: "Skopelos"))
        try context.save()
      }
      var request = FetchRequest("Person", where: .equals("age", 1))
      #expect(try context.fetch(request) == [ann])
      #expect(ann.name == "Anna")
      #expect(ann.home?.city == nil)
      request.shouldRefreshRefetchedObjects = true
      #expect(try context.fetch(request) == [ann])
      #expect(ann.name == "Anna")
      #expect(ann.home?.city == "Skopelos")
      try context.save()
      #expect(try Person.first(where: \.age == 1, in: context)?.name == "Anna")
    }
  }

  @Test(arguments: StoreKind.allCases, [1, 3])
  func toManyFaultsTellTheirCountAndIdsWithoutRows(in kind: StoreKind, depth: Int) throws {
    try inFamily(kind, depth: depth) { context, _, _ in
      let ann = try #require(try Person.first(where: \.age == 1, in: context))
      let registered = context.registeredObjects.count
      for (name, count) in [("dogs", 20), ("reads", 3), ("shelf", 2), ("notes", 2), ("parent", 0)] {
        #expect(ann.count(forRelationshipNamed: name) == count, "\(name)")
        #expect(ann.objectIDs(forRelationshipNamed: name).count == count, "\(name)")
        #expect(name == "parent" || ann.hasFault(forRelationshipNamed: name))
      }
      #expect(context.registeredObjects.count == registered)
      #expect(ann.dogs.count == 20)
      #expect(ann.count(forRelationshipNamed: "dogs") == 20)
      ann.dogs = []
      #expect(ann.count(forRelationshipNamed: "dogs") == 0)
    }
  }

  @Test(arguments: StoreKind.allCases, [1, 3])
  func joiningAToManyFaultLoadsNothing(in kind: StoreKind, depth: Int) throws {
    try inFamily(kind, depth: depth) { context, store, _ in
      let ann = try #require(try Person.first(where: \.age == 1, in: context))
      let (bob, dog) = (Person.make("Bob", in: context), Dog.create(in: context))
      let before = store.reads
      dog.owner = ann
      ann.add(bob, to: "friends")
      ann.add(Dog.create(in: context), to: "dogs")
      #expect(ann.hasFault(forRelationshipNamed: "dogs"))
      #expect(store.reads == before)
      #expect(ann.hasFault(forRelationshipNamed: "friends"))
      ann.remove(bob, from: "friends")
      #expect(ann.hasFault(forRelationshipNamed: "friends"))
      #expect(store.reads == before)
      #expect(ann.dogs.count == 22)
      #expect(ann.friends.isEmpty)
    }
  }

  @Test(arguments: StoreKind.allCases)
  func primitiveRelationshipsAreOneSidedAndUnnoticed(in kind: StoreKind) throws {
    try inFamily(kind, depth: 1) { context, store, _ in
      let ann = try #require(try Person.first(where: \.age == 1, in: context))
      let bob = try #require(try Person.first(where: \.age == 2, in: context))
      let before = store.reads
      #expect(ann.primitiveObjects(forKey: "dogs").isEmpty)
      #expect(ann.primitiveValue(forKey: "dogs") == .list([]))
      bob.setPrimitiveObject(ann, forKey: "parent")
      #expect(bob.parent === ann)
      #expect(bob.primitiveObject(forKey: "parent") === ann)
      ann.setPrimitiveObjects([bob], forKey: "friends")
      #expect(ann.friends == [bob])
      #expect(ann.primitiveObjects(forKey: "friends") == [bob])
      #expect(store.reads == before)
      #expect(!context.hasChanges)
      #expect(!bob.hasChanges)
      #expect(ann.children.isEmpty)
      #expect(bob.friends.isEmpty)
      context.refresh(bob, mergeChanges: false)
      context.refresh(ann, mergeChanges: false)
      #expect(bob.primitiveObject(forKey: "parent") == nil)
      #expect(bob.isFault)
      #expect(bob.parent == nil)
      #expect(ann.friends.isEmpty)
      bob.willChangeValue(forKey: "parent")
      bob.setPrimitiveObject(Person.make("new", in: context), forKey: "parent")
      bob.didChangeValue(forKey: "parent")
      try context.save()
      context.reset()
      #expect(try Person.first(where: \.age == 2, in: context)?.parent?.name == "new")
    }
  }
}
