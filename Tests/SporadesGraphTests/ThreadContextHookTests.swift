// SPDX-License-Identifier: MIT
import Dispatch
import Foundation
import Sporades
import SporadesChain
import SporadesGraph
import SporadesModel
import SporadesStore
import SporadesTesting
import Testing

/// Hooks and observers that fetch and save in a context that a thread holds.
@Suite struct ThreadContextHookTests {
  @Test(arguments: [false, true]) func aSaveOfAnObserverKnowsOnlyWhatWasMerged(onThread: Bool)
    throws
  {
    let stack = try StoreKind.memory.people()
    func work(_ context: ManagedObjectContext, _ trigger: () throws -> Void) throws {
      let ann = Person.make("Ann", in: context)
      let club = Club.create(in: context)
      try context.save()
      let (annID, clubID) = (ann.objectID, club.objectID)
      var refusal: (any Error)?
      var done = false
      let observation = context.observe { change in
        guard change.name == .objectsDidChange, !done, !change.refreshedObjects.isEmpty else {
          return
        }
        done = true
        ann.club = club
        do { try context.save() } catch { refusal = error }
      }
      let gone = DispatchSemaphore(value: 0)
      Thread.detachNewThread {
        do {
          try stack.saveBeside(annID) { $0.name = "Anna" }
          try stack.newContext().performAndWait { other in
            other.delete(try other.existingObject(with: clubID))
            try other.save()
          }
        } catch { Issue.record(error) }
        gone.signal()
      }
      gone.wait()
      try trigger()
      observation.end()
      // What the store says.
      let dangling = try stack.newContext().performAndWait { other -> [String] in
        let ann = try other.existingObject(with: annID) as? Person
        return ann?.objectIDs(forRelationshipNamed: "club").map(\.description) ?? []
      }
      #expect(done)
      #expect(refusal != nil)
      #expect(dangling.isEmpty)
    }
    if onThread {
      let context = stack.newThreadContext()
      try work(context) { _ = try context.count(FetchRequest("Person")) }
    } else {
      let queue = stack.newContext()
      // One block makes everything; arrivals come when a nested block begins.
      try queue.performAndWait { context in
        try work(context) { queue.performAndWait { _ in } }
      }
    }
  }

  @Test func undoTakesBackNoSaveOfOthersThatAnObserverSaw() throws {
    let stack = try StoreKind.memory.people()
    let context = stack.newThreadContext()
    let ann = Person.make("Ann", in: context)
    try context.save()
    let id = ann.objectID
    let manager = ContextUndoManager()
    context.undoManager = manager
    ann.age = 7
    _ = try context.count(FetchRequest("Person"))
    #expect(manager.canUndo)
    let observation = context.observe { change in
      if change.name == .didMergeChanges { _ = try context.count(FetchRequest("Person")) }
    }
    try stack.saveBeside(id) { $0.name = "Anna" }
    _ = try context.count(FetchRequest("Person"))
    #expect(ann.name == "Anna")
    #expect(ann.age == 7)
    context.undo()
    #expect(ann.name == "Anna")
    #expect(ann.age == 0)
    observation.end()
  }

  @Test(arguments: [false, true]) func aFetchInPrepareForDeletionLeavesTheContextSaveable(
    onThread: Bool
  ) throws {
    let stack = try DataStack(
      store: MemoryStore(model: ManagedObjectModel([Witness.self])), classes: [Witness.self])
    func work(_ context: ManagedObjectContext) throws {
      let one = Witness.create(in: context)
      one.name = "one"
      try context.save()
      let id = one.objectID
      try stack.newContext().performAndWait { other in
        other.delete(try other.existingObject(with: id))
        try other.save()
      }
      one.hears = { hook in
        guard hook == "prepareForDeletion" else { return }
        _ = try context.count(FetchRequest("Witness"))
      }
      context.mergePolicy = .mergeByPropertyObjectTrump
      context.delete(one)
      try context.save()
      #expect(!context.hasChanges)
    }
    if onThread {
      try work(stack.newThreadContext())
    } else {
      try stack.newContext().performAndWait { try work($0) }
    }
  }

  @Test func aFetchInAwakeFromFetchShowsNoOlderRow() throws {
    let stack = try DataStack(
      store: MemoryStore(model: ManagedObjectModel([Waker.self])), classes: [Waker.self])
    let ids = try stack.newContext().performAndWait { context -> [ManagedObjectID] in
      let all = (0..<2).map { _ in Waker.create(in: context) }
      for one in all { one.name = "v1" }
      try context.save()
      return all.map(\.objectID)
    }
    func work(_ context: ManagedObjectContext) throws {
      let all = try ids.map { try #require(try context.object(with: $0) as? Waker) }
      var done = false
      for one in all {
        one.hears = { hook in
          guard hook == "awakeFromFetch", !done else { return }
          done = true
          try stack.newContext().performAndWait { other in
            for id in ids { (try other.existingObject(with: id) as? Waker)?.name = "v2" }
            try other.save()
          }
          _ = try context.count(FetchRequest("Waker"))
        }
      }
      _ = all[0].name
      #expect(done)
      _ = try context.count(FetchRequest("Waker"))
      #expect(all.map(\.name) == ["v2", "v2"])
    }
    try work(stack.newThreadContext())
  }

  @Test func aChildOnAThreadMergesByItself() throws {
    let stack = try StoreKind.memory.people()
    let parent = stack.newContext()
    let child = stack.newThreadContext(over: parent)
    child.automaticallyMergesChangesFromParent = true
    let ann = Person.make("Ann", in: child)
    try child.save()
    let id = ann.objectID
    try parent.performAndWait { try $0.save() }
    try stack.saveBeside(id) { $0.name = "Anna" }
    _ = try child.count(FetchRequest("Person"))
    #expect(ann.name == "Anna")
  }

  @Test func undoTakesBackNoSaveThatWasMergedOnRequest() throws {
    let stack = try StoreKind.memory.people()
    let context = stack.newThreadContext()
    context.automaticallyMergesChangesFromParent = false
    let ann = Person.make("Ann", in: context)
    try context.save()
    let id = ann.objectID
    let manager = ContextUndoManager()
    context.undoManager = manager
    ann.age = 7
    _ = try context.count(FetchRequest("Person"))
    let observation = context.observe { change in
      if change.name == .didMergeChanges { _ = try context.count(FetchRequest("Person")) }
    }
    let saves = Guarded<[DidSave]>([])
    let other = stack.newContext()
    try other.performAndWait { other in
      let token = other.observe { change in
        if let save = change.notification.didSave { saves.withLock { $0.append(save) } }
      }
      (try other.existingObject(with: id) as? Person)?.name = "Anna"
      try other.save()
      token.end()
    }
    let save = try #require(saves.withLock { $0.first })
    try context.mergeChanges(from: save)
    context.undo()
    #expect(ann.name == "Anna")
    #expect(ann.age == 0)
    observation.end()
  }
}

/// An object that tells when it is awakened.
@Entity final class Waker: ManagedObject {
  var name: String = ""
  @Ignored var hears: ((String) throws -> Void)?

  // A hook cannot throw; the tests expect on what it did.
  override func awakeFromFetch() { try? hears?("awakeFromFetch") }
}
