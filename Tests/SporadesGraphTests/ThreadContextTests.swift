// SPDX-License-Identifier: MIT
import Dispatch
import Foundation
import SporadesChain
import SporadesGraph
import SporadesModel
import SporadesStore
import Testing

/// Contexts that a thread holds, without a queue.
@Suite struct ThreadContextTests {
  @Test(arguments: StoreKind.allCases) func objectsAreUsedWithoutABlock(in kind: StoreKind) throws {
    let stack = try kind.people()
    let context = stack.newThreadContext(name: "tool")
    let ann = Person.make("Ann", in: context)
    try context.save()
    ann.name = "Anna"
    #expect(ann.hasChanges)
    try context.save()
    #expect(try stack.newContext().performAndWait(Person.names) == ["Anna"])
  }

  @Test func savesOfOthersAreSeenByTheNextFetch() throws {
    let stack = try StoreKind.memory.people()
    let context = stack.newThreadContext()
    let ann = Person.make("Ann", in: context)
    try context.save()
    let id = ann.objectID
    try stack.saveBeside(id) { $0.name = "Anna" }
    // The thread's objects stay as they are between two fetches.
    #expect(ann.name == "Ann")
    #expect(try Person.names(in: context) == ["Anna"])
    #expect(ann.name == "Anna")
  }

  @Test func aSaveTakesOverTheSavesOfOthersFirst() throws {
    let stack = try StoreKind.memory.people()
    let context = stack.newThreadContext()
    let ann = Person.make("Ann", in: context)
    try context.save()
    let id = ann.objectID
    try stack.saveBeside(id) { $0.age = 40 }
    ann.name = "Anna"
    try context.save()
    #expect(ann.age == 40)
    #expect(ann.name == "Anna")
  }

  /// What a hook fetches in the middle of a save must not move the ground under the save.
  @Test func aFetchInsideASaveTakesNothingOver() throws {
    let stack = try StoreKind.memory.people()
    let context = stack.newThreadContext()
    let ann = Person.make("Ann", in: context)
    try context.save()
    let id = ann.objectID
    var heard: [ContextNotification.Name] = []
    let observation = context.observe { change in
      heard.append(change.name)
      guard change.name == .willSave else { return }
      try stack.saveBeside(id) { $0.age = 50 }
      _ = try context.count(FetchRequest("Person"))
    }
    Person.make("Ben", in: context)
    try context.save()
    #expect(heard == [.objectsDidChange, .willSave, .didSave])
    _ = try context.count(FetchRequest("Person"))
    #expect(heard.last == .didMergeChanges)
    #expect(ann.age == 50)
    observation.end()
  }

  @Test func observersHearBeforeTheNextFetch() throws {
    let stack = try StoreKind.memory.people()
    let context = stack.newThreadContext()
    var inserted = 0
    let observation = context.observe { change in
      if change.name == .objectsDidChange { inserted += change.insertedObjects.count }
    }
    Person.make("Ann", in: context)
    #expect(inserted == 0)
    _ = try context.count(FetchRequest("Person"))
    #expect(inserted == 1)
    observation.end()
  }

  @Test func aPieceOfWorkIsOneStepToUndo() throws {
    let stack = try StoreKind.memory.people()
    let context = stack.newThreadContext()
    let manager = ContextUndoManager()
    context.undoManager = manager
    let ann = Person.make("Ann", in: context)
    _ = try context.count(FetchRequest("Person"))
    ann.name = "Anna"
    context.undo()
    #expect(ann.name == "Ann")
  }

  @Test func aChildOnAThreadSavesIntoItsParent() throws {
    let stack = try StoreKind.memory.people()
    let parent = stack.newContext()
    let child = stack.newThreadContext(over: parent)
    Person.make("Ann", in: child)
    try child.save()
    #expect(try parent.performAndWait(Person.names) == ["Ann"])
    #expect(try stack.newContext().performAndWait(Person.names) == [])
    try parent.performAndWait { try $0.save() }
    #expect(try stack.newContext().performAndWait(Person.names) == ["Ann"])
  }

  @Test func aContextThatIsDroppedIsNotKept() throws {
    let stack = try StoreKind.memory.people()
    weak var dropped: ManagedObjectContext?
    do {
      let context = stack.newThreadContext()
      Person.make("Ann", in: context)
      try context.save()
      dropped = context
    }
    #expect(dropped == nil)
    #expect(try stack.newContext().performAndWait(Person.names) == ["Ann"])
  }

  /// The thread holds its context all the time, and waits for others nevertheless.
  @Test func theThreadMayWaitForOtherContexts() throws {
    let stack = try StoreKind.memory.people()
    let context = stack.newThreadContext()
    Person.make("Ann", in: context)
    try context.save()
    let count = try stack.main.performAndWait { main in
      try main.count(FetchRequest("Person"))
    }
    #expect(count == 1)
  }

  @Test func useOnAnotherThreadTraps() async {
    await #expect(processExitsWith: .failure) {
      let stack = try StoreKind.memory.people()
      let ended = DispatchSemaphore(value: 0)
      let leaked = Guarded<ManagedObjectContext?>(nil)
      Thread.detachNewThread {
        leaked.withLock { $0 = stack.newThreadContext() }
        ended.signal()
      }
      ended.wait()
      leaked.withLock { context in
        // An error is no trap, and must not be taken for one.
        _ = try? context?.count(FetchRequest("Person"))
      }
    }
  }

  @Test func useOnItsOwnThreadDoesNotTrap() async {
    await #expect(processExitsWith: .success) {
      let stack = try StoreKind.memory.people()
      let leaked = Guarded<ManagedObjectContext?>(nil)
      leaked.withLock { $0 = stack.newThreadContext() }
      try leaked.withLock { context in
        _ = try context?.count(FetchRequest("Person"))
      }
    }
  }
}
