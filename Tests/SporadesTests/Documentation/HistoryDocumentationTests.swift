// SPDX-License-Identifier: MIT
import Foundation
import Sporades
import SporadesHistory
import Testing

/// The code in the documentation of the history.
@Suite struct HistoryDocumentationTests {
  typealias Book = Bookshop.Book
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func makeStack() throws -> DataStack {
    let path = folder.file("shop.sqlite").path
    let model = try ManagedObjectModel(Bookshop.entities)
    // snippet: history-on
    var options = SQLiteStoreOptions()
    options.persistentHistory = .on
    options.bundleIdentifier = "org.example.bookshop"
    let store = try SQLiteStore(path: path, model: model, options: options)
    // snippet end
    let stack = DataStack(store: store, classes: Bookshop.entities)
    try stack.newContext().performAndWait { context in
      context.transactionAuthor = "import"
      let book = Book.create(in: context)
      book.title = "Emma"
      try context.save()
    }
    return stack
  }

  @Test func newsAreRead() throws {
    let stack = try makeStack()
    try stack.newContext().performAndWait { context in
      var token: PersistentHistoryToken?
      // snippet: history-read
      let request = PersistentHistoryChangeRequest.fetchHistory(after: token)
      let news = try context.execute(request)
      for transaction in news.transactions where transaction.author != "me" {
        for change in transaction.changes ?? [] {
          print(change.changeType, change.changedObjectID, change.updatedProperties ?? [])
        }
      }
      token = news.token
      // snippet end
      #expect(news.transactions.count == 1)
      #expect(token?.numbers.values.first == 1)
    }
  }

  @Test func changesAreChosen() throws {
    let stack = try makeStack()
    try stack.newContext().performAndWait { context in
      let token = PersistentHistoryToken()
      // snippet: history-choose
      var request = PersistentHistoryChangeRequest.fetchHistory(after: token)
      request.fetchRequest = PersistentHistoryChange.fetchRequest(
        where: try FetchPredicate(
          format: "changedEntity == 'Book' AND transaction.author != %@", "me"))
      request.resultType = .changesOnly
      let changes = try context.execute(request).changes
      // snippet end
      #expect(changes.map(\.changeType) == [.insert])
    }
  }

  @Test func transactionsAreMerged() throws {
    let stack = try makeStack()
    try stack.newContext().performAndWait { context in
      let token = PersistentHistoryToken()
      // snippet: history-merge
      for transaction in try context.fetchHistory(HistoryDescriptor(after: token)) {
        try context.mergeChanges(from: transaction)
      }
      // snippet end
      #expect(try Book.count(in: context) == 1)
    }
  }

  @Test func theHistoryIsShortened() throws {
    let stack = try makeStack()
    try stack.newContext().performAndWait { context in
      // snippet: history-shorten
      let lastWeek = Date(timeIntervalSinceNow: -7 * 86_400)
      try context.execute(.deleteHistory(before: lastWeek))
      // snippet end
      #expect(try context.fetchHistory().count == 1)
    }
  }

  @Test(.timeLimit(.minutes(60)))
  func theHistoryIsFollowed() async throws {
    let service = DALService(stack: try makeStack())
    let end = try #require(try service.currentPersistentHistoryToken())
    // snippet: history-follow
    let filter = HistoryFilter(entities: ["Book"], excludedAuthors: ["mirror"])
    for try await transaction in try service.history(for: "mirror", where: filter) {
      for change in transaction.changes ?? [] { print(change) }
      if transaction.token == end { break }
    }
    // snippet end
    #expect(try service.historyReaders().map(\.name) == ["mirror"])
    // snippet: history-clean
    let month = Duration.seconds(30 * 86_400)
    try service.cleanHistory(
      keeping: HistoryRetention(longestAge: month, largestCount: 100_000))
    // snippet end
    #expect(try service.stack().history().count == 1)
    // snippet: history-clean-itself
    let cleaning = try service.cleanHistoryByItself(.commits(100))
    let hourly = try service.cleanHistoryByItself(
      .interval(.seconds(3_600)), keeping: HistoryRetention(longestAge: month))
    // snippet end
    cleaning.cancel()
    hourly.cancel()
  }

  private actor Search {
    private(set) var lines: [String] = []

    func update(_ change: PersistentHistoryChange) { lines.append("index") }
    func note(_ change: PersistentHistoryChange) { lines.append("log") }
  }

  @Test(.timeLimit(.minutes(60))) func observersHaveAnOrder() async throws {
    let service = DALService(stack: try makeStack())
    let search = Search()
    // snippet: history-order
    let index = try service.observeHistory { change in await search.update(change) }
    let log = try service.observeHistory(after: index) { change in await search.note(change) }
    // snippet end
    try service.writeSync(durability: .immediate) { Book.create(in: $0).title = "Emma" }.get()
    while await search.lines.count < 2 { await Task.yield() }
    #expect(await search.lines == ["index", "log"])
    for observation in [index, log] { observation.cancel() }
    try service.close()
  }
}
