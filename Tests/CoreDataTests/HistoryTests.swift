// SPDX-License-Identifier: MIT
import CoreData
import Foundation
import Testing

@Suite struct HistoryTests {
  let folder: TemporaryFolder
  let model = Notes.model()
  let container: NSPersistentContainer
  let context: NSManagedObjectContext

  init() throws {
    folder = try TemporaryFolder()
    container = try Notes.container(at: folder.file("notes.sqlite"), model)
    context = container.newBackgroundContext()
    context.name = "writer"
  }

  private func save(_ title: String, by author: String) throws -> Note {
    context.transactionAuthor = author
    let note = Note(context: context)
    note.title = title
    try context.save()
    return note
  }

  private func transactions(
    _ request: NSPersistentHistoryChangeRequest
  ) throws -> [NSPersistentHistoryTransaction] {
    let result = try #require(try context.execute(request) as? NSPersistentHistoryResult)
    return try #require(result.result as? [NSPersistentHistoryTransaction])
  }

  private var all: NSPersistentHistoryChangeRequest {
    .fetchHistory(after: nil as NSPersistentHistoryToken?)
  }

  @Test func aSaveIsATransactionWithItsChanges() throws {
    let note = try save("A", by: "app")
    note.title = "B"
    try context.save()
    let id = note.objectID
    context.delete(note)
    try context.save()
    let found = try transactions(all)
    #expect(found.map(\.author) == ["app", "app", "app"])
    #expect(found.allSatisfy { $0.contextName == "writer" })
    #expect(found.map { $0.changes?.map(\.changeType) } == [[.insert], [.update], [.delete]])
    let update = try #require(found[1].changes?.first)
    #expect(update.changedObjectID == id && update.changedObjectID.entity.name == "Note")
    #expect(update.updatedProperties?.map(\.name) == ["title"])
    #expect(
      update.transaction == found[1].copy() as? NSPersistentHistoryTransaction
        || update.transaction?.token == found[1].token)
    let info = found[1].objectIDNotification().userInfo
    #expect(info?[NSUpdatedObjectIDsKey] as? Set<NSManagedObjectID> == [id])
    #expect(found[0].storeID == container.persistentStoreCoordinator.persistentStores[0].identifier)
  }

  @Test func predicatesChooseTransactions() throws {
    _ = try save("A", by: "app")
    let middle = Date()
    _ = try save("B", by: "widget")
    _ = try save("C", by: "app")
    let request = all
    let fetch = try #require(NSPersistentHistoryTransaction.fetchRequest)
    fetch.predicate = NSPredicate(format: "%K = %@", "author", "app")
    request.fetchRequest = fetch
    let byApp = try transactions(request)
    #expect(byApp.count == 2)
    #expect(try transactions(.fetchHistory(after: middle)).map(\.author) == ["widget", "app"])
    fetch.predicate = NSPredicate(format: "token > %@", byApp[0].token)
    #expect(try transactions(.fetchHistory(withFetch: fetch)).map(\.author) == ["widget", "app"])
    fetch.predicate = NSPredicate(format: "contextName != %@", "writer")
    #expect(try transactions(.fetchHistory(withFetch: fetch)).isEmpty)
    #expect(try transactions(.fetchHistory(after: byApp[0])).count == 2)
    #expect(NSPersistentHistoryTransaction.entityDescription?.attributesByName["author"] != nil)
  }

  @Test func eachResultTypeHasItsForm() throws {
    let note = try save("A", by: "app")
    let request = all
    func result() throws -> Any? {
      (try context.execute(request) as? NSPersistentHistoryResult)?.result
    }
    request.resultType = .statusOnly
    #expect(try result() as? Bool == true)
    request.resultType = .count
    #expect(try result() as? Int == 1)
    request.resultType = .objectIDs
    #expect(try result() as? [NSManagedObjectID] == [note.objectID])
    request.resultType = .changesOnly
    #expect(
      (try result() as? [NSPersistentHistoryChange])?.map(\.changedObjectID) == [note.objectID])
    request.resultType = .transactionsOnly
    #expect((try result() as? [NSPersistentHistoryTransaction])?.first?.changes == nil)
    let changes = try #require(NSPersistentHistoryChange.fetchRequest)
    changes.predicate = NSPredicate(format: "changedObjectID == %@", note.objectID)
    request.fetchRequest = changes
    request.resultType = .changesOnly
    #expect((try result() as? [NSPersistentHistoryChange])?.count == 1)
  }

  @Test func aTokenIsKeptInAnArchive() throws {
    _ = try save("A", by: "app")
    let coordinator = container.persistentStoreCoordinator
    let token = try #require(coordinator.currentPersistentHistoryToken(fromStores: nil))
    let data = try NSKeyedArchiver.archivedData(withRootObject: token, requiringSecureCoding: true)
    let read = try #require(
      try NSKeyedUnarchiver.unarchivedObject(ofClass: NSPersistentHistoryToken.self, from: data))
    #expect(read == token && read.hash == token.hash)
    _ = try save("B", by: "app")
    #expect(try transactions(.fetchHistory(after: read)).count == 1)
    #expect(
      coordinator.currentPersistentHistoryToken(fromStores: coordinator.persistentStores) != token)
  }

  @Test func aDeletionEndsBeforeWhatItsPredicateLeavesOut() throws {
    _ = try save("A", by: "app")
    _ = try save("B", by: "widget")
    _ = try save("C", by: "app")
    let request = NSPersistentHistoryChangeRequest.deleteHistory(before: Date.distantFuture)
    let fetch = try #require(NSPersistentHistoryTransaction.fetchRequest)
    fetch.predicate = NSPredicate(format: "author == %@", "app")
    request.fetchRequest = fetch
    request.resultType = .count
    #expect((try context.execute(request) as? NSPersistentHistoryResult)?.result as? Int == 1)
    let rest = NSPersistentHistoryChangeRequest.deleteHistory(before: Date.distantFuture)
    #expect((try context.execute(rest) as? NSPersistentHistoryResult)?.result as? Bool == true)
    #expect(try transactions(.fetchHistory(after: Date.distantPast)).isEmpty)
  }

  @Test func twoContainersShareAFile() async throws {
    let url = folder.file("notes.sqlite")
    let other = try Notes.container(at: url, model)
    let coordinator = container.persistentStoreCoordinator
    let note = try await posted(by: coordinator) {
      let context = other.newBackgroundContext()
      context.transactionAuthor = "other"
      return try context.performAndWait {
        let note = Note(context: context)
        note.title = "A"
        try context.save()
        return note.objectID.uriRepresentation()
      }
    }
    let id = try #require(coordinator.managedObjectID(forURIRepresentation: note.output))
    #expect(context.object(with: id).value(forKey: "title") as? String == "A")
    #expect(note.info[NSPersistentStoreURLKey] as? URL == url)
    #expect(note.info[NSStoreUUIDKey] as? String == coordinator.persistentStores[0].identifier)
    #expect(note.info[NSPersistentHistoryTokenKey] is NSPersistentHistoryToken)
    #expect(try transactions(all).map(\.author) == ["other"])
  }

  @Test func ownSavesAreAnnouncedToo() async throws {
    let change = try await posted(by: container.persistentStoreCoordinator) {
      try save("A", by: "app").objectID
    }
    let token = change.info[NSPersistentHistoryTokenKey] as? NSPersistentHistoryToken
    #expect(
      token == container.persistentStoreCoordinator.currentPersistentHistoryToken(fromStores: nil))
  }

  /// The information of the first notification of a save that a coordinator posts during or after `body`.
  private func posted<Output>(
    by coordinator: NSPersistentStoreCoordinator, _ body: () throws -> Output
  ) async throws -> (output: Output, info: [AnyHashable: Any]) {
    let (stream, continuation) = AsyncStream.makeStream(of: Info.self)
    let observer = NotificationCenter.default.addObserver(
      forName: .NSPersistentStoreRemoteChange, object: coordinator, queue: nil
    ) { continuation.yield(Info(values: $0.userInfo ?? [:])) }
    defer { NotificationCenter.default.removeObserver(observer) }
    let output = try body()
    for await info in stream { return (output, info.values) }
    throw CancellationError()
  }
}

/// What a notification tells.
private struct Info: @unchecked Sendable {
  // @unchecked: nobody changes the values.
  let values: [AnyHashable: Any]
}
