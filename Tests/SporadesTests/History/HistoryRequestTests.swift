// SPDX-License-Identifier: MIT
import Foundation
import Sporades
import SporadesHistory
import SporadesTesting
import Testing

@Suite struct HistoryRequestTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// Three saves: two notes, a change by another author, a deletion.
  private func threeSaves(_ kind: HistoryStoreKind) throws -> DataStack {
    let stack = try kind.stack(folder)
    let id = try stack.save(by: "app", as: "night") { context in
      let note = LoggedNote.create(in: context)
      (note.key, note.title) = (1, "one")
      let other = LoggedNote.create(in: context)
      (other.key, other.title) = (2, "two")
      try context.save()
      return other.objectID
    }
    try stack.save(by: "widget") { context in
      let note = try context.note(id)
      note.body = "changed"
      note.folder = LoggedFolder.create(in: context)
    }
    try stack.save(by: "app") { context in
      let note = try context.note(id)
      context.delete(note)
    }
    return stack
  }

  @Test(arguments: HistoryStoreKind.allCases)
  func aSaveIsATransactionWithItsChanges(kind: HistoryStoreKind) throws {
    let stack = try threeSaves(kind)
    let all = try stack.history()
    #expect(all.map(\.author) == ["app", "widget", "app"])
    #expect(all.map(\.contextName) == ["night", nil, nil])
    #expect(all.map(\.transactionNumber) == [1, 2, 3])
    #expect(all.allSatisfy { $0.processID?.isEmpty == false })
    #expect(all.allSatisfy { abs($0.timestamp.timeIntervalSinceNow) < 3_600 })
    #expect(
      all.map { $0.changes?.map(\.line) } == [
        ["insert LoggedNote", "insert LoggedNote"],
        ["insert LoggedFolder", "update body,folder LoggedNote"],
        ["update notes LoggedFolder", "delete LoggedNote"],
      ])
    #expect(Set(all.map(\.storeID)).count == 1)
  }

  @Test(arguments: [HistoryStoreKind.file, .sqliteInMemory])
  func theBundleIsNamed(kind: HistoryStoreKind) throws {
    let all = try threeSaves(kind).history()
    #expect(all.map(\.bundleID) == Array(repeating: "org.example.logbook", count: 3))
  }

  @Test(arguments: HistoryStoreKind.allCases)
  func aDeletedObjectLeavesTheValuesThatItsModelPreserves(kind: HistoryStoreKind) throws {
    let change = try #require(try threeSaves(kind).history().last?.changes?.last)
    #expect(change.tombstone == ["key": .integer(2), "title": .string("two")])
  }

  @Test(arguments: HistoryStoreKind.allCases)
  func aTokenBeginsBehindWhatIsKnown(kind: HistoryStoreKind) throws {
    let stack = try threeSaves(kind)
    let all = try stack.history()
    #expect(try stack.history(after: all[0].token).map(\.transactionNumber) == [2, 3])
    #expect(try stack.history(after: all[2].token).isEmpty)
    let current = try #require(try stack.currentPersistentHistoryToken())
    #expect(current[all[0].storeID] == 3)
    let request = PersistentHistoryChangeRequest.fetchHistory(after: all[1])
    #expect(try stack.answer(request).transactions.map(\.transactionNumber) == [3])
    #expect(try stack.answer(request).token[all[0].storeID] == 3)
  }

  @Test(arguments: HistoryStoreKind.allCases)
  func aDateBeginsBehindWhatWasSavedBefore(kind: HistoryStoreKind) throws {
    let stack = try threeSaves(kind)
    let all = try stack.history()
    let found = try stack.answer(.fetchHistory(after: all[0].timestamp)).transactions
    #expect(found.map(\.transactionNumber) == [2, 3])
    #expect(try stack.answer(.fetchHistory(after: Date.distantPast)).transactions.count == 3)
    #expect(try stack.answer(.fetchHistory(after: Date.distantFuture)).transactions.isEmpty)
  }

  @Test(arguments: HistoryStoreKind.allCases)
  func eachResultTypeHasItsForm(kind: HistoryStoreKind) throws {
    let stack = try threeSaves(kind)
    func answer(_ type: PersistentHistoryChangeRequest.ResultType) throws -> PersistentHistoryResult
    {
      var request = PersistentHistoryChangeRequest.fetchHistory(
        after: nil as PersistentHistoryToken?)
      request.resultType = type
      return try stack.answer(request)
    }
    #expect(try answer(.statusOnly).status)
    #expect(try answer(.count).count == 3)
    #expect(
      try answer(.objectIDs).objectIDs.map(\.entityName) == [
        "LoggedNote", "LoggedNote", "LoggedFolder",
      ])
    #expect(try answer(.transactionsOnly).transactions.allSatisfy { $0.changes == nil })
    #expect(try answer(.transactionsOnly).transactions.count == 3)
    #expect(
      try answer(.changesOnly).changes.map(\.transaction.transactionNumber) == [1, 1, 2, 2, 3, 3])
    #expect(try answer(.changesOnly).transactions.isEmpty)
  }

  // MARK: - Conditions and orders

  @Test(
    arguments: HistoryStoreKind.allCases,
    [
      ("author == 'widget'", [2]), ("author != 'app'", [2]), ("author != nil", [1, 2, 3]),
      ("contextName == 'night'", [1]), ("contextName == nil", [2, 3]),
      ("transactionNumber > 1 AND author BEGINSWITH 'a'", [3]),
      ("ANY changes.changeType == 2", [3]), ("changes.@count == 2", [1, 2, 3]),
      ("ANY changes.changedEntity == 'LoggedFolder'", [2, 3]),
      ("SUBQUERY(changes, $c, $c.changeType == 0).@count == 1", [2]),
      ("processID == nil", []),
    ] as [(String, [Int64])])
  func aFetchOfTransactionsHasConditions(kind: HistoryStoreKind, format: (String, [Int64])) throws {
    let stack = try threeSaves(kind)
    let request = PersistentHistoryChangeRequest.fetchHistory(
      withFetch: PersistentHistoryTransaction.fetchRequest(
        where: try FetchPredicate(format: format.0)))
    #expect(try stack.answer(request).transactions.map(\.transactionNumber) == format.1)
  }

  @Test(arguments: HistoryStoreKind.allCases)
  func aFetchOfChangesHasConditions(kind: HistoryStoreKind) throws {
    let stack = try threeSaves(kind)
    let all = try stack.history()
    let id = try #require(all[0].changes?.last?.changedObjectID)
    func changes(_ predicate: FetchPredicate) throws -> [String] {
      var request = PersistentHistoryChangeRequest.fetchHistory(
        withFetch: PersistentHistoryChange.fetchRequest(where: predicate))
      request.resultType = .changesOnly
      return try stack.answer(request).changes.map { "\($0.changeType)" }
    }
    #expect(
      try changes(FetchPredicate(format: "changedObjectID == %@", id)) == [
        "insert", "update", "delete",
      ])
    #expect(
      try changes(
        FetchPredicate(format: "changeType == %@", PersistentHistoryChange.ChangeType.delete))
        == ["delete"])
    #expect(
      try changes(FetchPredicate(format: "transaction.author == 'widget'")) == ["insert", "update"])
    #expect(
      try changes(FetchPredicate(format: "changedEntity == 'LoggedFolder'")) == [
        "insert", "update",
      ])
  }

  @Test func changesOfAConditionStayInTheirTransactions() throws {
    let stack = try threeSaves(.memory)
    let request = PersistentHistoryChangeRequest.fetchHistory(
      withFetch: PersistentHistoryChange.fetchRequest(
        where: try FetchPredicate(format: "changedEntity == 'LoggedFolder'")))
    let found = try stack.answer(request)
    #expect(found.transactions.map(\.transactionNumber) == [2, 3])
    #expect(found.transactions.map { $0.changes?.count } == [1, 1])
    #expect(found.count == 2)
  }

  @Test(arguments: HistoryStoreKind.allCases)
  func ordersAndBoundsArrangeTheResults(kind: HistoryStoreKind) throws {
    let stack = try threeSaves(kind)
    func numbers(_ fetch: FetchRequest) throws -> [Int64] {
      try stack.answer(.fetchHistory(withFetch: fetch)).transactions.map(\.transactionNumber)
    }
    typealias Transaction = PersistentHistoryTransaction
    #expect(
      try numbers(
        Transaction.fetchRequest(sortedBy: [SortTerm("transactionNumber", ascending: false)])) == [
          3, 2, 1,
        ])
    #expect(try numbers(Transaction.fetchRequest(sortedBy: [SortTerm("author")])) == [1, 3, 2])
    #expect(
      try numbers(Transaction.fetchRequest(sortedBy: [SortTerm("author")], limit: 1, offset: 1))
        == [3])
    #expect(try numbers(Transaction.fetchRequest(limit: 2)) == [1, 2])
    #expect(try numbers(Transaction.fetchRequest(limit: 1, offset: 1)) == [2])
    #expect(try numbers(Transaction.fetchRequest(limit: 0)) == [])
  }

  /// Who reads in pieces goes on behind the last piece.
  @Test(arguments: HistoryStoreKind.allCases)
  func aBoundedFetchTellsWhereItEnded(kind: HistoryStoreKind) throws {
    let stack = try threeSaves(kind)
    var token: PersistentHistoryToken?
    var found: [[Int64]] = []
    repeat {
      var request = PersistentHistoryChangeRequest.fetchHistory(after: token)
      request.fetchRequest = PersistentHistoryTransaction.fetchRequest(limit: 2)
      let answer = try stack.answer(request)
      token = answer.token
      found.append(answer.transactions.map(\.transactionNumber))
    } while found.last?.isEmpty == false
    #expect(found == [[1, 2], [3], []])
  }

  // MARK: - Refusals

  @Test func aStoreWithoutAHistoryIsNamed() throws {
    let stack = DataStack(store: MemoryStore(model: try Logbook.model()), classes: Logbook.classes)
    let error = #expect(throws: StoreError.self) { try stack.history() }
    #expect(error?.code == .unsupported)
    #expect(error?.detail.contains("persistentHistory = .on") == true)
    #expect(try stack.currentPersistentHistoryToken() == nil)
  }

  @Test func aFetchOfAnotherEntityIsRefused() throws {
    let stack = try threeSaves(.memory)
    let error = #expect(throws: StoreError.self) {
      try stack.answer(.fetchHistory(withFetch: FetchRequest("LoggedNote")))
    }
    #expect(error?.detail.contains("LoggedNote") == true)
  }

  @Test(arguments: ["title == 1", "author.name == 'x'", "tombstone == nil"])
  func aConditionThatDoesNotFitIsRefused(format: String) throws {
    let stack = try threeSaves(.memory)
    let fetch = PersistentHistoryTransaction.fetchRequest(where: try FetchPredicate(format: format))
    let error = #expect(throws: StoreError.self) {
      try stack.answer(.fetchHistory(withFetch: fetch))
    }
    #expect(error?.underlying is FetchPredicateError)
  }
}
