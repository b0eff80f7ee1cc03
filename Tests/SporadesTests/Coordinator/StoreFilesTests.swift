// SPDX-License-Identifier: MIT
import Foundation
import Sporades
import SporadesCare
import SporadesContainers
import SporadesGraph
import SporadesTesting
import Testing

/// The files of stores: migration, replacement, destruction, metadata.
@Suite struct StoreFilesTests {
  typealias Album = Archive.Album
  typealias Track = Archive.Track

  private static let sound = Data(repeating: 7, count: 200_000)

  /// A stack over a file with an album and a track whose sound lies in a separate file.
  private func stack(_ url: URL, title: String = "a") throws -> DataStack {
    let coordinator = PersistentStoreCoordinator(model: try Archive.model.get())
    try coordinator.addPersistentStore(type: .sqlite, at: url)
    let stack = DataStack(store: coordinator, classes: Archive.classes)
    try stack.newContext().performAndWait { context in
      let track = Track.create(in: context)
      track.title = title
      track.sound = Self.sound
      track.album = Album.create(in: context)
      try context.save()
    }
    return stack
  }

  /// The files of a folder, without the empty ones that reading leaves beside a store.
  private func names(_ folder: TemporaryFolder) -> [String] {
    (FileManager.default.subpaths(atPath: folder.url.path) ?? []).sorted()
      .filter { !$0.hasSuffix("-wal") && !$0.hasSuffix("-shm") }
  }

  private func titles(_ url: URL) throws -> [String] {
    let stack = try DataStack(sqlite: url, model: Archive.model.get(), classes: Archive.classes)
    defer { try? stack.store.close() }
    return try stack.main.performAndWait { context in
      let tracks = try Track.all(sortedBy: \.title, in: context)
      #expect(tracks.allSatisfy { $0.sound == Self.sound && $0.album != nil })
      return tracks.map(\.title)
    }
  }

  private func refusal(_ body: () throws -> Void) -> StoreError.Code? {
    do {
      try body()
      return nil
    } catch {
      return (error as? StoreError)?.code
    }
  }

  // MARK: - Migrating

  @Test(arguments: ["file", "memory", "reference"], ["file", "memory"])
  func migratingKeepsObjectsAndTheirIDs(from: String, to: String) throws {
    let folder = try TemporaryFolder()
    let (source, target) = (folder.file("Source.sqlite"), folder.file("Target.sqlite"))
    let model = try Archive.model.get()
    let coordinator = PersistentStoreCoordinator(model: model)
    switch from {
    case "file": try coordinator.addPersistentStore(type: .sqlite, at: source)
    case "memory": try coordinator.addPersistentStore(type: .inMemory)
    default: try coordinator.addPersistentStore(MemoryStore(model: model))
    }
    let former = coordinator.persistentStores[0]
    let stack = DataStack(store: coordinator, classes: Archive.classes)
    try coordinator.setMetadata(["mine": .integer(3)])
    let queue = stack.newContext()
    try queue.performAndWait { context in
      let track = Track.create(in: context)
      track.title = "a"
      track.sound = Self.sound
      track.album = Album.create(in: context)
      try context.save()
      let reserved = Track.create(in: context)
      try context.obtainPermanentIDs(for: [reserved])
      let new = try coordinator.migratePersistentStore(
        former, to: to == "file" ? target : nil, type: to == "file" ? .sqlite : .inMemory)
      #expect(coordinator.persistentStores.count == 1)
      #expect(coordinator.persistentStores[0] === new)
      #expect(new.identifier == former.identifier)
      #expect(throws: StoreError.self) { try former.metadata() }
      #expect(try coordinator.metadata()["mine"] == .integer(3))
      context.refresh(track, mergeChanges: false)
      #expect(track.title == "a")
      #expect(track.sound == Self.sound)
      #expect(track.album != nil)
      track.title = "b"
      try context.save()
      try stack.newContext().performAndWait { other in
        #expect(try Track.count(in: other) == 2)
        let third = Track.create(in: other)
        try other.save()
        #expect(third.objectID != reserved.objectID)
        #expect(third.objectID != track.objectID)
      }
      #expect(try coordinator.integrityProblems() == [])
    }
    if from == "file" {
      #expect(try titles(source) == ["a"])
      #expect(try DataStack.metadata(ofStoreAt: source)["mine"] == .integer(3))
    }
    if to == "file" {
      try coordinator.close()
      let again = try DataStack(sqlite: target, model: model, classes: Archive.classes)
      #expect(try again.main.performAndWait { try Track.count(where: \.title == "b", in: $0) } == 1)
    }
  }

  @Test func anImpossibleMigrationChangesNothing() throws {
    let folder = try TemporaryFolder()
    let (source, taken) = (folder.file("Source.sqlite"), folder.file("Taken.sqlite"))
    let stack = try stack(source)
    try Data([1]).write(to: taken)
    let coordinator = try #require(stack.persistentStoreCoordinator)
    let store = coordinator.persistentStores[0]
    for place in [taken, folder.file("no/Target.sqlite"), nil] {
      #expect(throws: StoreError.self) {
        try coordinator.migratePersistentStore(store, to: place)
      }
    }
    #expect(try Data(contentsOf: taken) == Data([1]))
    #expect(coordinator.persistentStores[0] === store)
    #expect(try stack.main.performAndWait { try Track.count(in: $0) } == 1)
    let stranger = MemoryStore(model: try Archive.model.get())
    #expect(
      refusal { try coordinator.migratePersistentStore(stranger, type: .inMemory) } == .noStore)
  }

  @Test func orderedLinksKeepTheirOrderInAMigration() throws {
    let model = try ManagedObjectModel([Reader.self])
    let coordinator = PersistentStoreCoordinator(model: model)
    let store = try coordinator.addPersistentStore(type: .inMemory)
    let stack = DataStack(store: coordinator, classes: [Reader.self])
    func read() throws -> [String] {
      try stack.newContext().performAndWait { context in
        try Reader.all(sortedBy: \.name, in: context).map { reader in
          reader.name + ":" + reader.reads.map(\.title).joined() + ":"
            + reader.friends.map(\.name).sorted().joined()
        }
          + Story.all(sortedBy: \.title, in: context).map { story in
            story.title + ":" + story.readers.map(\.name).joined()
          }
      }
    }
    try stack.newContext().performAndWait { context in
      let stories = "xyz".map { title in
        let story = Story.create(in: context)
        story.title = String(title)
        return story
      }
      let readers = "ab".map { name in
        let reader = Reader.create(in: context)
        reader.name = String(name)
        return reader
      }
      readers[0].reads = [stories[2], stories[0], stories[1]]
      readers[1].reads = [stories[1], stories[2]]
      try context.save()
      stories[2].readers = [readers[1], readers[0]]
      readers[0].friends = [readers[1]]
      try context.save()
    }
    let before = try read()
    #expect(before == ["a:zxy:b", "b:yz:a", "x:a", "y:ab", "z:ba"])
    try coordinator.migratePersistentStore(store, type: .inMemory)
    #expect(try read() == before)
  }

  // MARK: - Destroying

  @Test func destroyingRemovesAllFilesOfAStoreAndNoOthers() throws {
    let folder = try TemporaryFolder()
    let (url, other) = (folder.file("Shop.sqlite"), folder.file("Other.sqlite"))
    try stack(other).store.close()
    let kept = names(folder)
    let stack = try stack(url)
    #expect(refusal { try PersistentStoreCoordinator.destroyPersistentStore(at: url) } == .busy)
    #expect(try stack.main.performAndWait { try Track.count(in: $0) } == 1)
    try stack.store.close()
    #expect(names(folder).contains { $0.hasPrefix(".Shop_SUPPORT/_EXTERNAL_DATA/") })
    try PersistentStoreCoordinator.destroyPersistentStore(at: url)
    #expect(names(folder) == kept)
    #expect(
      refusal { try PersistentStoreCoordinator.destroyPersistentStore(at: url) } == .cannotOpen)
    #expect(try titles(other) == ["a"])
  }

  @Test func aSharedFolderOfLargeValuesKeepsTheOtherStoresFiles() throws {
    let folder = try TemporaryFolder()
    let (url, other) = (folder.file("Shop.sqlite"), folder.file("Shop.store"))
    try stack(url).store.close()
    try stack(other, title: "b").store.close()
    try PersistentStoreCoordinator.destroyPersistentStore(at: url)
    #expect(try titles(other) == ["b"])
  }

  @Test func aFileThatIsNotAStoreIsNotDestroyed() throws {
    let folder = try TemporaryFolder()
    let text = folder.file("Text.sqlite")
    try Data("This is no store at all, but long enough to be one.".utf8).write(to: text)
    let empty = folder.file("Empty.sqlite")
    try Data().write(to: empty)
    for url in [text, empty, folder.url] {
      let before = names(folder)
      #expect(throws: StoreError.self) {
        try PersistentStoreCoordinator.destroyPersistentStore(at: url)
      }
      #expect(throws: StoreError.self) {
        try PersistentStoreCoordinator.replacePersistentStore(
          at: folder.file("New.sqlite"), withPersistentStoreFrom: url)
      }
      #expect(throws: StoreError.self) { try DataStack.setMetadata([:], ofStoreAt: url) }
      #expect(names(folder) == before)
    }
  }

  // MARK: - Replacing

  @Test(arguments: [true, false])
  func replacingAStorePutsACopyInItsPlace(isPresent: Bool) throws {
    let folder = try TemporaryFolder()
    let (url, source) = (folder.file("Shop.sqlite"), folder.file("Backup.sqlite"))
    try stack(source, title: "new").store.close()
    if isPresent { try stack(url, title: "old").store.close() }
    try PersistentStoreCoordinator.replacePersistentStore(at: url, withPersistentStoreFrom: source)
    #expect(try titles(url) == ["new"])
    #expect(try titles(source) == ["new"])
    let sounds = names(folder).filter { $0.hasPrefix(".Shop_SUPPORT/_EXTERNAL_DATA/") }
    #expect(sounds.count == 1)
    let all = FileManager.default.subpaths(atPath: folder.url.path) ?? []
    #expect(!all.contains { $0.hasPrefix("Shop.sqlite.") })
    #expect(
      try DataStack.metadata(ofStoreAt: url)["NSStoreUUID"]
        == DataStack.metadata(ofStoreAt: source)["NSStoreUUID"])
    try PersistentStoreCoordinator.destroyPersistentStore(at: source)
    #expect(try titles(url) == ["new"])
  }

  @Test func openStoresAreNotReplacedAndNoStoreReplacesItself() throws {
    let folder = try TemporaryFolder()
    let (url, source) = (folder.file("Shop.sqlite"), folder.file("Backup.sqlite"))
    let (open, backup) = (try stack(url, title: "old"), try stack(source, title: "new"))
    func replace(_ target: URL, _ source: URL) -> StoreError.Code? {
      refusal {
        try PersistentStoreCoordinator.replacePersistentStore(
          at: target, withPersistentStoreFrom: source)
      }
    }
    #expect(replace(url, source) == .busy)
    try backup.store.close()
    #expect(replace(url, source) == .busy)
    #expect(try open.main.performAndWait { try Track.all(in: $0).titles } == "old")
    try open.store.close()
    #expect(replace(url, url) == .unsupported)
    try Data([1]).write(to: folder.file("Text"))
    #expect(replace(folder.file("Text"), source) == .corrupt)
    #expect(try Data(contentsOf: folder.file("Text")) == Data([1]))
    #expect(try titles(url) == ["old"])
  }

  @Test func aReplacementWithAMissingLargeValueChangesNothing() throws {
    let folder = try TemporaryFolder()
    let (url, source) = (folder.file("Shop.sqlite"), folder.file("Backup.sqlite"))
    try stack(url, title: "old").store.close()
    try stack(source, title: "new").store.close()
    try FileManager.default.removeItem(at: folder.file(".Backup_SUPPORT"))
    let before = names(folder)
    #expect(
      refusal {
        try PersistentStoreCoordinator.replacePersistentStore(
          at: url, withPersistentStoreFrom: source)
      } == .io)
    #expect(names(folder) == before)
    #expect(try titles(url) == ["old"])
  }

  // MARK: - Metadata

  @Test func metadataOfAFileIsSetAndCoreDatasEntriesStay() throws {
    let folder = try TemporaryFolder()
    let url = folder.file("Shop.sqlite")
    let stack = try stack(url)
    let whole = try stack.metadata
    try stack.setMetadata(["mine": .integer(1)])
    #expect(try stack.metadata == whole.merging(["mine": .integer(1)]) { $1 })
    #expect(refusal { try DataStack.setMetadata([:], ofStoreAt: url) } == .busy)
    try stack.store.close()
    try DataStack.setMetadata(["yours": .string("x"), "NSStoreUUID": .string("y")], ofStoreAt: url)
    let read = try DataStack.metadata(ofStoreAt: url)
    #expect(read["yours"] == .string("x"))
    #expect(read["mine"] == nil)
    #expect(read["NSStoreUUID"] == .string(stack.persistentStores[0].identifier))
    #expect(read["NSStoreModelVersionHashes"] == whole["NSStoreModelVersionHashes"])
    #expect(try titles(url) == ["a"])
  }
}

@Entity final class Reader: ManagedObject {
  var name: String = ""
  @Relationship(inverse: "readers") var reads: [Story]
  @Relationship(inverse: "friends") var friends: Set<Reader>
}

@Entity final class Story: ManagedObject {
  var title: String = ""
  @Relationship(inverse: "reads") var readers: [Reader]
}
