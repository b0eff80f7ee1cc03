// SPDX-License-Identifier: MIT
import Foundation
import Sporades
import SporadesContainers
import SporadesGraph
import SporadesModel
import SporadesSQLite
import SporadesStore
import SporadesXcode
import Testing

/// What a store says of itself, and what contexts hear when it was emptied.
@Suite struct StoreContentTests {
  @Test func metadataHasCoreDatasKeys() throws {
    let stack = try DataStack(inMemory: Bookshop.entities)
    let metadata = try stack.metadata
    #expect(metadata["NSStoreType"] != nil)
    #expect(metadata["NSStoreModelVersionHashesVersion"] != nil)
    guard case .dictionary(let hashes)? = metadata["NSStoreModelVersionHashes"] else {
      Issue.record("There are no version hashes.")
      return
    }
    let expected = stack.model.entityVersionHashesByName
    #expect(hashes.count == 2)
    #expect(expected.count == 2)
    for (name, hash) in expected { #expect(hashes[name] == .data(hash)) }
    #expect(metadata["NSStoreModelVersionChecksumKey"] == .string(stack.model.versionChecksum))
    #expect(
      metadata["NSStoreModelVersionHashesDigest"] == .string(stack.model.versionHashesDigest))
  }

  @Test func aStoreThatWasEmptiedInvalidatesAllObjects() async throws {
    let service = DALService(inMemory: Bookshop.entities)
    try service.writeSync { Bookshop.Book.create(in: $0) }.get()
    let news = try service.stack().main.notifications
    try service.reset()
    try service.read { _ in }.get()
    var names: [ContextNotification.Name] = []
    for await notification in news {
      names.append(notification.name)
      if notification.name == .invalidatedAllObjects { break }
    }
    #expect(names.last == .invalidatedAllObjects)
    #expect(try service.readValue { try Bookshop.Book.count(in: $0) } == 0)
  }

  /// The version differs, and the tables are the same.
  @Test func versionsAreIgnoredWhereAsked() throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent(
      "sporades-versions-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let file = folder.appendingPathComponent("Shop.sqlite")
    func model(_ modifier: String?) throws -> ManagedObjectModel {
      var entity = EntityDescription("Book", attributes: [AttributeDescription("title", .string)])
      entity.versionHashModifier = modifier
      return try ManagedObjectModel(entities: [entity])
    }
    try SQLiteStore(url: file, model: model(nil)).close()
    var options = SQLiteStoreOptions()
    options.migration = .off
    let error = #expect(throws: StoreError.self) {
      try SQLiteStore(url: file, model: model("2"), options: options)
    }
    #expect(error?.code == .incompatibleModel(["Book"]))
    options.checksModel = false
    let store = try SQLiteStore(url: file, model: model("2"), options: options)
    try DataStack(store: store).newContext().performAndWait { context in
      try context.insert(entityNamed: "Book")["title"] = "Emma"
      try context.save()
    }
    try store.close()
  }

  /// The model lies beside the program, as the files of an application do.
  @Test func aContainerReadsTheModelOfItsName() throws {
    let name = "Kennel-\(UUID().uuidString)"
    let beside = try #require(ModelFile.searchFolders.dropFirst(3).first)
    let folder = beside.appendingPathComponent("\(name).xcdatamodel")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let text = """
      <model type="com.apple.IDECoreDataModeler.DataModel" documentVersion="1.0">
        <entity name="Dog"><attribute name="name" attributeType="String"/></entity>
      </model>
      """
    try Data(text.utf8).write(to: folder.appendingPathComponent("contents"))
    let container = try PersistentContainer(name: name)
    container.persistentStoreDescriptions = [PersistentStoreDescription(type: .inMemory)]
    try container.loadPersistentStores()
    try container.viewContext.performAndWait { context in
      try context.insert(entityNamed: "Dog")["name"] = "Rex"
      try context.save()
    }
    let count = try container.newBackgroundContext().performAndWait {
      try $0.count(FetchRequest("Dog"))
    }
    #expect(count == 1)
  }
}
