// SPDX-License-Identifier: MIT
import Foundation
import SporadesModel
import SporadesSQLite
import SporadesStore
import Testing

@testable import Sporades
@testable import SporadesContainers

/// Containers in Core Data's shape.
@Suite struct ContainerTests {
  typealias Book = Bookshop.Book

  /// A folder that is gone after the test.
  private final class Folder {
    let url = FileManager.default.temporaryDirectory.appendingPathComponent(
      "sporades-container-\(UUID().uuidString)")

    init() throws {
      try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(at: url) }

    var file: URL { url.appendingPathComponent("Shop.sqlite") }
  }

  private func container(
    _ description: PersistentStoreDescription, _ arguments: [String] = [], cache: URL? = nil
  ) throws -> PersistentContainer {
    let environment = cache.map { ["XDG_CACHE_HOME": $0.path] } ?? [:]
    let container = PersistentContainer(
      name: "Shop", try ManagedObjectModel(Bookshop.entities), Bookshop.entities,
      LaunchSetup(arguments: ["program"] + arguments),
      CacheFolder(environment: environment, application: "tests"))
    container.persistentStoreDescriptions = [description]
    return container
  }

  private func addBook(_ title: String, to container: PersistentContainer) async throws {
    try await container.performBackgroundTask { context in
      Book.create(in: context).title = title
      try context.save()
    }
  }

  private func titles(_ container: PersistentContainer) async throws -> [String] {
    try await container.viewContext.perform {
      try Book.all(sortedBy: \.title, in: $0).map(\.title)
    }
  }

  @Test func theDocumentedWayWorks() async throws {
    let folder = try Folder()
    let file = folder.file
    // snippet: container
    let container = try PersistentContainer(name: "Shop", entities: Bookshop.entities)
    container.persistentStoreDescriptions = [PersistentStoreDescription(url: file)]
    try await container.loadPersistentStores()
    try await container.performBackgroundTask { context in
      Book.create(in: context).title = "Emma"
      try context.save()
    }
    let titles = try await container.viewContext.perform { context in
      try Book.all(in: context).map(\.title)
    }
    // snippet end
    #expect(titles == ["Emma"])
    #expect(container.managedObjectModel.shape(named: "Book") != nil)
    #expect(try DataStack.metadata(ofStoreAt: file)["NSStoreType"] == .string("SQLite"))
  }

  @Test func theUsualPlaceIsTheDataFolder() throws {
    let container = try PersistentContainer(name: "Usual", entities: Bookshop.entities)
    let url = try #require(container.persistentStoreDescriptions.first?.url)
    #expect(url == PersistentContainer.defaultDirectoryURL.appendingPathComponent("Usual.sqlite"))
    #expect(container.loadedStack == nil)
  }

  @Test func aStoreIsLoadedOnceAndAgainAfterAFailure() async throws {
    let folder = try Folder()
    let nowhere = folder.url.appendingPathComponent("no/Shop.sqlite")
    let container = try container(PersistentStoreDescription(url: nowhere))
    await #expect(throws: StoreError.self) { try await container.loadPersistentStores() }
    container.persistentStoreDescriptions = []
    await #expect(throws: PersistentContainer.LoadError.self) {
      try await container.loadPersistentStores()
    }
    container.persistentStoreDescriptions = [PersistentStoreDescription(url: folder.file)]
    #expect(try await container.loadPersistentStores().map(\.url) == [folder.file])
    await #expect(throws: PersistentContainer.LoadError.self) {
      try await container.loadPersistentStores()
    }
  }

  @Test(arguments: [false, true])
  func theCompletionHandlerIsCalledOnce(later: Bool) async throws {
    var description = PersistentStoreDescription(type: .inMemory)
    description.shouldAddStoreAsynchronously = later
    let container = try container(description)
    let type = try await withCheckedThrowingContinuation {
      (continuation: CheckedContinuation<PersistentStoreDescription.StoreType, any Error>) in
      container.loadPersistentStores { description, error in
        if let error { return continuation.resume(throwing: error) }
        continuation.resume(returning: description.type)
      }
    }
    #expect(type == .inMemory)
    #expect(container.loadedStack != nil)
  }

  @Test func whatOneContextSavesTheOthersSee() async throws {
    let container = try container(PersistentStoreDescription(type: .inMemory))
    try await container.loadPersistentStores()
    let news = container.viewContext.notifications
    try await addBook("Emma", to: container)
    for await notification in news where notification.name == .didMergeChanges { break }
    #expect(try await titles(container) == ["Emma"])
    #expect(container.newBackgroundContext() !== container.newBackgroundContext())
  }

  @Test func whatWasSavedIsCommittedWhenTheContainerEnds() async throws {
    let folder = try Folder()
    var container: PersistentContainer? = try container(
      PersistentStoreDescription(url: folder.file))
    try await container?.loadPersistentStores()
    let held = try #require(container?.stack)
    // Saves that follow each other share a commit, which comes later.
    try held.newContext().performAndWait { context in
      for number in 0..<50 {
        Book.create(in: context).title = "\(number)"
        try context.save()
      }
    }
    container = nil
    let file = try SQLiteStore(url: folder.file, model: held.model)
    let shape = try #require(held.model.shape(named: "Book"))
    #expect(try file.count(StoreFetch(shape), in: .committed) == 50)
    try file.close()
  }

  @Test func aReadOnlyStoreIsReadAndRefusesSaves() async throws {
    let folder = try Folder()
    let writer = try container(PersistentStoreDescription(url: folder.file))
    try await writer.loadPersistentStores()
    try await addBook("Emma", to: writer)
    try writer.stack.store.close()
    var description = PersistentStoreDescription(url: folder.file)
    description.isReadOnly = true
    let reader = try container(description)
    try await reader.loadPersistentStores()
    #expect(try await titles(reader) == ["Emma"])
    let error = await #expect(throws: StoreError.self) { try await addBook("No", to: reader) }
    #expect(error?.code == .readOnly)
    #expect(try await titles(reader) == ["Emma"])
  }

  @Test func pragmasBecomeOptionsAndUnknownOnesAreRefused() throws {
    var description = PersistentStoreDescription(type: .inMemory)
    description.timeout = 0.5
    for (name, value) in [
      ("cache_size", "-100"), ("mmap_size", "4096"), ("secure_delete", "ON"),
      ("wal_autocheckpoint", "10"), ("journal_mode", "WAL"),
    ] { description.setValue(value, forPragmaNamed: name) }
    let options = try description.storeOptions()
    #expect(options.busyMilliseconds == 500)
    #expect(options.cacheKilobytes == 100)
    #expect(options.mappedBytes == 4096)
    #expect(options.overwritesDeletedContent)
    #expect(options.checkpointFrames == 10)
    description.setValue("DELETE", forPragmaNamed: "JOURNAL_MODE")
    let refusing = try container(description)
    #expect(throws: StoreError.self) { try description.storeOptions() }
    #expect(throws: StoreError.self) { _ = try refusing.loadPersistentStores() }
  }

  @Test func numbersThatNoStoreCanBeToldAreRefused() throws {
    var description = PersistentStoreDescription(type: .inMemory)
    for seconds in [Double.infinity, 1e300, .greatestFiniteMagnitude] {
      description.timeout = seconds
      #expect(try description.storeOptions().busyMilliseconds == Int(Int32.max))
    }
    for seconds in [-1, -Double.infinity, Double.nan] {
      description.timeout = seconds
      #expect(throws: StoreError.self) { try description.storeOptions() }
    }
    let model = try ManagedObjectModel(entities: [EntityDescription("Thing")])
    for name in ["cache_size", "mmap_size", "wal_autocheckpoint", "busy_timeout"] {
      for value in ["\(Int.min)", "1e400", "nan", "99999999999999999999"] {
        var description = PersistentStoreDescription(type: .inMemory)
        description.setValue(value, forPragmaNamed: name)
        #expect(throws: StoreError.self, "\(name) \(value)") { try description.open(model) }
      }
    }
  }

  // MARK: - Set-ups

  @Test func inMemoryTouchesNoFile() async throws {
    let folder = try Folder()
    let container = try container(PersistentStoreDescription(url: folder.file), ["-InMemory", "1"])
    #expect(try await container.loadPersistentStores().map(\.type) == [.inMemory])
    try await addBook("Emma", to: container)
    #expect(try await titles(container) == ["Emma"])
    #expect(!FileManager.default.fileExists(atPath: folder.file.path))
  }

  @Test func testModePersistsInAClearedPlaceOfItsOwn() async throws {
    let folder = try Folder()
    let mine = PersistentStoreDescription(url: folder.file)
    let user = try container(mine)
    try await user.loadPersistentStores()
    try await addBook("Mine", to: user)
    for _ in 0..<2 {
      let test = try container(mine, ["-TestMode", "1"], cache: folder.url)
      let url = try #require(try await test.loadPersistentStores().first?.url)
      #expect(url.path == folder.url.path + "/tests/TestMode/Shop/Shop.sqlite")
      #expect(try await titles(test).isEmpty)
      try await addBook("Test", to: test)
      try test.stack.store.close()
      let again = try container(PersistentStoreDescription(url: url))
      try await again.loadPersistentStores()
      #expect(try await titles(again) == ["Test"])
      try again.stack.store.close()
    }
    #expect(try await titles(user) == ["Mine"])
  }

  @Test func setUpsThatAreOffChangeNothing() {
    func setup(_ arguments: String...) -> LaunchSetup { LaunchSetup(arguments: arguments) }
    #expect(setup("-InMemory", "0") == .usual)
    #expect(setup("-TestMode") == .usual)
    #expect(setup("-TestMode", "YES") == .testMode)
    #expect(setup("-TestMode", "1", "-InMemory", "1") == .inMemory)
  }
}
