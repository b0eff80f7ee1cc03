// SPDX-License-Identifier: MIT
import Dispatch
import SporadesChain
import SporadesGraph
import SporadesModel
import SporadesStore
import Testing

/// What contexts tell of what happens in them.
@Suite struct NotificationTests {
  private struct Refusal: Error {}

  private func anns(_ stack: DataStack) throws -> ManagedObjectID {
    try stack.newContext().performAndWait { context in
      let ann = Person.make("Ann", age: 1, in: context)
      try context.save()
      return ann.objectID
    }
  }

  @Test(arguments: StoreKind.allCases)
  func aSaveIsToldBeforeAndAfterWithItsObjects(in kind: StoreKind) throws {
    let queue = try kind.people().newContext(name: "editor")
    try queue.performAndWait { context in
      let (keep, drop) = (Person.make("Keep", in: context), Person.make("Drop", in: context))
      try context.save()
      var changes: [ContextChange] = []
      let observation = context.observe { changes.append($0) }
      let new = Person.make("New", in: context)
      keep.age = 5
      context.delete(drop)
      try context.save()
      observation.end()
      keep.age = 6
      try context.save()
      #expect(changes.map(\.name) == [.objectsDidChange, .willSave, .didSave])
      for change in changes {
        #expect(change.insertedObjects == [new])
        #expect(change.updatedObjects == [keep])
        #expect(change.deletedObjects == [drop])
        #expect(change.notification.contextName == "editor")
      }
      let ids = changes[2].ids
      #expect(ids.insertedObjectIDs == [new.objectID])
      #expect(ids.updatedObjectIDs == [keep.objectID])
      #expect(ids.deletedObjectIDs == [drop.objectID])
      #expect(changes[2].notification.didSave?.changes == ids)
    }
  }

  @Test(arguments: StoreKind.allCases)
  func changesAreToldAtTheEndOfTheirBlockAndOnce(in kind: StoreKind) throws {
    let queue = try kind.people().newContext()
    var names: [ContextNotification.Name] = []
    var last: ContextChange?
    let (observation, ann) = queue.performAndWait { context in
      let observation = context.observe {
        names.append($0.name)
        last = $0
      }
      return (observation, Person.make("Ann", in: context))
    }
    #expect(names == [.objectsDidChange])
    #expect(last?.insertedObjects == [ann])
    queue.performAndWait { _ in ann.age = 1 }
    #expect(names.count == 2)
    #expect(last?.updatedObjects == [ann])
    queue.performAndWait { _ in ann.age = 1 }
    #expect(names.count == 2)
    queue.performAndWait { $0.delete(ann) }
    #expect(names.count == 3)
    #expect(last?.deletedObjects == [ann])
    observation.end()
  }

  @Test(arguments: StoreKind.allCases)
  func whatOthersSavedIsShownWhenItIsTold(in kind: StoreKind) async throws {
    let stack = try kind.people()
    let id = try anns(stack)
    let held = try stack.main.performAndWait { context in
      let object = try context.existingObject(with: id)
      return (object as? Person)?.age
    }
    #expect(held == 1)
    let news = stack.main.notifications
    try await stack.newContext().perform { context in
      (try context.existingObject(with: id) as? Person)?.age = 2
      Person.make("Bob", in: context)
      try context.save()
    }
    var seen: [ContextNotification.Name] = []
    for await notification in news {
      seen.append(notification.name)
      #expect(notification.missed == 0)
      guard notification.name == .didMergeChanges else { continue }
      #expect(notification.ids.updatedObjectIDs == [id])
      #expect(notification.ids.insertedObjectIDs.count == 1)
      break
    }
    #expect(seen == [.objectsDidChange, .didMergeChanges])
    let age = await stack.main.perform { context in
      (context.registeredObject(for: id) as? Person)?.age
    }
    #expect(age == 2)
  }

  /// Also where the context is busy when it is asked, and merges the save before anything else.
  @Test func aSubscriptionBeginsWhereItIsMade() async throws {
    let stack = try StoreKind.memory.people()
    let gate = DispatchSemaphore(value: 0)
    stack.main.performLater { _ in gate.wait() }
    let news = stack.main.notifications
    let first = try anns(stack)
    gate.signal()
    await stack.main.perform { _ in }
    _ = try anns(stack)
    let merged = await news.first { $0.name == .didMergeChanges }
    #expect(merged?.ids.insertedObjectIDs == [first])
  }

  @Test(arguments: StoreKind.allCases)
  func aStackTellsItsSavesInTheirOrder(in kind: StoreKind) async throws {
    let stack = try kind.people()
    let (first, second) = (stack.changes, stack.changes)
    var expected: [Set<ManagedObjectID>] = []
    for number in 0..<20 {
      let queue = stack.newContext(name: "writer \(number)")
      expected.append(
        try await queue.perform { context in
          let person = Person.make("\(number)", in: context)
          try context.save()
          return [person.objectID]
        })
    }
    for sequence in [first, second] {
      var iterator = sequence.makeAsyncIterator()
      for number in 0..<20 {
        let save = try #require(await iterator.next())
        #expect(save.insertedObjectIDs == expected[number])
        #expect(save.contextName == "writer \(number)")
        #expect(save.missed == 0)
      }
    }
  }

  @Test func aConsumerTooFarBehindHearsHowMuchItMissed() async throws {
    let stack = try StoreKind.memory.people()
    let changes = stack.changes
    try stack.newContext().performAndWait { context in
      for number in 0..<1030 {
        Note.create(in: context).text = "\(number)"
        try context.save()
      }
    }
    var iterator = changes.makeAsyncIterator()
    let missed = await iterator.next()?.missed
    let none = await iterator.next()?.missed
    #expect(missed == 6)
    #expect(none == 0)
  }

  @Test func aSequenceEndsWithItsContext() async throws {
    var queue: ContextQueue? = try StoreKind.memory.people().newContext()
    let news = try #require(queue?.notifications)
    queue?.performAndWait { _ = Note.create(in: $0) }
    queue = nil
    var count = 0
    for await _ in news { count += 1 }
    #expect(count == 1)
  }

  @Test(arguments: StoreKind.allCases)
  func anObserverThatThrowsOrSavesStopsNobody(in kind: StoreKind) throws {
    let stack = try kind.people()
    try stack.newContext().performAndWait { context in
      var (failures, before, after) = (0, [String](), [String]())
      func note(_ change: ContextChange, _ list: inout [String]) {
        guard change.name == .didSave else { return }
        list.append(change.insertedObjects.compactMap { ($0 as? Note)?.text }.joined())
      }
      let observations = [
        context.observe { note($0, &before) },
        context.observe({ _ in throw Refusal() }, onError: { _ in failures += 1 }),
        context.observe { change in
          guard change.name == .didSave, before.count == 1 else { return }
          Note.create(in: change.context).text = "second"
          try change.context.save()
        },
        context.observe { note($0, &after) },
      ]
      Note.create(in: context).text = "first"
      try context.save()
      #expect(before == ["first", "second"])
      #expect(after == before)
      #expect(failures > 0)
      #expect(try Note.count(in: context) == 2)
      #expect(!context.hasChanges)
      for observation in observations { observation.end() }
    }
  }

  @Test func aSaveThatIsRefusedIsNotToldAsDone() throws {
    let store = RefusingStore(try StoreKind.memory.store(People.model))
    let stack = DataStack(store: store, classes: People.classes)
    try stack.newContext().performAndWait { context in
      var names: [ContextNotification.Name] = []
      let observation = context.observe { names.append($0.name) }
      store.refuses = true
      Note.create(in: context).text = "x"
      #expect(throws: StoreError.self) { try context.save() }
      #expect(names == [.objectsDidChange, .willSave])
      store.refuses = false
      try context.save()
      #expect(names.suffix(2) == [.willSave, .didSave])
      observation.end()
    }
  }
}
