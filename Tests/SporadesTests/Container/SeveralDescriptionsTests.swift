// SPDX-License-Identifier: MIT
import Foundation
import SporadesContainers
import SporadesGraph
import SporadesModel
import Testing

@testable import Sporades

/// Containers with several stores.
@Suite struct SeveralDescriptionsTests {
  typealias Album = Archive.Album
  typealias Track = Archive.Track
  typealias Remark = Archive.Remark

  private func container(
    _ descriptions: [PersistentStoreDescription]
  ) throws -> PersistentContainer {
    let container = PersistentContainer(
      name: "Archive", managedObjectModel: try Archive.model.get(), classes: Archive.classes)
    container.persistentStoreDescriptions = descriptions
    return container
  }

  private func descriptions(_ folder: TemporaryFolder) -> [PersistentStoreDescription] {
    var catalogue = PersistentStoreDescription(url: folder.file("Catalogue.sqlite"))
    catalogue.configuration = "Catalogue"
    var remarks = PersistentStoreDescription(url: folder.file("Remarks.sqlite"))
    remarks.configuration = "Remarks"
    return [catalogue, remarks]
  }

  @Test func theDocumentedWayWorks() async throws {
    let folder = try TemporaryFolder()
    // snippet: configurations
    let model = try ManagedObjectModel(
      [Album.self, Track.self, Remark.self],
      configurations: ["Catalogue": [Album.self, Track.self], "Remarks": [Remark.self]])
    // snippet end
    let (given, own) = (folder.file("Catalogue.sqlite"), folder.file("Remarks.sqlite"))
    try makeCatalogue(given)
    // snippet: severalStores
    var catalogue = PersistentStoreDescription(url: given)
    catalogue.configuration = "Catalogue"
    catalogue.isReadOnly = true
    var remarks = PersistentStoreDescription(url: own)
    remarks.configuration = "Remarks"

    let container = PersistentContainer(
      name: "Archive", managedObjectModel: model, classes: Archive.classes)
    container.persistentStoreDescriptions = [catalogue, remarks]
    try await container.loadPersistentStores()

    try await container.performBackgroundTask { context in
      guard let track = try Track.first(where: \.title == "Blue", in: context) else { return }
      let remark = Remark.create(in: context)
      remark.text = "Again!"
      remark.trackURI = track.objectID.uriRepresentation()
      try context.save()
    }
    // snippet end
    let stack = container.stack
    let remark = try await container.viewContext.perform { context in
      try #require(try Remark.first(in: context)).objectID
    }
    // snippet: acrossStores
    let title = try await container.viewContext.perform { context in
      guard let remark = try context.existingObject(with: remark) as? Remark,
        let uri = remark.trackURI, let id = stack.managedObjectID(forURIRepresentation: uri)
      else { return "" }
      return try (context.existingObject(with: id) as? Track)?.title ?? ""
    }
    // snippet end
    #expect(title == "Blue")
    #expect(stack.persistentStore(for: remark)?.configurationName == "Remarks")
    #expect(container.persistentStoreCoordinator?.persistentStores.count == 2)
  }

  private func makeCatalogue(_ url: URL) throws {
    var options = SQLiteStoreOptions()
    options.configuration = "Catalogue"
    let stack = try DataStack(
      sqlite: url, model: Archive.model.get(), classes: Archive.classes, options: options)
    try stack.newContext().performAndWait { context in
      Track.create(in: context).title = "Blue"
      try context.save()
    }
    try stack.store.close()
  }

  @Test func loadingAndWaitingOpensAllOrNone() throws {
    let folder = try TemporaryFolder()
    var all = descriptions(folder)
    let there = all[1].url
    all[1].url = folder.file("no/Remarks.sqlite")
    let container = try container(all)
    #expect(throws: StoreError.self) { _ = try container.loadPersistentStores() }
    #expect(container.loadedStack == nil)
    all[1].url = there
    container.persistentStoreDescriptions = all
    #expect(try container.loadPersistentStores() == all)
    #expect(throws: PersistentContainer.LoadError.self) {
      _ = try container.loadPersistentStores()
    }
    try container.viewContext.performAndWait { context throws in
      #expect(try Track.count(in: context) == 0 && Remark.count(in: context) == 0)
    }
  }

  /// What a container told of its stores.
  private final class Told: Sendable {
    private let told = Guarded<[(PersistentStoreDescription, Bool)]>([])
    func add(_ description: PersistentStoreDescription, _ error: (any Error)?) {
      told.withLock { $0.append((description, error == nil)) }
    }
    var configurations: [String] { told.withLock { $0.compactMap(\.0.configuration) } }
    var successes: [Bool] { told.withLock { $0.map(\.1) } }
  }

  @Test func eachStoreIsToldOfAndTheRestIsTriedAgain() throws {
    let folder = try TemporaryFolder()
    var all = descriptions(folder)
    all[0].shouldAddStoreAsynchronously = true
    let there = all[1].url
    all[1].url = folder.file("no/Remarks.sqlite")
    let container = try container(all)
    let told = Told()
    container.loadPersistentStores { told.add($0, $1) }
    #expect(told.configurations.first == "Remarks")
    #expect(eventually { told.successes.count == 2 })
    #expect(told.configurations == ["Remarks", "Catalogue"] && told.successes == [false, true])
    #expect(container.persistentStoreCoordinator?.persistentStores.count == 1)
    all[1].url = there
    container.persistentStoreDescriptions = all
    container.loadPersistentStores { told.add($0, $1) }
    #expect(told.configurations.last == "Remarks" && told.successes == [false, true, true])
    #expect(container.persistentStoreCoordinator?.persistentStores.count == 2)
    container.loadPersistentStores { told.add($0, $1) }
    #expect(told.successes.last == false)
  }

  @Test func aSingleStoreDoesWithoutACoordinatorUnlessAskedFor() throws {
    let folder = try TemporaryFolder()
    let plain = try container([PersistentStoreDescription(type: .inMemory)])
    _ = try plain.loadPersistentStores()
    #expect(plain.persistentStoreCoordinator == nil)
    let open = try container([PersistentStoreDescription(type: .inMemory)])
    open.usesCoordinator = true
    _ = try open.loadPersistentStores()
    let coordinator = try #require(open.persistentStoreCoordinator)
    try coordinator.addPersistentStore(type: .sqlite, at: folder.file("More.sqlite"))
    let more = coordinator.persistentStore(for: folder.file("More.sqlite"))
    #expect(more === coordinator.persistentStores[1])
    #expect(coordinator.url(for: try #require(more)) == folder.file("More.sqlite"))
    #expect(coordinator.url(for: coordinator.persistentStores[0]) == nil)
    #expect(open.viewContext.performAndWait { $0.persistentStoreCoordinator } === coordinator)
    #expect(coordinator.persistentStore(for: folder.file("Other.sqlite")) == nil)
    #expect(throws: StoreError.self) {
      try coordinator.addPersistentStore(type: .sqlite, at: folder.file("More.sqlite"))
    }
  }

  @Test func testModeGivesEachStoreAPlaceOfItsOwn() throws {
    let folder = try TemporaryFolder()
    let environment = ["XDG_CACHE_HOME": folder.url.path]
    let container = PersistentContainer(
      name: "Archive", try Archive.model.get(), Archive.classes,
      LaunchSetup(arguments: ["program", "-TestMode", "1"]),
      CacheFolder(environment: environment, application: "tests"))
    container.persistentStoreDescriptions = descriptions(folder)
    let used = try container.loadPersistentStores().compactMap(\.url?.lastPathComponent)
    #expect(used == ["Archive.sqlite", "Archive-2.sqlite"])
    #expect(!FileManager.default.fileExists(atPath: folder.file("Remarks.sqlite").path))
  }
}
