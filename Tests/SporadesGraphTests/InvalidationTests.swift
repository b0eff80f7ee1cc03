// SPDX-License-Identifier: MIT
import Dispatch
import SporadesChain
import SporadesGraph
import SporadesModel
import SporadesStore
import SporadesTesting
import Testing

/// Objects whose rows are gone, objects that are made to forget, and blocks that need not wait.
@Suite struct InvalidationTests {
  @Test(arguments: StoreKind.allCases)
  func aFetchThatShowsANewerRowKeepsWhatWasAddedHere(in kind: StoreKind) throws {
    let stack = try kind.people()
    try stack.newContext().performAndWait { context in
      context.automaticallyMergesChangesFromParent = false
      let ann = Person.make("Ann", in: context)
      try context.save()
      let pup = Dog.create(in: context)
      pup.owner = ann
      try stack.saveBeside(ann.objectID) { $0.age = 7 }
      #expect(try Person.all(in: context).map(\.age) == [7])
      #expect(ann.dogs == [pup])
      try context.save()
      #expect(ann.dogCount == 1)
    }
  }

  @Test(arguments: StoreKind.allCases)
  func aDeletionThatIsGivenUpLeavesTheMemberWhereOthersMovedIt(in kind: StoreKind) throws {
    let stack = try kind.people()
    try stack.newContext().performAndWait { context in
      context.mergePolicy = .storeTrump
      let (ann, bob) = (Person.make("Ann", in: context), Person.make("Bob", in: context))
      let rex = Dog.create(in: context)
      rex.owner = ann
      try context.save()
      context.delete(rex)
      ann.age = 7
      try stack.save { other in
        try Dog.first(in: other)?.owner = Person.named("Bob", in: other)
      }
      try context.save()
      #expect(ann.dogs == [])
      #expect(bob.dogs == [rex])
    }
    let counts = try stack.newContext().performAndWait { context in
      try Person.all(sortedBy: \.name, in: context).map(\.dogCount)
    }
    #expect(counts == [0, 1])
  }

  @Test(arguments: StoreKind.atEveryDepth)
  func aContextDecidesAboutEachFaultWithoutARow(in kind: StoreKind) throws {
    let stack = try kind.people()
    let ids = try stack.newContext().performAndWait { context in
      let people = ["Ann", "Bob", "Cid", "Dan"].map { Person.make($0, age: 1, in: context) }
      let dog = Dog.create(in: context)
      dog.owner = people[3]
      try context.save()
      return people.map(\.objectID)
    }
    let queue = stack.context(kind)
    let log = Log()
    let faults = try queue.performAndWait { context in
      context.automaticallyMergesChangesFromParent = false
      context.shouldHandleInaccessibleFault = { object, id, property in
        log.note("\(ids.firstIndex(of: id) ?? -1) \(property ?? "none") \(object.isFault)")
        return id != ids[1]
      }
      return try ids.map { try context.object(with: $0).objectID }
    }
    #expect(faults == ids)
    try stack.save { context in
      for person in try Person.all(in: context) { context.delete(person) }
    }
    func read<Output>(
      _ place: Int, _ body: (Person) -> Output
    ) -> Result<Output, any Error> {
      Result {
        try queue.performAndWait { context in
          let person = try #require(try context.object(with: ids[place]) as? Person)
          return body(person)
        }
      }
    }
    #expect(try read(0) { $0.name }.get() == "")
    #expect(log.take() == ["0 name true"])
    // asked once
    #expect(try read(0) { $0.age }.get() == 0)
    #expect(log.take().isEmpty)
    #expect(try read(2) { $0.parent }.get() == nil)
    #expect(log.take() == ["2 parent true"])
    #expect(try read(3) { $0.value(forKey: "age") }.get() == .null)
    #expect(log.take() == ["3 age true"])
  }

  /// What is not in order is a failure of the block, as far as somebody takes its failures.
  @Test func whatIsNotInOrderIsReported() throws {
    let stack = try StoreKind.memory.people()
    let id = try stack.newContext().performAndWait { context in
      let ann = Person.make("Ann", in: context)
      try context.save()
      return ann.objectID
    }
    let queue = stack.newContext()
    try queue.performAndWait { context in
      context.automaticallyMergesChangesFromParent = false
      context.shouldHandleInaccessibleFault = { _, _, _ in false }
      let ann = try context.object(with: id)
      try stack.save { other in other.delete(try other.existingObject(with: id)) }
      let dog = Dog.create(in: context)
      dog.name = (ann as? Person)?.name ?? ""
      #expect(throws: (any Error).self) {
        try BlockFailures.check(.success(()), context.takeFailures())
      }
    }
  }

  @Test(arguments: StoreKind.atEveryDepth)
  func objectsThatForgetWhatTheyShowedAreTold(in kind: StoreKind) throws {
    let stack = try kind.people()
    try stack.save { context in
      for name in ["Ann", "Bob", "Cid"] { Person.make(name, in: context) }
    }
    let queue = stack.context(kind)
    var told: [ContextChange] = []
    let observation = queue.performAndWait { context in
      context.observe { if $0.name == .objectsDidChange { told.append($0) } }
    }
    defer { observation.end() }
    let (ann, bob, cid) = try queue.performAndWait { context in
      let people = try Person.all(sortedBy: \.name, in: context)
      people[0].age = 1
      context.refresh(people[0], mergeChanges: false)
      context.refresh(people[1], mergeChanges: false)
      context.refresh(people[2], mergeChanges: true)
      context.refresh(try context.object(with: people[1].objectID), mergeChanges: false)
      #expect(people[0].age == 0)
      return (people[0].objectID, people[1].objectID, people[2].objectID)
    }
    #expect(told.count == 1)
    #expect(Set(told.flatMap(\.invalidatedObjects).map(\.objectID)) == [ann, bob])
    #expect(told.first?.ids.invalidatedObjectIDs == [ann, bob])
    #expect(told.first?.ids.refreshedObjectIDs == [cid])
    #expect(told.first?.ids.isEmpty == false)
    queue.performAndWait { _ in }
    #expect(told.count == 1)
  }

  @Test func blocksRunAtOnceWhereTheCallerIsOnTheQueue() async throws {
    let stack = DataStack(
      store: MemoryStore(model: People.model), classes: People.classes, mainQueue: .main)
    let order = Guarded<[String]>([])
    await onMain {
      stack.main.performLater { _ in order.withLock { $0.append("later") } }
      await stack.main.perform(schedule: .immediate) { _ in
        order.withLock { $0.append("immediate") }
      }
      await stack.main.perform(schedule: .enqueued) { _ in
        order.withLock { $0.append("enqueued") }
      }
    }
    #expect(order.withLock(\.self) == ["immediate", "later", "enqueued"])
    let isInPlace = await onMain { stack.main.performAndWait { _ in true } }
    #expect(isInPlace)
    // valueOutsideRow it waits its turn
    let context = stack.newContext()
    context.performLater { _ in order.withLock { $0.append("first") } }
    await context.perform(schedule: .immediate) { _ in order.withLock { $0.append("second") } }
    #expect(order.withLock { $0.suffix(2) } == ["first", "second"])
  }

  @MainActor
  private func onMain<Output: Sendable>(_ body: @MainActor () async -> Output) async -> Output {
    await body()
  }
}
