// SPDX-License-Identifier: MIT
import Dispatch
import SporadesChain
import SporadesGraph
import SporadesModel
import SporadesStore
import Testing

/// What notifications and conflicts hold.
@Suite struct NotificationContentTests {
  private func makeAnn(_ stack: DataStack) throws -> ManagedObjectID {
    try stack.newContext().performAndWait { context in
      let ann = Person.make("Ann", age: 1, in: context)
      try context.save()
      return ann.objectID
    }
  }

  private func setAge(_ age: Int, of id: ManagedObjectID, _ stack: DataStack) throws {
    try stack.newContext().performAndWait { context in
      (try context.existingObject(with: id) as? Person)?.age = age
      try context.save()
    }
  }

  @Test(arguments: StoreKind.allCases)
  func objectsThatShowWhatOthersSavedAreRefreshed(in kind: StoreKind) throws {
    let stack = try kind.people()
    let id = try makeAnn(stack)
    let queue = stack.newContext()
    var heard: [ContextChange] = []
    let (ann, observation) = try queue.performAndWait { context in
      let ann = try #require(try context.existingObject(with: id) as? Person)
      return (ann, context.observe { heard.append($0) })
    }
    try setAge(2, of: id, stack)
    queue.performAndWait { _ in #expect(ann.age == 2) }
    let change = try #require(heard.first { $0.name == .objectsDidChange })
    #expect(change.refreshedObjects == [ann])
    #expect(change.ids.refreshedObjectIDs == [id])
    #expect(change.updatedObjects.isEmpty)
    #expect(change.insertedObjects.isEmpty)
    observation.end()
  }

  @Test(arguments: StoreKind.allCases)
  func aConflictTellsTheVersionsOfItsRow(in kind: StoreKind) throws {
    let stack = try kind.people()
    let id = try makeAnn(stack)
    try stack.newContext().performAndWait { context in
      let ann = try #require(try context.existingObject(with: id) as? Person)
      ann.age = 10
      for age in 2...4 { try setAge(age, of: id, stack) }
      let error = try #require(#expect(throws: StoreError.self) { try context.save() })
      let conflict = try #require(error.mergeConflicts.first)
      #expect(conflict.oldVersionNumber == 1)
      #expect(conflict.newVersionNumber == 4)
      #expect(conflict.persistedSnapshot?["name"] == "Ann")
    }
  }

  @Test func blocksRunInTheOrderTheyAreAskedFor() async throws {
    let queue = try StoreKind.memory.people().newContext()
    for number in 0..<100 {
      queue.performLater { context in
        #expect(context.insertedObjects.count == number)
        Note.create(in: context)
      }
    }
    let count = await queue.perform { $0.insertedObjects.count }
    #expect(count == 100)
    #expect(queue.performAndWait { $0.insertedObjects.count } == 100)
  }

  /// The queue is held while somebody asks for notifications and somebody else saves.
  @Test(arguments: StoreKind.allCases)
  func nothingIsMissedBetweenAskingAndHearing(in kind: StoreKind) async throws {
    let stack = try kind.people()
    let queue = stack.newContext()
    let held = DispatchSemaphore(value: 0)
    queue.performLater { _ in held.wait() }
    let news = queue.notifications
    let id = try makeAnn(stack)
    held.signal()
    await queue.perform { context in _ = Note.create(in: context) }
    var names: [ContextNotification.Name] = []
    for await notification in news {
      names.append(notification.name)
      if notification.name == .didMergeChanges {
        #expect(notification.ids.insertedObjectIDs == [id])
      }
      if notification.name == .objectsDidChange { break }
    }
    #expect(names == [.didMergeChanges, .objectsDidChange])
  }
}
