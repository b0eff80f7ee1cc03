// SPDX-License-Identifier: MIT
import Foundation
import Sporades
import SporadesHistory
import Testing

/// What PersistentHistoryTrackingKit's tests ask of its hooks before a merge, of cleanings that start by themselves, and of
/// the order of observers.
@Suite(.timeLimit(.minutes(60))) struct TrackingKitHookTests: LogbookSuite {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// The title of the only note, as the service's main context has it.
  private func title(_ service: DALService) throws -> String? {
    try service.readValue { try LoggedNote.first(in: $0)?.title }
  }

  private func numbers(_ service: DALService) throws -> [Int64] {
    try service.stack().history().map(\.transactionNumber)
  }

  // MARK: - Before a merge

  @Test func rulesAreAskedInTheirOrderUntilOneLeavesATransactionOut() async throws {
    let (app, widget) = (try open(), try open())
    let asked = Guarded<[String]>([])
    func rule(
      _ name: String, before next: RemoteMergeRule? = nil, leavingOut author: String? = nil
    ) throws -> RemoteMergeRule {
      try app.addRemoteMergeRule(before: next) { transaction in
        asked.withLock { $0.append("\(name) \(transaction.author ?? "-")") }
        return transaction.author == author ? .leaveOut : .goOn
      }
    }
    let second = try rule("2", leavingOut: "banned")
    let third = try rule("3")
    let first = try rule("1", before: second)
    var changes = try app.remoteChanges.makeAsyncIterator()
    try save(widget, by: "widget") { LoggedNote.create(in: $0).title = "a" }
    #expect(await changes.next() != nil)
    try save(widget, by: "banned") { LoggedFolder.create(in: $0).name = "f" }
    #expect(await changes.next() != nil)
    // The saves of the service itself are merged without a question.
    try save(app, by: "app") { LoggedFolder.create(in: $0).name = "own" }
    #expect(
      asked.withLock(\.self) == ["1 widget", "2 widget", "3 widget", "1 banned", "2 banned"])
    #expect(first.cancel() && !first.cancel())
    #expect(second.cancel() && third.cancel())
    try save(widget, by: "widget") { LoggedFolder.create(in: $0).name = "g" }
    #expect(await changes.next() != nil)
    #expect(asked.withLock(\.count) == 5)
    for service in [app, widget] { try service.close() }
  }

  /// A transaction that is left out changes no object that a context holds. Whoever left it out can merge it later.
  @Test func whatIsLeftOutIsMergedLater() async throws {
    let (app, widget) = (try open(), try open())
    try save(app) { LoggedNote.create(in: $0).title = "old" }
    let queue = try app.stack().newContext()
    let kept = try queue.performAndWait { context in
      let note = try #require(try LoggedNote.first(in: context))
      #expect(note.title == "old")
      return note.objectID
    }
    let left = Guarded<[PersistentHistoryTransaction]>([])
    let rule = try app.addRemoteMergeRule { transaction in
      left.withLock { $0.append(transaction) }
      return .leaveOut
    }
    var changes = try app.remoteChanges.makeAsyncIterator()
    try save(widget) { try #require(try LoggedNote.first(in: $0)).title = "new" }
    #expect(await changes.next() != nil)
    try queue.performAndWait { context in
      let note = try context.note(kept)
      #expect(note.title == "old")
      // What another process committed and nobody merged is a conflict, and never overwritten.
      note.title = "mine"
      #expect(throws: StoreError.self) { try context.save() }
      context.rollback()
      for transaction in left.withLock(\.self) { try context.mergeChanges(from: transaction) }
      #expect(note.title == "new")
    }
    rule.cancel()
    for service in [app, widget] { try service.close() }
  }

  /// A rule may write, also to the service whose merge waits for it.
  @Test func aRuleMayWrite() async throws {
    let (app, widget) = (try open(), try open())
    let rule = try app.addRemoteMergeRule { [weak app] transaction in
      app?.writeSync { LoggedFolder.create(in: $0).name = transaction.author ?? "" }
      return .goOn
    }
    var changes = try app.remoteChanges.makeAsyncIterator()
    try save(widget, by: "widget") { LoggedNote.create(in: $0).title = "a" }
    #expect(await changes.next() != nil)
    #expect(try app.readValue { try LoggedFolder.all(in: $0).map(\.name) } == ["widget"])
    #expect(try title(app) == "a")
    rule.cancel()
    for service in [app, widget] { try service.close() }
  }

  @Test func aStoreWithoutAHistoryHasNoRules() throws {
    let service = RecordingService.inMemory()
    let error = #expect(throws: DALError.self) {
      _ = try service.addRemoteMergeRule { _ in .goOn }
    }
    #expect("\(error.map { "\($0)" } ?? "")".contains("persistentHistory = .on"))
  }

  // MARK: - Cleaning

  /// The numbers are those of the transactions that stay. The reader has confirmed all but the last one.
  @Test func aCleaningComesAfterSoManyCommits() async throws {
    let service = try open()
    try save(service) { LoggedNote.create(in: $0).key = 0 }
    #expect(try service.stack().root.commit(.eventual) == nil)
    var reader = try service.history(for: "reader").makeAsyncIterator()
    let cleaning = try service.cleanHistoryByItself(.commits(2))
    for number in 1...2 {
      #expect(try await reader.next()?.transactionNumber == Int64(number))
      try save(service) { LoggedNote.create(in: $0).key = number }
      #expect(try service.stack().root.commit(.eventual) == nil)
      if number == 1 { #expect(try numbers(service) == [1, 2]) }
    }
    try await until { try numbers(service) == [2, 3] }
    cleaning.cancel()
    try service.close()
  }

  @Test func aCleaningWaitsForItsIntervalAndForEachReader() async throws {
    let service = try open()
    for key in 0..<3 { try save(service) { LoggedNote.create(in: $0).key = key } }
    var fast = try service.history(for: "fast").makeAsyncIterator()
    var slow = try service.history(for: "slow").makeAsyncIterator()
    for _ in 0..<3 { _ = try await fast.next() }
    for _ in 0..<2 { _ = try await slow.next() }
    let cleaning = try service.cleanHistoryByItself(.interval(.seconds(3_600)))
    func commit(_ key: Int) throws {
      try save(service) { LoggedNote.create(in: $0).key = key }
      #expect(try service.stack().root.commit(.eventual) == nil)
    }
    try commit(3)
    try await until { try numbers(service) == [2, 3, 4] }
    // The next one would have more to delete, and an hour to wait.
    #expect(try await slow.next()?.transactionNumber == 3)
    try commit(4)
    let more = try service.cleanHistoryByItself(.interval(.zero))
    #expect(try numbers(service) == [2, 3, 4, 5])
    try commit(5)
    try await until { try numbers(service) == [3, 4, 5, 6] }
    cleaning.cancel()
    more.cancel()
    try service.close()
  }

  @Test func withoutReadersTheBoundsClean() async throws {
    let service = try open()
    let cleaning = try service.cleanHistoryByItself(
      .commits(1), keeping: HistoryRetention(largestCount: 2))
    for key in 0..<6 {
      try save(service) { LoggedNote.create(in: $0).key = key }
      #expect(try service.stack().root.commit(.eventual) == nil)
    }
    try await until { try numbers(service) == [5, 6] }
    cleaning.cancel()
    try service.close()
  }

  /// Each of two services hears the other's deletions as commits, and both rest when there is nothing to delete.
  @Test func twoCleaningsDoNotKeepEachOtherAwake() async throws {
    let services = [try open(), try open()]
    let cleanings = try services.map {
      try $0.cleanHistoryByItself(.commits(1), keeping: HistoryRetention(largestCount: 1))
    }
    for key in 0..<5 { try save(services[0]) { LoggedNote.create(in: $0).key = key } }
    #expect(try services[0].stack().root.commit(.eventual) == nil)
    try await until { try numbers(services[1]) == [5] }
    for cleaning in cleanings { cleaning.cancel() }
    for service in services { try service.close() }
  }

  // MARK: - Order of observers

  /// Each gets a transaction when the former is done with it, though the first is slow.
  @Test func observersComeAfterEachOther() async throws {
    let service = try open()
    let heard = Guarded<[String]>([])
    func observe(
      _ name: String, after former: HistoryObservation? = nil, yields: Int = 0
    ) throws -> HistoryObservation {
      try service.observeHistory(after: former) { change in
        for _ in 0..<yields { await Task.yield() }
        heard.withLock { $0.append("\(name)\(change.transaction.transactionNumber)") }
      }
    }
    let first = try observe("a", yields: 200)
    let second = try observe("b", after: first, yields: 50)
    let third = try observe("c", after: second)
    for key in 0..<4 { try save(service) { LoggedNote.create(in: $0).key = key } }
    #expect(try service.stack().root.commit(.eventual) == nil)
    try await until { heard.withLock(\.count) == 12 }
    let all = heard.withLock(\.self)
    for number in 1...4 {
      let places = ["a", "b", "c"].map { all.firstIndex(of: "\($0)\(number)") }
      #expect(places.compactMap(\.self) == places.compactMap(\.self).sorted(), "\(all)")
    }
    // One that has ended holds up nobody.
    first.cancel()
    try save(service) { LoggedNote.create(in: $0).key = 4 }
    #expect(try service.stack().root.commit(.eventual) == nil)
    try await until { heard.withLock { $0.contains("c5") } }
    #expect(!heard.withLock { $0.contains("a5") })
    for observation in [second, third] { observation.cancel() }
    try service.close()
  }

  /// The former one leaves out what the later one wants.
  @Test func anObserverComesAfterOneWithAnotherFilter() async throws {
    let service = try open()
    let heard = Guarded<[String]>([])
    let first = try service.observeHistory(where: HistoryFilter(authors: ["nobody"])) { _ in }
    let second = try service.observeHistory(after: first) { change in
      heard.withLock { $0.append(change.line) }
    }
    try save(service, by: "app") { LoggedNote.create(in: $0).key = 1 }
    #expect(try service.stack().root.commit(.eventual) == nil)
    try await until { heard.withLock(\.self) == ["insert LoggedNote"] }
    for observation in [first, second] { observation.cancel() }
    try service.close()
  }
}
