// SPDX-License-Identifier: MIT
import Foundation
import Sporades
import SporadesContainers
import SporadesHistory
import Testing

@Suite struct HistoryMergingTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  @Test func aTransactionBecomesANotification() throws {
    let stack = try HistoryStoreKind.memory.stack(folder)
    let id = try stack.save { context in
      let note = LoggedNote.create(in: context)
      try context.save()
      return note.objectID
    }
    try stack.save { context in
      try context.note(id).title = "two"
      _ = LoggedFolder.create(in: context)
    }
    try stack.save { context in context.delete(try context.note(id)) }
    let all = try stack.history()
    let notifications = all.map { $0.objectIDNotification() }
    #expect(notifications[0].insertedObjectIDs == [id])
    #expect(notifications[1].updatedObjectIDs == [id])
    #expect(notifications[1].insertedObjectIDs.map(\.entityName) == ["LoggedFolder"])
    #expect(notifications[2].deletedObjectIDs == [id])
  }

  /// Two stacks on one file: the second shows what the first saved once it has merged its history.
  @Test func aContextMergesWhatAnotherStackSaved() throws {
    let first = try HistoryStoreKind.file.stack(folder)
    let id = try first.save { context in
      let note = LoggedNote.create(in: context)
      note.title = "one"
      try context.save()
      return note.objectID
    }
    let second = DataStack(
      store: try Logbook.file(folder.file("log.sqlite"), noticingOthers: false),
      classes: Logbook.classes)
    let shown = second.newContext()
    let token = try #require(try second.currentPersistentHistoryToken())
    let own = try shown.performAndWait { context in
      let notes = try LoggedNote.all(in: context)
      #expect(notes.map(\.title) == ["one"])
      return try #require(notes.first).objectID
    }
    #expect(own == id)
    try first.save { context in try context.note(id).title = "two" }
    let news = try second.history(after: token)
    #expect(news.count == 1)
    try shown.performAndWait { context in
      context.retainsRegisteredObjects = true
      let note = try context.note(own)
      #expect(note.title == "one")
      for transaction in news { try context.mergeChanges(from: transaction) }
      #expect(note.title == "two")
    }
    try first.save { context in context.delete(try context.note(id)) }
    let last = try second.history(after: try #require(news.last).token)
    try shown.performAndWait { context in
      for transaction in last { try context.mergeChanges(from: transaction) }
      #expect(try LoggedNote.all(in: context).isEmpty)
    }
  }

  @Test func aChildContextAsksTheSameHistory() throws {
    let stack = try HistoryStoreKind.memory.stack(folder)
    try stack.save { _ = LoggedNote.create(in: $0) }
    let child = stack.newChild(of: stack.newContext())
    let count = try child.performAndWait {
      try $0.execute(.fetchHistory(after: nil as PersistentHistoryToken?)).count
    }
    #expect(count == 1)
  }

  // MARK: - SwiftData's form

  @Test func aDescriptorFetchesTransactions() throws {
    let stack = try HistoryStoreKind.file.stack(folder)
    for author in ["app", "widget", "app"] {
      try stack.save(by: author) { _ = LoggedNote.create(in: $0) }
    }
    try stack.newContext().performAndWait { context in
      let all = try context.fetchHistory()
      #expect(all.map(\.author) == ["app", "widget", "app"])
      let widget = HistoryDescriptor(predicate: #Predicate { $0.author == "widget" })
      #expect(try context.fetchHistory(widget).map(\.transactionNumber) == [2])
      let (first, second) = (all[0].token, all[1].token)
      let behind = HistoryDescriptor(predicate: #Predicate { $0.token > first })
      #expect(try context.fetchHistory(behind).map(\.transactionNumber) == [2, 3])
      let upTo = HistoryDescriptor(
        predicate: #Predicate { $0.token <= second && $0.author == "app" })
      #expect(try context.fetchHistory(upTo).map(\.transactionNumber) == [1])
      let later = HistoryDescriptor(after: all[0].token, fetchLimit: 1)
      #expect(try context.fetchHistory(later).map(\.transactionNumber) == [2])
      let backwards = HistoryDescriptor(sortBy: [SortTerm("transactionNumber", ascending: false)])
      #expect(try context.fetchHistory(backwards).map(\.transactionNumber) == [3, 2, 1])
    }
  }

  @Test func aDescriptorDeletesFromTheBeginning() throws {
    let stack = try HistoryStoreKind.file.stack(folder)
    for author in ["app", "widget", "app"] {
      try stack.save(by: author) { _ = LoggedNote.create(in: $0) }
    }
    try stack.newContext().performAndWait { context in
      let none = HistoryDescriptor(predicate: #Predicate { $0.author == "widget" })
      let count = try context.deleteHistory(none)
      #expect(count == 0)
      let app = HistoryDescriptor(predicate: #Predicate { $0.author == "app" })
      #expect(try context.deleteHistory(app) == 1)
      #expect(try context.fetchHistory().map(\.transactionNumber) == [2, 3])
      #expect(try context.deleteHistory(HistoryDescriptor()) == 2)
      #expect(try context.fetchHistory().isEmpty)
    }
  }

  // MARK: - Tokens

  @Test func tokensAreKeptAndCompared() throws {
    let early = PersistentHistoryToken(["A": 1, "B": 5])
    let late = PersistentHistoryToken(["A": 2, "B": 5])
    let other = PersistentHistoryToken(["A": 3, "B": 4])
    #expect(early.isEarlier(than: late))
    #expect(!late.isEarlier(than: early))
    #expect(!late.isEarlier(than: other) && !other.isEarlier(than: late))
    let foreign = PersistentHistoryToken(["C": 9])
    #expect(!early.isEarlier(than: foreign))
    #expect(early < late && late > early && !(early < foreign) && !(foreign < early))
    #expect(late.advanced(to: other) == PersistentHistoryToken(["A": 3, "B": 5]))
    let data = try JSONEncoder().encode(late)
    #expect(try JSONDecoder().decode(PersistentHistoryToken.self, from: data) == late)
    #expect(throws: DecodingError.self) {
      try JSONDecoder().decode(PersistentHistoryToken.self, from: Data(#"{"A":-1}"#.utf8))
    }
  }

  /// A token names each store of a coordinator that keeps a history.
  @Test func aTokenHoldsForSeveralStores() throws {
    let stack = try HistoryStoreKind.coordinator.stack(folder)
    try stack.save { _ = LoggedNote.create(in: $0) }
    let token = try #require(try stack.currentPersistentHistoryToken())
    #expect(token.numbers.values.sorted() == [0, 1])
    let coordinator = try #require(stack.persistentStoreCoordinator)
    let second = coordinator.persistentStores[1]
    let part = try #require(try coordinator.currentPersistentHistoryToken(fromStores: [second]))
    #expect(part.numbers == [second.identifier: 1])
    var request = PersistentHistoryChangeRequest.fetchHistory(after: nil as PersistentHistoryToken?)
    request.affectedStores = [coordinator.persistentStores[0].identifier]
    #expect(try stack.answer(request).transactions.isEmpty)
    request.affectedStores = ["nobody"]
    #expect(throws: StoreError.self) { try stack.answer(request) }
  }
}
