// SPDX-License-Identifier: MIT
import Foundation
import Sporades
import SporadesContainers
import SporadesModel
import SporadesPostgreSQL
import SporadesStore
import TestServer
import Testing

/// A coordinator's store goes from a file to a server and back while contexts use it.
@Suite(.enabled(if: TestServer.isThere, "There is no PostgreSQL on this machine."))
struct MigratedCoordinatorTests {
  private let place: TestStore
  private let files: [URL]
  private let coordinator: PersistentStoreCoordinator

  init() throws {
    place = try TestStore()
    files = (0..<2).map { _ in
      FileManager.default.temporaryDirectory.appendingPathComponent(
        "moved-\(UUID().uuidString).sqlite")
    }
    coordinator = PersistentStoreCoordinator(model: StagedShop.third)
    try coordinator.addPersistentStore(type: .sqlite, at: files[0])
  }

  @Test func objectsStayWhereTheirStoreGoesToAServerAndBack() throws {
    let file = coordinator.persistentStores[0]
    let stack = DataStack(store: coordinator)
    try coordinator.setMetadata(["mine": .integer(3)])
    try stack.newContext().performAndWait { context in
      let book = try context.insert(entityNamed: "Book")
      book["title"] = "a"
      let shelf = try context.insert(entityNamed: "Shelf")
      book.setObject(shelf, forKey: "shelf")
      try context.save()
      let server = try place.open(StagedShop.third)
      try coordinator.migratePersistentStore(file, to: server)
      #expect(coordinator.persistentStores.map(\.identifier) == [server.identifier])
      #expect(throws: StoreError.self) { try file.metadata() }
      #expect(try coordinator.metadata()["mine"] == .integer(3))
      context.refresh(book, mergeChanges: false)
      #expect(book["title"] == "a" && book.object(forKey: "shelf") === shelf)
      book["title"] = "b"
      try context.insert(entityNamed: "Book")["title"] = "c"
      try context.save()
      try coordinator.commit(.immediate)
      #expect(try place.lines("SELECT title FROM book ORDER BY 1") == ["b", "c"])
      try coordinator.migratePersistentStore(server, to: files[1])
      book["title"] = "d"
      try context.save()
      try coordinator.commit(.immediate)
    }
    #expect(try StagedShop.titles(coordinator) == ["c", "d"])
    // The server's store is as it was when the file took over.
    #expect(try place.lines("SELECT title FROM book ORDER BY 1") == ["b", "c"])
    try coordinator.close()
    for file in files { try SQLiteStore.destroy(storeAt: file) }
  }

  @Test func aStoreThatIsNotEmptyTakesNothing() throws {
    let full = try place.open(StagedShop.third)
    try DataStack(store: full).newContext().performAndWait { context in
      try context.insert(entityNamed: "Book")["title"] = "other"
      try context.save()
    }
    let file = coordinator.persistentStores[0]
    let error = #expect(throws: StoreError.self) {
      try coordinator.migratePersistentStore(file, to: full)
    }
    #expect(error?.description.contains("has objects") == true, "\(String(describing: error))")
    #expect(coordinator.persistentStores.map(\.identifier) == [file.identifier])
    #expect(try StagedShop.titles(full) == ["other"])
    try full.close()
    try coordinator.close()
    try SQLiteStore.destroy(storeAt: files[0])
  }
}
