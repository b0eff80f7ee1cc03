// SPDX-License-Identifier: MIT
import Foundation
import Sporades
import SporadesXcode
import Testing

// snippet: mapping-policy
/// Makes one author for all books with the author's name.
final class AuthorPolicy: EntityMigrationPolicy {
  override func createDestinationInstances(
    forSource source: ManagedObject, in mapping: EntityMapping, manager: MigrationManager
  ) throws {
    try super.createDestinationInstances(forSource: source, in: mapping, manager: manager)
    guard case .string(let name) = source["authorName"] else { return }
    var authors = manager.userInfo["authors"] as? [String: ManagedObject] ?? [:]
    if authors[name] == nil {
      let author = try manager.destinationContext.insert(entityNamed: "Author")
      author["name"] = .string(name)
      authors[name] = author
    }
    manager.userInfo["authors"] = authors
    for book in manager.destinationInstances(
      forEntityMappingNamed: mapping.name, sourceInstances: [source])
    {
      book.setObject(authors[name], forKey: "author")
    }
  }
}
// snippet end

@Suite struct MappingDocumentationTests {
  private let folder: MigrationFolder
  private let file: URL
  private let old: ManagedObjectModel
  private let new: ManagedObjectModel

  init() throws {
    folder = try MigrationFolder()
    file = folder.url.appendingPathComponent("Books.sqlite")
    old = try ManagedObjectModel(entities: [
      EntityDescription(
        "Book", attributes: [.init("title", .string), .init("authorName", .string)])
    ])
    new = try ManagedObjectModel(entities: [
      EntityDescription(
        "Author", attributes: [.init("name", .string)],
        relationships: [.toMany("books", "Book", inverse: "author")]),
      EntityDescription(
        "Book",
        attributes: [.init("title", .string), .init("pages", .integer32, isOptional: true)],
        relationships: [.toOne("author", "Author", inverse: "books")]),
    ])
    let store = try SQLiteStore(url: file, model: old)
    try withObjects(of: store) { context in
      try context.add("Book", ["title": "dune", "authorName": "Herbert"])
      try context.add("Book", ["title": "dune messiah", "authorName": "Herbert"])
    }
    try store.close()
  }

  @Test func mappingModelsAreWrittenAndCarriedOut() throws {
    // snippet: mapping-code
    var mappings = MappingModel.inferred(from: old, to: new)
    mappings["IEM_Transform_Book"]?[attribute: "title"] = PropertyMapping(
      "title", "uppercase($source.title)")
    mappings["IEM_Transform_Book"]?[attribute: "pages"] = PropertyMapping("pages") { book in
      guard case .string(let title) = book["title"] else { return nil }
      return title.count * 100
    }
    mappings["IEM_Transform_Book"]?.entityMigrationPolicyClassName = "AuthorPolicy"
    // snippet end
    // snippet: mapping-migrate
    let manager = MigrationManager(source: old, destination: new)
    manager.register(AuthorPolicy.self)
    try manager.migrateStore(from: file, with: mappings)
    // snippet end
    try withObjects(of: file, new) { (context) throws in
      let books = try context.all("Book")
      #expect(books.map { $0["title"] } == ["DUNE", "DUNE MESSIAH"])
      #expect(books.map { $0["pages"] } == [400, 1200])
      let authors = try context.all("Author")
      #expect(authors.map { $0.objects(forKey: "books").count } == [2])
    }
  }

  @Test func mappingModelsAreWrittenAsAWhole() throws {
    // snippet: mapping-whole
    let mappings = MappingModel([
      EntityMapping(from: "Book", to: "Book", attributes: [.init("title"), .init("pages", "100")]),
      EntityMapping(
        "Authors", from: "Book", to: "Author", attributes: [.init("name", "$source.authorName")],
        relationships: [
          .init("books", .destinationInstances(forEntityMappingNamed: "BookToBook", of: .source))
        ]),
    ])
    // snippet end
    #expect(mappings.problems(from: old, to: new).isEmpty)
    let manager = MigrationManager(source: old, destination: new)
    try manager.migrateStore(from: file, with: mappings)
    try withObjects(of: file, new) { (context) throws in
      let books = try context.all("Book")
      #expect(books.map { $0.object(forKey: "author")?["name"] } == ["Herbert", "Herbert"])
      #expect(books.map { $0["pages"] } == [100, 100])
    }
  }

  @Test func mappingModelsAreStagesOfAPlan() throws {
    let mappings = MappingModel.inferred(from: old, to: new)
    let (old, new) = (old, new)
    // snippet: mapping-stage
    var options = SQLiteStoreOptions()
    options.migrationPlan = MigrationPlan([
      .mapping(from: old, to: new, mappings, policies: ["AuthorPolicy": AuthorPolicy.self])
    ])
    // snippet end
    try SQLiteStore(url: file, model: new, options: options).close()
    try withObjects(of: file, new) { (context) throws in
      #expect(try context.all("Book").count == 2)
    }
  }

  @Test func mappingModelsAreFoundInFolders() throws {
    let resources = folder.url
    // snippet: mapping-files
    let found = try MappingModel.mappingModel(
      from: [resources], forSource: old, destination: new)
    // snippet end
    #expect(found == nil)
  }
}
