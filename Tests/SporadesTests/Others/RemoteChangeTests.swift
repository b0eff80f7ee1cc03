// SPDX-License-Identifier: MIT
import Foundation
import Sporades
import SporadesCare
import SporadesHistory
import Testing

/// What a program hears of the commits of other processes.
@Suite(.timeLimit(.minutes(60))) struct RemoteChangeTests {
  private let folder: TemporaryFolder
  private var file: URL { folder.file("log.sqlite") }

  init() throws { folder = try TemporaryFolder() }

  private func stack(_ tracking: HistoryTracking) throws -> DataStack {
    var options = Logbook.options
    options.persistentHistory = tracking
    let store = try SQLiteStore(path: file.path, model: Logbook.model(), options: options)
    return DataStack(store: store, classes: Logbook.classes)
  }

  @Test func aChangeNamesTheStoreItsPlaceAndTheHistory() async throws {
    let ours = try stack(.on)
    let theirs = try stack(.asInFile)
    try ours.save { LoggedNote.create(in: $0).key = 1 }
    var changes = ours.remoteChanges.makeAsyncIterator()
    try theirs.save(by: "other") { LoggedNote.create(in: $0).key = 2 }
    let change = try #require(await changes.next())
    let identifier = ours.store.identifier
    #expect(change.storeIdentifier == identifier)
    #expect(change.storeURL?.path == file.path)
    #expect(change.historyToken == PersistentHistoryToken([identifier: 2]))
    // The token is the place behind which the next news begin.
    try theirs.save(by: "other") { LoggedNote.create(in: $0).key = 3 }
    let next = try #require(await changes.next())
    let news = try ours.history(after: change.historyToken)
    #expect(news.map(\.transactionNumber) == [3])
    #expect(news.last.map { $0.token } == next.historyToken)
  }

  @Test func aChangeWithoutAHistoryHasNoToken() async throws {
    let ours = try stack(.asInFile)
    let theirs = try stack(.asInFile)
    var changes = ours.remoteChanges.makeAsyncIterator()
    try theirs.save { LoggedNote.create(in: $0).key = 2 }
    let change = try #require(await changes.next())
    #expect(change.historyToken == nil)
    #expect(change.storeURL?.path == file.path)
  }

  @Test func aServiceTellsThemUntilItIsClosed() async throws {
    let service = DALService(stack: try stack(.on))
    let theirs = try stack(.asInFile)
    var changes = try service.remoteChanges.makeAsyncIterator()
    try theirs.save { LoggedNote.create(in: $0).key = 7 }
    #expect(await changes.next()?.storeIdentifier == theirs.store.identifier)
    #expect(try service.readValue { try LoggedNote.all(in: $0).map(\.key) } == [7])
    try service.close()
    #expect(throws: DALError.self) { try service.remoteChanges }
  }

  // MARK: - History readers and other processes

  @Test func aReaderOfTheHistoryWakesAtTheCommitOfAnother() async throws {
    let service = DALService(stack: try stack(.on))
    let theirs = try stack(.asInFile)
    let heard = Task.detached { [sequence = try service.history(for: "mirror")] in
      var iterator = sequence.makeAsyncIterator()
      return try await iterator.next()?.author
    }
    // The reader waits once the store knows it.
    while try !service.historyReaders().contains(where: { $0.name == "mirror" }) {
      try Task.checkCancellation()
      await Task.yield()
    }
    try theirs.save(by: "other") { LoggedNote.create(in: $0).key = 2 }
    #expect(try await heard.value == "other")
    try service.close()
  }

  /// Another process turns the history on while the store is open.
  @Test func aHistoryThatAnotherTurnsOnIsReadAndWritten() async throws {
    let ours = try stack(.asInFile)
    #expect(!ours.store.keepsHistory)
    var changes = ours.remoteChanges.makeAsyncIterator()
    let theirs = try stack(.on)
    // The first save of ours comes after the tables, and must not be a gap in them.
    try ours.save(by: "ours") { LoggedNote.create(in: $0).key = 1 }
    #expect(ours.store.keepsHistory)
    try theirs.save(by: "theirs") { LoggedNote.create(in: $0).key = 2 }
    #expect(try ours.history().map(\.author) == ["ours", "theirs"])
    var token: PersistentHistoryToken?
    while token?[ours.store.identifier] != 2 { token = await changes.next()?.historyToken }
    #expect(try ours.currentPersistentHistoryToken() == token)
  }

  // MARK: - References

  @Test func aLinkToWhatAnotherDeletedIsAConflict() throws {
    let ours = try stack(.asInFile)
    let theirs = try stack(.asInFile)
    let folder = try ours.save { context in
      let folder = LoggedFolder.create(in: context)
      try context.save()
      return folder.objectID.uriRepresentation()
    }
    let queue = ours.newContext()
    try queue.performAndWait { context in
      let folder = try #require(try LoggedFolder.first(in: context))
      LoggedNote.create(in: context).folder = folder
    }
    try theirs.save { context in
      let id = try #require(theirs.managedObjectID(forURIRepresentation: folder))
      context.delete(try context.existingObject(with: id))
    }
    try queue.performAndWait { context in
      let error = #expect(throws: StoreError.self) { try context.save() }
      if case .conflict(let ids)? = error?.code {
        #expect(ids.map(\.entityName) == ["LoggedNote"])
      } else {
        Issue.record("The save was not refused: \(error as Any)")
      }
      // A policy drops the link.
      context.mergePolicy = .objectTrump
      try context.save()
    }
    let notes = try ours.newContext().performAndWait { context in
      try LoggedNote.all(in: context).map { $0.folder == nil }
    }
    #expect(notes == [true])
    #expect(try ours.store.integrityProblems() == [])
  }

  @Test func aDeletionFollowsWhatAnotherLinked() throws {
    let ours = try stack(.asInFile)
    let theirs = try stack(.asInFile)
    try ours.save { LoggedFolder.create(in: $0).name = "f" }
    let queue = ours.newContext()
    try queue.performAndWait { context in
      context.delete(try #require(try LoggedFolder.first(in: context)))
    }
    try theirs.save { context in
      LoggedNote.create(in: context).folder = try LoggedFolder.first(in: context)
    }
    try queue.performAndWait { try $0.save() }
    #expect(ours.root.commit(.eventual) == nil)
    let state = try theirs.newContext().performAndWait { context in
      (
        try LoggedFolder.count(in: context),
        try LoggedNote.all(in: context).map { $0.folder == nil }
      )
    }
    #expect(state == (0, [true]))
    #expect(try ours.store.integrityProblems() == [])
  }
}
