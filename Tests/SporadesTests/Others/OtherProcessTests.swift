// SPDX-License-Identifier: MIT
import Foundation
import Sporades
import SporadesContainers
import Synchronization
import Testing

/// Two stacks with connections of their own, as two processes have, over one file.
@Suite(.timeLimit(.minutes(60))) struct OtherProcessTests {
  private let folder: TemporaryFolder
  private let ours: DataStack
  private let theirs: DataStack

  init() throws {
    folder = try TemporaryFolder()
    ours = try Self.open(folder)
    theirs = try Self.open(folder)
  }

  private static func open(
    _ folder: TemporaryFolder, _ history: HistoryTracking = .asInFile
  ) throws -> DataStack {
    var options = SQLiteStoreOptions()
    options.persistentHistory = history
    let store = try SQLiteStore(
      url: folder.file("Archive.sqlite"), model: try Archive.model.get(), options: options)
    return DataStack(store: store, classes: Archive.classes)
  }

  private func add(_ name: String, to stack: DataStack) throws -> URL {
    try stack.newContext().performAndWait { context in
      let album = Archive.Album(context: context)
      album.name = name
      context.durability = .immediate
      try context.save()
      return album.objectID.uriRepresentation()
    }
  }

  private func change(_ uri: URL, in stack: DataStack, _ body: (Archive.Album) -> Void) throws {
    try stack.newContext().performAndWait { context in
      let id = try #require(stack.managedObjectID(forURIRepresentation: uri))
      body(try #require(context.existingObject(with: id) as? Archive.Album))
      context.durability = .immediate
      try context.save()
    }
  }

  private func names(_ stack: DataStack) throws -> [String] {
    try stack.main.performAndWait { try Archive.Album.all(in: $0).map(\.name).sorted() }
  }

  @Test func anObjectInMemoryShowsWhatTheOtherProcessCommitted() async throws {
    let uri = try add("Blue", to: ours)
    #expect(try names(ours) == ["Blue"])
    var changes = ours.remoteChanges.makeAsyncIterator()
    try change(uri, in: theirs) { $0.name = "Green" }
    let change = await changes.next()
    #expect(change?.storeIdentifier == ours.store.identifier)
    #expect(try names(ours) == ["Green"])
  }

  @Test func ownCommitsAreNoNews() async throws {
    var changes = ours.remoteChanges.makeAsyncIterator()
    for number in 0..<50 { _ = try add("Own \(number)", to: ours) }
    _ = try add("Foreign", to: theirs)
    #expect(await changes.next()?.missed == 0)
    _ = try add("Last", to: theirs)
    // The second change is that of the second commit: fifty own ones made none.
    #expect(await changes.next() != nil)
    #expect(try names(ours).contains("Last"))
  }

  @Test func anObserverHearsThatAnythingMayHaveChanged() async throws {
    _ = try add("Blue", to: ours)
    let (events, source) = AsyncStream.makeStream(of: ContextNotification.Name.self)
    let observation = try ours.main.performAndWait { context in
      _ = try Archive.Album.all(in: context)
      return context.observe { change in source.yield(change.name) }
    }
    _ = try add("Green", to: theirs)
    var heard: [ContextNotification.Name] = []
    for await event in events {
      heard.append(event)
      if event == .invalidatedAllObjects { break }
    }
    observation.end()
    #expect(heard.last == .invalidatedAllObjects)
    #expect(try names(ours) == ["Blue", "Green"])
  }

  @Test func unsavedChangesStayAndMeetTheOtherCommitAsAConflict() async throws {
    let uri = try add("Blue", to: ours)
    var changes = ours.remoteChanges.makeAsyncIterator()
    let editing = ours.newContext()
    try editing.performAndWait { context in
      try #require(try Archive.Album.first(in: context)).name = "Unsaved"
    }
    try change(uri, in: theirs) { $0.name = "Green" }
    #expect(await changes.next() != nil)
    try editing.performAndWait { context in
      #expect(try Archive.Album.first(in: context)?.name == "Unsaved")
      let album = try #require(try Archive.Album.first(in: context)).objectID
      let error = #expect(throws: StoreError.self) { try context.save() }
      #expect(error?.code == .conflict([album]))
      context.mergePolicy = .objectTrump
      try context.save()
    }
    #expect(try names(ours) == ["Unsaved"])
  }

  @Test func aDeletedObjectIsGone() async throws {
    let uri = try add("Blue", to: ours)
    #expect(try names(ours) == ["Blue"])
    var changes = ours.remoteChanges.makeAsyncIterator()
    try theirs.newContext().performAndWait { context in
      let id = try #require(theirs.managedObjectID(forURIRepresentation: uri))
      context.delete(try context.existingObject(with: id))
      context.durability = .immediate
      try context.save()
    }
    #expect(await changes.next() != nil)
    #expect(try names(ours) == [])
  }

  @Test func aStoreThatIsAddedLaterIsHeard() async throws {
    let coordinator = PersistentStoreCoordinator(model: try Archive.model.get())
    let stack = DataStack(store: coordinator, classes: Archive.classes)
    var changes = stack.remoteChanges.makeAsyncIterator()
    let store = try SQLiteStore(
      url: folder.file("Archive.sqlite"), model: try Archive.model.get())
    try coordinator.addPersistentStore(store)
    _ = try add("Green", to: theirs)
    #expect(await changes.next()?.storeIdentifier == store.identifier)
    #expect(try names(stack) == ["Green"])
  }

  @Test func theChangesEndWithTheStack() async throws {
    let changes = try Self.open(folder).remoteChanges
    var iterator = changes.makeAsyncIterator()
    #expect(await iterator.next() == nil)
  }

  @Test func aClosedStoreAsksNoMore() throws {
    let store = try SQLiteStore(
      url: folder.file("Archive.sqlite"), model: try Archive.model.get())
    let calls = Atomic(0)
    let observation = store.observeOthers { _ in calls.add(1, ordering: .relaxed) }
    try store.close()
    _ = try add("Green", to: theirs)
    #expect(try names(ours) == ["Green"])
    #expect(calls.load(ordering: .relaxed) == 0)
    #expect(store.upkeep == StoreUpkeep())
    withExtendedLifetime(observation) {}
  }

  // MARK: - With a history

  /// The ids that an observer of the main context of a stack hears, until the object is inserted that the work returns.
  private func heard(
    _ stack: DataStack, _ work: () throws -> URL
  ) async throws -> ObjectIDChanges {
    let (events, source) = AsyncStream.makeStream(of: ContextNotification.self)
    let observation = try stack.main.performAndWait { context in
      _ = try Archive.Album.all(in: context)
      return context.observe { source.yield($0.notification) }
    }
    defer { observation.end() }
    let last = stack.managedObjectID(forURIRepresentation: try work())
    var all = ObjectIDChanges()
    for await event in events where event.name == .didMergeChanges {
      all.insertedObjectIDs.formUnion(event.ids.insertedObjectIDs)
      all.updatedObjectIDs.formUnion(event.ids.updatedObjectIDs)
      all.deletedObjectIDs.formUnion(event.ids.deletedObjectIDs)
      if all.insertedObjectIDs.contains(where: { $0 == last }) { break }
    }
    return all
  }

  @Test func aHistoryTellsWhichObjectsChanged() async throws {
    let folder = try TemporaryFolder()
    let ours = try Self.open(folder, .on)
    let theirs = try Self.open(folder)
    let blue = try add("Blue", to: ours)
    let red = try add("Red", to: ours)
    let changes = try await heard(ours) {
      try change(blue, in: theirs) { $0.name = "Cyan" }
      _ = try add("Own", to: ours)
      try theirs.newContext().performAndWait { context in
        let id = try #require(theirs.managedObjectID(forURIRepresentation: red))
        context.delete(try context.existingObject(with: id))
        try context.save()
      }
      return try add("Green", to: theirs)
    }
    #expect(changes.updatedObjectIDs.map { $0.uriRepresentation() } == [blue])
    #expect(changes.deletedObjectIDs.map { $0.uriRepresentation() } == [red])
    #expect(try names(ours) == ["Cyan", "Green", "Own"])
  }

  @Test func ownSavesAreNoNewsInAHistory() async throws {
    let folder = try TemporaryFolder()
    let ours = try Self.open(folder, .on)
    let theirs = try Self.open(folder)
    let own = try add("Own", to: ours)
    let changes = try await heard(ours) {
      let editing = ours.newContext()
      for number in 0..<20 {
        try editing.performAndWait { context in
          try #require(try Archive.Album.first(in: context)).name = "Own \(number)"
          context.durability = .immediate
          try context.save()
        }
      }
      return try add("Green", to: theirs)
    }
    // The own saves arrive as saves of a sibling, one by one, and the foreign one alone as an inserted object.
    #expect(changes.insertedObjectIDs.count == 1)
    #expect(!changes.insertedObjectIDs.map { $0.uriRepresentation() }.contains(own))
  }
}
