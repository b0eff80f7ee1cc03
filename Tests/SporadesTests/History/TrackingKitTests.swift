// SPDX-License-Identifier: MIT
import Foundation
import Sporades
import SporadesHistory
import Testing

/// What the 60 tests of PersistentHistoryTrackingKit ask. Each behaviour has an answer, here (`k.`), in
/// `TrackingKitHookTests` (`h.`) or in `HistoryReaderTests` (`r.`). An observation and a rule are their own handles, where
/// the kit gives a UUID; a rule gets no contexts, since the service knows them.
///
/// | The kit's tests | Answered by |
/// |---|---|
/// | CleanStrategy: none | `k.aCleaningWaitsForEachReaderAndForNobodyElse` (reading deletes nothing) |
/// | CleanStrategy: duration, missing authors, batch authors | `h.aCleaningWaitsForItsIntervalAndForEachReader` |
/// | CleanStrategy: notifications | `h.aCleaningComesAfterSoManyCommits` |
/// | Concurrency (5) | `k.readersWritersAndCleanersGoOnAtOnce` |
/// | HookRegistry: register, remove, entities, by UUID, one of several, all (8) | `k.observersHearTheirEntityKindAndAuthorUntilTheyAreRemoved` |
/// | HookRegistry: a UUID that is not there | `k.observersHear…` (the second cancellation returns false) |
/// | HookRegistry: order | `h.observersComeAfterEachOther` |
/// | Integration: observers, manual cleaning | `k.observersHear…`, `k.aCleaningWaits…` |
/// | Integration: two apps, several contexts, batches | `k.programsMergeWhatTheOthersSavedIntoTheObjectsThatTheyHold` |
/// | KitEndToEnd: start and stop, cleaner, contexts, observer, two apps | `r.anObserverHearsWantedChangesUntilItIsCancelled`, `k.…` as above |
/// | KitEndToEnd: merge hook | `h.rulesAreAskedInTheirOrderUntilOneLeavesATransactionOut` |
/// | ManualCleaner (4) | `k.aCleaningWaitsForEachReaderAndForNobodyElse` |
/// | MergeHook: register and remove, all, goOn, finish, order, before (6) | `h.rulesAreAskedInTheirOrderUntilOneLeavesATransactionOut` |
/// | MergeHook: transactions and contexts | `h.rulesAreAsked…` (authors), `h.aRuleMayWrite`, `h.whatIsLeftOutIsMergedLater` |
/// | MergeHook: none | `k.programsMergeWhatTheOthersSavedIntoTheObjectsThatTheyHold` |
/// | ObserverHookGrouping (6) | `k.changesOfOneSaveComeTogetherAndThoseOfSeveralApart` |
/// | Tombstone (3) | `k.aDeletionAloneHasTheKeptValues` |
/// | TransactionProcessor: authors, timestamp, flow | `k.theAuthorsOwnTransactionsAreLeftOut` |
/// | TransactionProcessor: cleaning, observers | `k.aCleaningWaits…`, `k.observersHear…` |
/// | TransactionTimestampManager (3) | `k.aCleaningWaitsForEachReaderAndForNobodyElse` |
@Suite(.timeLimit(.minutes(60))) struct TrackingKitConcurrencyTests: LogbookSuite {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// The lines of the next transactions of a reader, a list for each.
  private func next(
    _ count: Int, of service: DALService, as reader: String, _ filter: HistoryFilter = .init()
  ) async throws -> [[String]] {
    var iterator = try service.history(for: reader, where: filter).makeAsyncIterator()
    var all: [[String]] = []
    while all.count < count, let transaction = try await iterator.next() {
      all.append((transaction.changes ?? []).map(\.line))
    }
    return all
  }

  // MARK: - Observers

  @Test func observersHearTheirEntityKindAndAuthorUntilTheyAreRemoved() async throws {
    let service = try open()
    let heard = Guarded<[String: [String]]>([:])
    func observe(_ name: String, _ filter: HistoryFilter) throws -> HistoryObservation {
      try service.observeHistory(where: filter) { change in
        heard.withLock { $0[name, default: []].append(change.line) }
      }
    }
    let observations = [
      try observe("notes", HistoryFilter(entities: ["LoggedNote"])),
      try observe("folders", HistoryFilter(entities: ["LoggedFolder"], kinds: [.insert])),
      try observe("widget", HistoryFilter(authors: ["widget"])),
      try observe("removed", HistoryFilter()),
    ]
    observations[3].cancel()
    try save(service, by: "widget") { LoggedNote.create(in: $0).key = 1 }
    try save(service, by: "app") { LoggedFolder.create(in: $0).name = "f" }
    try save(service, by: "app") { try #require(try LoggedNote.first(in: $0)).title = "t" }
    try save(service, by: "app") { $0.delete(try #require(try LoggedNote.first(in: $0))) }
    try await until {
      heard.withLock { $0["notes"]?.count == 3 && $0["folders"] != nil && $0["widget"] != nil }
    }
    let all = heard.withLock(\.self)
    #expect(
      all["notes"] == ["insert LoggedNote", "update title LoggedNote", "delete LoggedNote"])
    #expect(all["folders"] == ["insert LoggedFolder"])
    #expect(all["widget"] == ["insert LoggedNote"])
    #expect(all["removed"] == nil)
    for observation in observations.dropLast() { #expect(observation.cancel()) }
    // A second cancellation does no harm, and nobody hears any more.
    #expect(!observations[0].cancel() && !observations[3].cancel())
    try save(service) { LoggedNote.create(in: $0).key = 2 }
    #expect(try await next(5, of: service, as: "last").count == 5)
    #expect(heard.withLock(\.self) == all)
    try service.close()
  }

  @Test func changesOfOneSaveComeTogetherAndThoseOfSeveralApart() async throws {
    let service = try open()
    try save(service) { context in
      for key in 1...3 { LoggedNote.create(in: context).key = key }
      LoggedFolder.create(in: context).name = "f"
    }
    try save(service) { context in
      for note in try LoggedNote.all(in: context) { context.delete(note) }
      LoggedLabel.create(in: context).name = "l"
    }
    let notes = HistoryFilter(entities: ["LoggedNote"])
    #expect(
      try await next(2, of: service, as: "notes", notes) == [
        Array(repeating: "insert LoggedNote", count: 3),
        Array(repeating: "delete LoggedNote", count: 3),
      ])
    let deletions = HistoryFilter(entities: ["LoggedNote"], kinds: [.delete])
    #expect(try await next(1, of: service, as: "deletions", deletions).map(\.count) == [3])
    let others = HistoryFilter(entities: ["LoggedFolder", "LoggedLabel"])
    #expect(
      try await next(2, of: service, as: "others", others) == [
        ["insert LoggedFolder"], ["insert LoggedLabel"],
      ])
    // In the order of the changes, and of the saves.
    let numbers = try service.stack().history().flatMap { $0.changes ?? [] }.map(\.changeID)
    #expect(numbers == numbers.sorted() && numbers.count == 8)
    try service.close()
  }

  @Test func aDeletionAloneHasTheKeptValues() async throws {
    let service = try open()
    try save(service) { context in
      let note = LoggedNote.create(in: context)
      (note.key, note.title, note.body) = (7, "kept", "not kept")
    }
    try save(service) { try #require(try LoggedNote.first(in: $0)).title = "kept, too" }
    try save(service) { $0.delete(try #require(try LoggedNote.first(in: $0))) }
    let changes = try service.stack().history().flatMap { $0.changes ?? [] }
    #expect(changes.prefix(2).allSatisfy { $0.tombstone == nil })
    #expect(changes.last?.tombstone == ["key": .integer(7), "title": "kept, too"])
    try service.close()
  }

  // MARK: - Several programs

  @Test func theAuthorsOwnTransactionsAreLeftOut() async throws {
    let (app, widget) = (try open(), try open())
    try save(app, by: "app") { LoggedNote.create(in: $0).key = 1 }
    try save(widget, by: "widget") { LoggedFolder.create(in: $0).name = "f" }
    try save(app, by: "batch") { LoggedLabel.create(in: $0).name = "l" }
    let filter = HistoryFilter(excludedAuthors: ["app", "batch"])
    #expect(try await next(1, of: app, as: "app", filter) == [["insert LoggedFolder"]])
    // The place behind the last transaction, of which the others read what follows.
    #expect(try app.currentPersistentHistoryToken() == widget.currentPersistentHistoryToken())
    let last = try #require(try widget.stack().history().last)
    #expect(last.timestamp <= Date() && last.author == "batch")
    for service in [app, widget] { try service.close() }
  }

  @Test func programsMergeWhatTheOthersSavedIntoTheObjectsThatTheyHold() async throws {
    let (app, widget) = (try open(), try open())
    try save(app, by: "app") { LoggedNote.create(in: $0).title = "first" }
    let queues = try [app, widget].map { try $0.stack().newContext() }
    for queue in queues {
      #expect(try queue.performAndWait { try LoggedNote.first(in: $0)?.title } == "first")
    }
    var changes = try app.remoteChanges.makeAsyncIterator()
    try save(widget, by: "widget") { try #require(try LoggedNote.first(in: $0)).title = "second" }
    #expect(await changes.next() != nil)
    for queue in queues {
      #expect(try queue.performAndWait { try LoggedNote.first(in: $0)?.title } == "second")
    }
    // A batch writes its transaction, too.
    let request = BatchUpdateRequest(
      fetchRequest: FetchRequest("LoggedNote"), propertiesToUpdate: ["title": "third"])
    _ = try widget.stack().newContext().performAndWait { try $0.execute(request) }
    #expect(await changes.next() != nil)
    #expect(try app.readValue { try LoggedNote.all(in: $0).map(\.title) } == ["third"])
    #expect(try app.stack().history().count == 3)
    for service in [app, widget] { try service.close() }
  }

  // MARK: - Cleaning

  @Test func aCleaningWaitsForEachReaderAndForNobodyElse() async throws {
    let service = try open()
    #expect(try service.cleanHistory() == 0)
    for author in ["app", "widget", "batch", "app"] {
      try save(service, by: author) { LoggedNote.create(in: $0).key = 1 }
    }
    // Without a reader nothing is deleted, and reading deletes nothing.
    #expect(try service.cleanHistory() == 0)
    #expect(try await next(4, of: service, as: "app").count == 4)
    _ = try await next(1, of: service, as: "widget")
    // The widget's reader has confirmed nothing yet. Authors who read nothing hold up nobody.
    #expect(try service.cleanHistory() == 0)
    #expect(try await next(3, of: service, as: "widget").count == 3)
    #expect(try service.historyReaders().map(\.number).min() == 2)
    #expect(try service.cleanHistory() == 2)
    #expect(try service.stack().history().map(\.transactionNumber) == [3, 4])
    #expect(try service.cleanHistory() == 0)
    #expect(
      try service.historyReaders().map { "\($0.name) \($0.number)" } == ["app 3", "widget 2"])
    try service.close()
  }

  @Test func readersWritersAndCleanersGoOnAtOnce() async throws {
    let services = try (0..<3).map { _ in try open() }
    let saves = 20
    let read = try await withThrowingTaskGroup(of: [Int64].self) { group in
      for (number, service) in services.enumerated() {
        let sequence = try service.history(for: "reader \(number)")
        group.addTask {
          var numbers: [Int64] = []
          for try await transaction in sequence {
            numbers.append(transaction.transactionNumber)
            _ = try service.cleanHistory()
            if numbers.count == saves * services.count { break }
          }
          return numbers
        }
      }
      // Each reader is known before the first cleaning can delete anything.
      try await until { try services[0].historyReaders().count == services.count }
      for number in 0..<saves {
        for service in services {
          try save(service, by: "writer") { LoggedNote.create(in: $0).key = number }
        }
      }
      return try await group.reduce(into: []) { $0.append($1) }
    }
    #expect(read == Array(repeating: Array(1...Int64(saves * services.count)), count: 3))
    for service in services { try service.close() }
  }
}
