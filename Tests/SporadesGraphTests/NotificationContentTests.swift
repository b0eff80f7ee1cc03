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
  func objectsThatOthersInsertedAndDeletedAreToldAsSuch(in kind: StoreKind) throws {
    let stack = try kind.people()
    let id = try makeAnn(stack)
    let queue = stack.newContext()
    var heard: [ContextChange] = []
    let (ann, observation) = try queue.performAndWait { context in
      (try context.existingObject(with: id), context.observe { heard.append($0) })
    }
    let ids = try stack.newContext().performAndWait { context in
      context.delete(try context.existingObject(with: id))
      let (bob, note) = (Person.make("Bob", in: context), Note.create(in: context))
      try context.save()
      return Set([bob.objectID, note.objectID])
    }
    queue.performAndWait { context in
      #expect(!context.hasChanges)
    }
    #expect(heard.map(\.name) == [.objectsDidChange, .didMergeChanges])
    let change = try #require(heard.first)
    #expect(Set(change.insertedObjects.map(\.objectID)) == ids)
    #expect(change.ids.insertedObjectIDs == ids)
    #expect(change.deletedObjects == [ann])
    #expect(change.refreshedObjects.isEmpty && change.updatedObjects.isEmpty)
    queue.performAndWait { _ in
      let names = change.insertedObjects.compactMap { ($0 as? Person)?.name }
      #expect(names == ["Bob"])
    }
    observation.end()
  }

  /// Also what a parent shows its child, and what was told by id alone.
  @Test func insertedObjectsAreToldHoweverTheyArrive() async throws {
    let stack = try StoreKind.memory.people()
    let parent = stack.newContext()
    let child = stack.newChild(of: parent)
    var heard: [ContextChange] = []
    let observation = child.performAndWait { context in
      context.automaticallyMergesChangesFromParent = true
      return context.observe { if $0.name != .willSave { heard.append($0) } }
    }
    let beside = try stack.newChild(of: parent).performAndWait { context in
      let bob = Person.make("Bob", in: context)
      try context.save()
      return bob.objectID
    }
    child.performAndWait { _ in }
    #expect(heard.map(\.name) == [.objectsDidChange, .didMergeChanges])
    #expect(heard.map(\.ids.insertedObjectIDs) == [[beside], [beside]])
    #expect(heard.allSatisfy { $0.ids.refreshedObjectIDs.isEmpty })
    #expect(heard.allSatisfy { $0.ids.updatedObjectIDs.isEmpty })
    heard = []
    let stored = try makeAnn(stack)
    parent.performAndWait { _ in }
    child.performAndWait { _ in }
    #expect(heard.map(\.ids.insertedObjectIDs) == [[stored], [stored]])
    observation.end()
    let quiet = stack.newContext()
    let other = try quiet.performAndWait { context in
      context.automaticallyMergesChangesFromParent = false
      _ = try context.fetch(FetchRequest("Person"))
      return context.observe { heard.append($0) }
    }
    heard = []
    let late = try makeAnn(stack)
    try await ManagedObjectContext.mergeChanges(
      fromRemoteContextSave: ObjectIDChanges(inserted: [late]), into: [quiet])
    #expect(heard.map(\.ids.insertedObjectIDs) == [[late], [late]])
    other.end()
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
      if notification.ids.insertedObjectIDs.contains(where: \.isTemporaryID) { break }
    }
    #expect(names == [.objectsDidChange, .didMergeChanges, .objectsDidChange])
  }
}
