// SPDX-License-Identifier: MIT
import SporadesGraph
import SporadesModel
import SporadesStore
import Testing

/// A fault that fires takes its siblings along, and a walk over many objects holds few.
@Suite struct FaultBatchTests {
  /// How a fault comes to its siblings.
  enum Way: CaseIterable { case oneByOne, together, byID, refreshed }

  /// A store of 1000 dogs with 200 owners, and a context `depth` levels above it.
  private func inKennel(
    _ kind: StoreKind, depth: Int = 1,
    _ body: (ManagedObjectContext, RefusingStore) throws -> Void
  ) throws {
    try inKennel(kind, depth: depth) { context, store, _ in try body(context, store) }
  }

  private func inKennel(
    _ kind: StoreKind, depth: Int = 1,
    _ body: (ManagedObjectContext, RefusingStore, DataStack) throws -> Void
  ) throws {
    let store = RefusingStore(try kind.store(People.model))
    let stack = DataStack(store: store, classes: People.classes)
    try stack.newContext().performAndWait { context in
      let people = (0..<200).map { Person.make("p\($0)", age: $0, in: context) }
      for number in 0..<1000 {
        let dog = Dog.create(in: context)
        dog.weight = number
        // far apart, so that no page leads to all of them in a row
        dog.owner = people[number * 7 % 200]
      }
      try context.save()
    }
    let queues = stack.chain(depth: depth)
    try queues[depth - 1].performAndWait { context in
      try body(context, store, stack)
      #expect(context.takeFailures().isEmpty)
    }
  }

  @Test(arguments: StoreKind.allCases, [1, 3])
  func faultsFireTogether(in kind: StoreKind, depth: Int) throws {
    for way in Way.allCases {
      try inKennel(kind, depth: depth) { context, store in
        let dogs = try Dog.all(sortedBy: \.weight, in: context)
        var names: [String] = []
        if way == .refreshed {
          for dog in dogs { _ = dog.owner?.name }
          context.refreshAllObjects()
        }
        let before = store.reads
        switch way {
        case .oneByOne: for dog in dogs { names.append(dog.owner?.name ?? "") }
        case .together: names = dogs.map(\.owner).map { $0?.name ?? "" }
        case .byID:
          let ids = dogs.flatMap { $0.objectIDs(forRelationshipNamed: "owner") }
          let owners = try ids.map { try context.object(with: $0) }
          names = owners.map { ($0 as? Person)?.name ?? "" }
        case .refreshed: names = dogs.map { $0.owner?.name ?? "" }
        }
        #expect(names == (0..<1000).map { "p\($0 * 7 % 200)" })
        // the dogs themselves became faults when they were refreshed
        #expect(store.reads - before <= (way == .refreshed ? 8 : 2), "\(way)")
      }
    }
  }

  @Test(arguments: StoreKind.allCases)
  func pagesInHandAskNothing(in kind: StoreKind) throws {
    try inKennel(kind) { context, store in
      let dogs = try Dog.all(in: context)
      let people = try Person.all(in: context)
      let before = store.reads
      #expect(dogs.allSatisfy { $0.owner?.name.isEmpty == false })
      #expect(people.count == 200)
      #expect(store.reads == before)
    }
  }

  @Test(arguments: StoreKind.allCases)
  func aSiblingWhoseRowIsGoneStaysAFaultUntilItIsAskedFor(in kind: StoreKind) throws {
    try inKennel(kind) { context, _, stack in
      let people = try Person.all(sortedBy: \.age, limit: 3, in: context)
      let ids = people.map(\.objectID)
      context.refreshAllObjects()
      context.automaticallyMergesChangesFromParent = false
      try stack.newContext().performAndWait { context in
        context.delete(try context.existingObject(with: ids[1]))
        try context.save()
      }
      #expect(people[0].name == "p0")
      #expect(!people[2].isFault)
      #expect(people[1].isFault)
      #expect(people[1].name.isEmpty)
      #expect(people[1].isFault)
    }
  }

  @Test(arguments: StoreKind.allCases)
  func aFailureIsToldAndTheFaultCanBeAskedAgain(in kind: StoreKind) throws {
    try inKennel(kind) { context, store in
      let dogs = try Dog.all(sortedBy: \.weight, in: context)
      let owners = dogs.map(\.owner)
      store.refusesReading = true
      #expect(owners[0]?.name == "")
      #expect(context.takeFailures().count == 1)
      store.refusesReading = false
      #expect(owners.allSatisfy { $0?.name.first == "p" })
    }
  }

  @Test(arguments: StoreKind.allCases)
  func changedSiblingsKeepTheirChanges(in kind: StoreKind) throws {
    try inKennel(kind) { context, _ in
      let people = try Person.all(sortedBy: \.age, limit: 3, in: context)
      context.refreshAllObjects()
      people[1].name = "changed"
      context.refresh(people[0], mergeChanges: false)
      #expect(people[0].name == "p0")
      #expect(people[1].name == "changed")
      #expect(context.updatedObjects == [people[1]])
    }
  }
}
