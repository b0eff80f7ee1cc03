// SPDX-License-Identifier: MIT
import Foundation
import Sporades
import SporadesContainers
import SporadesGraph
import SporadesTesting
import Testing

/// Stores that are added and removed while contexts are in use, and contexts without a store.
@Suite struct StoresThatComeAndGoTests {
  typealias Track = Archive.Track
  typealias Remark = Archive.Remark
  typealias Mix = Archive.Mix

  @Test(arguments: Mix.allCases)
  func objectsOfARemovedStoreAreGone(mix: Mix) async throws {
    let archive = try Archive.Stack(mix)
    try archive.add("ac", to: archive.first)
    try archive.add("b", to: archive.second)
    let news = archive.stack.storeChanges
    let queue = archive.stack.newContext()
    try queue.performAndWait { context in
      context.retainsRegisteredObjects = true
      let tracks = try Track.all(sortedBy: \.title, in: context)
      let read = tracks[0]
      var told: [ContextChange] = []
      let observation = context.observe { told.append($0) }
      try archive.coordinator.remove(archive.first)
      queue.performAndWait { _ in }
      observation.end()
      #expect(told.flatMap(\.invalidatedObjects).contains(read))
      #expect(told.flatMap(\.ids.invalidatedObjectIDs).count == 2)
      #expect(read.title == "")
      #expect(read.isFault)
      #expect(tracks[1].title == "b")
      #expect(try Track.all(in: context).titles == "b")
      #expect(try context.existingIDs(of: "Track") == [tracks[1].objectID])
      #expect(throws: ContextError.self) { try context.existingObject(with: tracks[2].objectID) }
      #expect(!context.hasChanges)
      tracks[1].title = "B"
      try context.save()
    }
    #expect(try archive.titles(archive.second) == "B")
    for await change in news {
      #expect(change.removed == [archive.first.identifier])
      #expect(change.added.isEmpty)
      break
    }
  }

  @Test(arguments: Mix.allCases)
  func aSaveOfObjectsOfARemovedStoreFailsAndTheirChangesCanBeDiscarded(mix: Mix) throws {
    let archive = try Archive.Stack(mix)
    try archive.add("a", to: archive.first)
    try archive.add("b", to: archive.second)
    let queue = archive.stack.newContext()
    try queue.performAndWait { context in
      let tracks = try Track.all(sortedBy: \.title, in: context)
      for track in tracks { track.plays = 1 }
      try archive.coordinator.remove(archive.first)
      queue.performAndWait { _ in }
      #expect(tracks[0].plays == 1)
      let error = #expect(throws: StoreError.self) { try context.save() }
      #expect(error?.code == .noStore)
      #expect(error?.detail.contains("Track/p1") == true)
      #expect(error?.detail.contains("removed") == true)
      #expect(context.hasChanges)
      context.rollback()
      #expect(tracks[0].title == "")
      #expect(tracks[1].title == "b")
      tracks[1].plays = 2
      try context.save()
    }
    #expect(try archive.titles(archive.second) == "b")
  }

  @Test func aStoreIsAddedWhileContextsAreInUse() throws {
    let archive = try Archive.Stack(.memory)
    try archive.add("a", to: archive.first)
    let third = MemoryStore(model: try Archive.model.get())
    try archive.stack.main.performAndWait { context in
      #expect(try Track.all(sortedBy: \.title, in: context).titles == "a")
      try archive.coordinator.addPersistentStore(third)
    }
    try archive.add("c", to: third)
    #expect(
      try archive.stack.main.performAndWait { try Track.all(sortedBy: \.title, in: $0).titles }
        == "ac")
    #expect(archive.stack.persistentStores.count == 3)
  }

  /// A long-running program opens and closes one document after the other.
  @Test func aThousandStoresAreAddedAndRemoved() throws {
    let archive = try Archive.Stack(.memory, "Catalogue", "Remarks")
    try archive.add("a", to: archive.first)
    try archive.coordinator.remove(archive.second)
    let queue = archive.stack.newContext()
    var ids: [ManagedObjectID] = []
    for number in 0..<1000 {
      let document = try MemoryStore(model: Archive.model.get(), configuration: "Remarks")
      try archive.coordinator.addPersistentStore(document)
      try queue.performAndWait { context in
        Remark.create(in: context).text = "\(number)"
        try context.save()
        let remarks = try Remark.all(in: context)
        #expect(remarks.map(\.text) == ["\(number)"])
        #expect(remarks[0].objectID.storeIdentifier == document.identifier)
        ids.append(remarks[0].objectID)
      }
      try archive.coordinator.remove(document)
    }
    #expect(Set(ids).count == 1000)
    queue.performAndWait { context in
      #expect(ids.allSatisfy { (try? context.existingObject(with: $0)) == nil })
      #expect(context.registeredObjects.allSatisfy { $0.isFault })
    }
    #expect(try archive.titles(archive.first) == "a")
  }

  // MARK: - Stores that cannot hold an object

  @Test func onlyNewObjectsAreAssignedAndOnlyToStoresThatHoldThem() throws {
    let archive = try Archive.Stack(.sqlite, "Catalogue", "Remarks")
    try archive.stack.newContext().performAndWait { context in
      let track = Track.create(in: context)
      let wrong = #expect(throws: StoreError.self) {
        try context.assign(track, to: archive.second)
      }
      #expect(wrong?.code == .noStore)
      let foreign = MemoryStore(model: try Archive.model.get())
      #expect(throws: ContextError.self) { try context.assign(track, to: foreign) }
      try context.assign(track, to: archive.first)
      try context.save()
      #expect(throws: ContextError.self) { try context.assign(track, to: archive.first) }
    }
    let alone = try DataStack(inMemory: Archive.classes)
    try alone.newContext().performAndWait { context in
      let track = Track.create(in: context)
      try context.assign(track, to: alone.store)
      #expect(throws: ContextError.self) { try context.assign(track, to: archive.first) }
      var request = FetchRequest("Track")
      request.affectedStores = [archive.first.identifier]
      #expect(try context.count(request) == 0)
      request.affectedStores = [alone.store.identifier]
      #expect(try context.count(request) == 1)
    }
  }

  @Test func assigningAnObjectOfAnotherContextTraps() async {
    await #expect(processExitsWith: .failure) {
      let archive = try Archive.Stack(.memory)
      try archive.stack.newContext().performAndWait { context in
        let track = Track.create(in: context)
        try archive.stack.newContext().performAndWait { other in
          try other.assign(track, to: archive.second)
        }
      }
    }
  }

  @Test func aReadOnlyStoreAmongOthersIsNeverWritten() throws {
    let folder = try TemporaryFolder()
    let url = folder.file("Given.sqlite")
    let given = try DataStack(sqlite: url, model: Archive.model.get(), classes: Archive.classes)
    try given.newContext().performAndWait { context in
      Track.create(in: context).title = "a"
      try context.save()
    }
    try given.store.close()
    var options = SQLiteStoreOptions()
    options.isReadOnly = true
    let coordinator = PersistentStoreCoordinator(model: try Archive.model.get())
    let readOnly = try coordinator.addPersistentStore(type: .sqlite, at: url, options: options)
    let mine = try coordinator.addPersistentStore(type: .inMemory)
    let stack = DataStack(store: coordinator, classes: Archive.classes)
    try stack.newContext().performAndWait { context in
      let track = Track.create(in: context)
      track.title = "b"
      try context.save()
      #expect(stack.persistentStore(for: track.objectID) === mine)
      let tracks = try Track.all(sortedBy: \.title, in: context)
      #expect(tracks.titles == "ab")
      let new = Track.create(in: context)
      let refused = #expect(throws: StoreError.self) { try context.assign(new, to: readOnly) }
      #expect(refused?.code == .readOnly)
      tracks[0].title = "A"
      tracks[1].title = "B"
      let error = #expect(throws: StoreError.self) { try context.save() }
      #expect(error?.code == .readOnly)
      context.rollback()
      #expect(try Track.all(sortedBy: \.title, in: context).titles == "ab")
    }
    try coordinator.remove(mine)
    try stack.newContext().performAndWait { context throws in
      _ = Track.create(in: context)
      let error = #expect(throws: StoreError.self) { try context.save() }
      #expect(error?.code == .readOnly)
    }
  }

  // MARK: - No store, no context

  @Test func savingWithoutAStoreFailsAndLosesNothing() throws {
    let coordinator = PersistentStoreCoordinator(model: try Archive.model.get())
    let stack = DataStack(store: coordinator, classes: Archive.classes)
    try stack.newContext().performAndWait { context in
      let track = Track.create(in: context)
      track.title = "a"
      let error = #expect(throws: StoreError.self) { try context.save() }
      #expect(error?.code == .noStore)
      #expect(error?.detail.contains("no store") == true)
      #expect(throws: StoreError.self) { try Track.all(in: context) }
      #expect(track.isInserted)
      #expect(track.title == "a")
      #expect(context.hasChanges)
      try coordinator.addPersistentStore(type: .inMemory, configuration: "Remarks")
      let other = #expect(throws: StoreError.self) { try context.save() }
      #expect(other?.code == .noStore)
      #expect(other?.detail.contains("Track") == true)
      try coordinator.addPersistentStore(type: .inMemory, configuration: "Catalogue")
      try context.save()
      #expect(try Track.all(in: context).titles == "a")
    }
  }

  @Test func savingWithoutAContextFails() throws {
    let stack = try DataStack(inMemory: Archive.classes)
    let queue = stack.newContext()
    try queue.performAndWait { context in
      let track = Track.create(in: context)
      track.title = "a"
      try track.managedObjectContext.save()
      #expect(try stack.main.performAndWait { try Track.count(in: $0) } == 1)
      context.reset()
      let error = #expect(throws: ContextError.self) { try track.managedObjectContext.save() }
      guard case .noContext? = error else {
        Issue.record("\(String(describing: error))")
        return
      }
      #expect("\(ContextError.noContext)".contains("Nothing was saved"))
    }
  }

  // MARK: - Services

  @Test(arguments: Mix.allCases)
  func aServiceWorksOverSeveralStores(mix: Mix) throws {
    let archive = try Archive.Stack(mix, "Catalogue", "Remarks")
    let service = RecordingService(
      stack: archive.stack, options: RecordingService.options { _ in })
    service.writeSync { context in
      Track.create(in: context).title = "a"
      Remark.create(in: context).text = "r"
    }
    let counts = try service.readValue { context in
      [try Track.count(in: context), try Remark.count(in: context)]
    }
    #expect(counts == [1, 1])
    try archive.coordinator.remove(archive.second)
    service.writeSync { context in Track.create(in: context).title = "b" }
    service.writeSync { context in Remark.create(in: context).text = "s" }
    #expect(service.errors.map(\.kind) == ["store"])
    #expect(try service.readValue { try Track.all(sortedBy: \.title, in: $0).titles } == "ab")
    #expect(throws: DALError.self) { try service.readValue { try Remark.count(in: $0) } }
    try service.close()
  }
}

extension ManagedObjectContext {
  fileprivate func existingIDs(of entity: String) throws -> [ManagedObjectID] {
    try fetchIDs(FetchRequest(entity))
  }
}
