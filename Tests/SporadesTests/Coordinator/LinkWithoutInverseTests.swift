// SPDX-License-Identifier: MIT
import Foundation
import Sporades
import SporadesContainers
import SporadesModel
import SporadesSQLite
import SporadesStore
import SporadesTesting
import Testing

/// Links without an inverse that lead to deleted objects, in copies of stores.
@Suite struct LinkWithoutInverseTests {
  private static func model() throws -> ManagedObjectModel {
    var kept = RelationshipDescription.toMany("kept", "Page")
    kept.deleteRule = .noAction
    return try ManagedObjectModel(entities: [
      EntityDescription(
        "Book", attributes: [AttributeDescription("name", .string, defaultValue: "")],
        relationships: [.toOne("first", "Page"), .toMany("pages", "Page"), kept]),
      EntityDescription(
        "Page", attributes: [AttributeDescription("name", .string, defaultValue: "")]),
    ])
  }

  /// What objects and requests show of the links.
  private func look(_ store: any PersistentStore) throws -> [String] {
    try DataStack(store: store).newContext().performAndWait { context in
      func all(_ entity: String) throws -> [ManagedObject] {
        try context.fetch(FetchRequest(entity, sortedBy: [SortTerm("name")]))
      }
      func count(_ format: String) throws -> Int {
        try context.count(
          FetchRequest("Book", where: try FetchPredicate(format: format)))
      }
      var lines = try all("Book").map { book in
        let first = book.object(forKey: "first")
        let names = ["pages", "kept"].map { key in
          book.objects(forKey: key).map { "\($0["name"])" }.sorted().joined(separator: ",")
        }
        return "\(book["name"]) first \(first.map { $0.objectID.key.primaryKey } ?? 0) \(names)"
      }
      for format in [
        "first == nil", "first != nil", "first.name == nil", "first.name == 'a'",
        "first.name != 'a'", "NOT first.name == 'a'", "ANY pages.name == 'c'",
        "pages.@count == 1", "kept.@count == 1", "ANY kept.name == 'e'",
      ] {
        lines.append("\(format): \(try count(format))")
      }
      return lines + (try all("Page").map { "\($0["name"])" })
    }
  }

  private func fill(_ store: any PersistentStore) throws {
    try DataStack(store: store).newContext().performAndWait { context in
      var pages: [ManagedObject] = []
      for name in ["a", "b", "c", "d", "e"] {
        let page = try context.insert(entityNamed: "Page")
        page["name"] = .string(name)
        pages.append(page)
      }
      let books = try ["one", "two"].map { name in
        let book = try context.insert(entityNamed: "Book")
        book["name"] = .string(name)
        return book
      }
      books[0].setObject(pages[0], forKey: "first")
      books[0].setObjects([pages[1], pages[2]], forKey: "pages")
      books[1].setObjects([pages[3]], forKey: "pages")
      books[1].setObjects([pages[4]], forKey: "kept")
      try context.save()
      for gone in [pages[0], pages[1], books[1]] { context.delete(gone) }
      try context.save()
    }
    try store.commit(.immediate)
  }

  private func made(_ kind: String, _ folder: TemporaryFolder) throws -> any PersistentStore {
    switch kind {
    case "file": try SQLiteStore(url: folder.file("Source.sqlite"), model: Self.model())
    case "reference": MemoryStore(model: try Self.model())
    default: try SQLiteStore(inMemory: Self.model())
    }
  }

  @Test(arguments: ["file", "memory", "reference"], ["file", "memory"])
  func aCopyShowsWhatItsStoreShows(_ from: String, _ to: String) throws {
    let folder = try TemporaryFolder()
    let store = try made(from, folder)
    try fill(store)
    let before = try look(store)
    let coordinator = PersistentStoreCoordinator(model: try Self.model())
    try coordinator.addPersistentStore(store)
    #expect(try look(coordinator) == before)
    try coordinator.migratePersistentStore(
      store, to: to == "file" ? folder.file("Target.sqlite") : nil,
      type: to == "file" ? .sqlite : .inMemory)
    #expect(try look(coordinator) == before)
  }

  @Test func allKindsShowTheSame() throws {
    let folder = try TemporaryFolder()
    let seen = try ["file", "memory", "reference"].map { kind in
      let store = try made(kind, folder)
      try fill(store)
      return try look(store)
    }
    #expect(seen[0] == seen[1] && seen[1] == seen[2], "\(seen)")
  }
}
