// SPDX-License-Identifier: MIT
import CSQLite
import Foundation
import Sporades
import SporadesContainers
import SporadesXcode
import Testing

/// The code in the article about stores of apps.
@Suite struct ForeignStoreDocumentationTests {
  private func makeFile(named name: String = UUID().uuidString) throws -> URL {
    let folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("sporades-foreign-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let file = folder.appendingPathComponent("\(name).sqlite")
    let stack = try DataStack(sqlite: file, entities: Bookshop.entities)
    try stack.newContext().performAndWait { context in
      let author = Bookshop.Author.create(in: context)
      author.lastname = "Austen"
      let book = Bookshop.Book.create(in: context)
      (book.title, book.author) = ("Emma", author)
      try context.save()
    }
    try stack.store.close()
    return file
  }

  @Test func byName() throws {
    let file = try makeFile()
    // snippet: foreign-by-name
    let stack = try DataStack(openingStoreAt: file)
    let titles = try stack.main.performAndWait { context in
      let byAusten = try FetchPredicate(format: "author.lastname == 'Austen'")
      return try context.fetch(FetchRequest("Book", where: byAusten)).map { $0["title"] }
    }
    // snippet end
    #expect(titles == ["Emma"])
    try stack.store.close()
  }

  @Test func byClass() throws {
    let file = try makeFile()
    typealias Author = Bookshop.Author
    // snippet: foreign-classes
    let service = DALService(openingStoreAt: file, classes: [Author.self])
    try service.writeSync { context in
      Author.first(where: \.lastname == "Austen", in: context)?.firstname = "Jane"
    }.get()
    // snippet end
    #expect(try service.readValue { try Author.first(in: $0)?.firstname } == "Jane")
    try service.close()
  }

  @Test func theModelInAdvance() throws {
    let file = try makeFile()
    // snippet: foreign-model
    let found = try StoreModel(ofStoreAt: file)
    switch found.source {
    case .cached: print("The store carries its model.")
    case .tables(let reason): print("Only for reading: \(reason)")
    }
    for warning in found.warnings { print(warning) }
    // snippet end
    #expect(found.source == .cached)
    #expect(found.model.entities.map(\.name) == ["Author", "Book"])
  }

  @Test func byTheModelsOfAFolder() throws {
    let file = try makeFile()
    let folder = file.deletingLastPathComponent()
    try StoreModel(ofStoreAt: file).model.write(to: folder.appendingPathComponent("Books.mom"))
    // snippet: foreign-merged
    let metadata = try DataStack.metadata(ofStoreAt: file)
    let model = try ManagedObjectModel.mergedModel(from: [folder], forStoreMetadata: metadata)
    // snippet end
    #expect(model?.entities.map(\.name) == ["Author", "Book"])
  }

  // MARK: - Beyond the article

  @Test func aContainerOpensTheFileToo() throws {
    let file = try makeFile(named: "Shop")
    let container = try PersistentContainer(openingStoreAt: file, classes: Bookshop.entities)
    #expect(container.name == "Shop")
    try container.loadPersistentStores()
    #expect(try container.viewContext.performAndWait { try Bookshop.Book.count(in: $0) } == 1)
  }

  @Test func aContainerReadsByTheTables() throws {
    let file = try makeFile()
    try removeModel(file)
    let container = try PersistentContainer(openingStoreAt: file)
    try container.loadPersistentStores()
    #expect(container.stack.store.isReadOnly)
    try container.viewContext.performAndWait { context in
      let book = try #require(try context.fetch(FetchRequest("Book")).first)
      #expect(book["TITLE"] == "Emma")
      book["TITLE"] = "Persuasion"
      let error = #expect(throws: StoreError.self) { try context.save() }
      #expect(error?.code == .readOnly)
      context.rollback()
    }
  }

  @Test func aServiceReportsARefusedWriteWithItsReason() throws {
    let file = try makeFile()
    try removeModel(file)
    let service = DALService(openingStoreAt: file)
    let chain = service.writeSync { context in
      _ = try context.managedObjectContext.insert(entityNamed: "Book")
    }
    let error = #expect(throws: DALError.self) { try chain.get() }
    #expect("\(error as Any)".contains("by its tables alone"))
    #expect(try service.readValue { try $0.count(FetchRequest("Book")) } == 1)
    try service.close()
  }

  @Test func aFileThatIsNotThereIsNotMade() throws {
    let file = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    let error = #expect(throws: StoreError.self) { try DataStack(openingStoreAt: file) }
    #expect(error?.code == .cannotOpen)
    #expect(!FileManager.default.fileExists(atPath: file.path))
    #expect(throws: StoreError.self) { try PersistentContainer(openingStoreAt: file) }
  }

  private func removeModel(_ file: URL) throws {
    var database: OpaquePointer?
    try #require(unsafe sqlite3_open(file.path, &database) == SQLITE_OK)
    defer { unsafe sqlite3_close(database) }
    try #require(
      unsafe sqlite3_exec(database, "DROP TABLE Z_MODELCACHE", nil, nil, nil) == SQLITE_OK)
  }
}
