// SPDX-License-Identifier: MIT
import CoreData
import Foundation
import Testing

/// A context over a context that merges by itself.
@Suite struct ChildTests {
  let parent: NSManagedObjectContext
  let child: NSManagedObjectContext

  init() throws {
    parent = try Notes.container().newBackgroundContext()
    child = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
    child.parent = parent
    child.automaticallyMergesChangesFromParent = true
  }

  /// The ids under a key of the child's next notification that has the key.
  private func changes(_ key: String) -> AsyncStream<Set<NSManagedObjectID>> {
    let (stream, continuation) = AsyncStream<Set<NSManagedObjectID>>.makeStream()
    let token = NotificationCenter.default.addObserver(
      forName: .NSManagedObjectContextObjectsDidChange, object: child, queue: nil
    ) { note in
      if let objects = note.userInfo?[key] as? Set<NSManagedObject> {
        continuation.yield(Set(objects.map(\.objectID)))
      }
    }
    nonisolated(unsafe) let ended = token
    continuation.onTermination = { _ in unsafe NotificationCenter.default.removeObserver(ended) }
    return stream
  }

  private func saved(_ title: String) throws -> NSManagedObjectID {
    try parent.performAndWait {
      let note = Note(context: parent)
      note.title = title
      try parent.save()
      return note.objectID
    }
  }

  @Test func hearsOfASaveWithoutABlockOfItsOwn() async throws {
    let id = try saved("One")
    let note = child.performAndWait { child.object(with: id) as? Note }
    #expect(child.performAndWait { note?.title } == "One")
    let refreshed = changes(NSRefreshedObjectsKey)
    try parent.performAndWait {
      (parent.object(with: id) as? Note)?.title = "Two"
      try parent.save()
    }
    for await ids in refreshed {
      #expect(ids == [id])
      break
    }
    // The merge brought the value, and not only the news.
    #expect(child.performAndWait { note?.hasChanges == false && note?.isFault == false })
    #expect(child.performAndWait { note?.title } == "Two")
  }

  @Test func hearsOfInsertionsAndDeletions() async throws {
    child.performAndWait { #expect(child.registeredObjects.isEmpty) }
    let inserted = changes(NSInsertedObjectsKey)
    let id = try saved("One")
    for await ids in inserted {
      #expect(ids == [id])
      break
    }
    _ = child.performAndWait { child.object(with: id) }
    let deleted = changes(NSDeletedObjectsKey)
    try parent.performAndWait {
      parent.delete(parent.object(with: id))
      try parent.save()
    }
    for await ids in deleted {
      #expect(ids == [id])
      break
    }
  }

  @Test func aTemporaryIDIsKnownUntilTheParentSaves() throws {
    let id = try child.performAndWait {
      let note = Note(context: child)
      note.title = "One"
      let id = note.objectID
      #expect(id.isTemporaryID)
      try child.save()
      return id
    }
    try parent.performAndWait {
      let note = try #require(parent.registeredObject(for: id) as? Note)
      #expect(parent.object(with: id) === note && note.title == "One" && note.isInserted)
      #expect(try parent.existingObject(with: id) === note)
      try parent.save()
      #expect(parent.registeredObject(for: id) == nil)
    }
  }

  /// Children tell their parent of temporary ids on their own threads.
  @Test func manyChildrenSaveAtOnce() throws {
    let ids = Told()
    DispatchQueue.concurrentPerform(iterations: 64) { number in
      let child = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
      child.parent = parent
      child.performAndWait {
        let note = Note(context: child)
        note.title = "\(number)"
        let id = note.objectID
        #expect(throws: Never.self) { try child.save() }
        ids.add(id)
      }
    }
    let found = parent.performAndWait {
      Set(ids.all.compactMap { (parent.registeredObject(for: $0) as? Note)?.title })
    }
    #expect(found.count == 64)
  }

  /// The parent's block waits for the child while the child has something to merge.
  @Test func neverWaitsForABlockOfTheParent() throws {
    let id = try saved("0")
    let note = child.performAndWait { child.object(with: id) as? Note }
    for round in 1...50 {
      try parent.performAndWait {
        (parent.object(with: id) as? Note)?.title = "\(round)"
        try parent.save()
        #expect(child.performAndWait { note?.title } == "\(round)")
      }
    }
  }
}

/// Ids that several threads tell.
private final class Told: @unchecked Sendable {
  // @unchecked: the lock guards the list.
  private let lock = NSLock()
  private var ids: [NSManagedObjectID] = []

  var all: [NSManagedObjectID] { lock.withLock { ids } }
  func add(_ id: NSManagedObjectID) { lock.withLock { ids.append(id) } }
}
