// SPDX-License-Identifier: MIT
import Foundation
import Sporades
import SporadesCare
import SporadesHistory
import Testing

/// Readers of a service's history: sequences, names, filters, observers, cleaning.
@Suite struct HistoryReaderTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func service(_ kind: HistoryStoreKind) throws -> RecordingService {
    RecordingService(
      stack: try kind.stack(folder), options: RecordingService.options { _ in })
  }

  private func write(_ numbers: ClosedRange<Int>, _ service: DALService) throws {
    for number in numbers {
      service.writeSync { context in LoggedNote.create(in: context).key = number }
    }
    #expect(try service.stack().root.commit(.eventual) == nil)
  }

  /// The numbers of the next transactions of a sequence.
  private func numbers(
    _ count: Int, _ iterator: inout HistorySequence.AsyncIterator
  ) async throws -> [Int64] {
    var found: [Int64] = []
    while found.count < count, let transaction = try await iterator.next() {
      found.append(transaction.transactionNumber)
    }
    return found
  }

  /// Gives way to other tasks until the condition holds. The time limit of the test ends it.
  private func until(_ condition: () throws -> Bool) async throws {
    while try !condition() {
      try Task.checkCancellation()
      await Task.yield()
    }
  }

  @Test(.timeLimit(.minutes(60)), arguments: HistoryStoreKind.allCases)
  func aSequenceTellsWhatIsThereAndWhatFollows(kind: HistoryStoreKind) async throws {
    let service = try service(kind)
    try write(1...2, service)
    var iterator = try service.history().makeAsyncIterator()
    #expect(try await numbers(2, &iterator) == [1, 2])
    let later = Task.detached {
      var own = iterator
      return try await own.next()?.transactionNumber
    }
    try write(3...3, service)
    #expect(try await later.value == 3)
    let token = try #require(try service.currentPersistentHistoryToken())
    try write(4...4, service)
    var last = try service.history(after: token).makeAsyncIterator()
    #expect(try await numbers(1, &last) == [4])
  }

  @Test(.timeLimit(.minutes(60)))
  func aSequenceEndsWithItsServiceAndItsTask() async throws {
    let service = try service(.memory)
    let waiting = Task.detached { [sequence = try service.history()] in
      for try await _ in sequence {}
      return true
    }
    waiting.cancel()
    #expect(try await waiting.value)
    let other = Task.detached { [sequence = try service.history()] in
      for try await _ in sequence {}
      return true
    }
    try service.close()
    #expect(try await other.value)
    #expect(throws: DALError.self) { try service.history() }
  }

  // MARK: - Named readers

  /// The place is that of the last transaction before which the next one was asked for.
  @Test(.timeLimit(.minutes(60)), arguments: HistoryStoreKind.allCases)
  func aNamedReaderGoesOnWhereItStopped(kind: HistoryStoreKind) async throws {
    let service = try service(kind)
    try write(1...4, service)
    var first = try service.history(for: "mirror").makeAsyncIterator()
    #expect(try await numbers(3, &first) == [1, 2, 3])
    #expect(try service.historyReaders().map(\.number).max() == 2)
    var second = try service.history(for: "mirror").makeAsyncIterator()
    #expect(try await numbers(2, &second) == [3, 4])
    let other = try service.history(for: "other", from: .now)
    let awaited = Task.detached {
      var own = other.makeAsyncIterator()
      return try await own.next()?.transactionNumber
    }
    try await until { try service.historyReaders().contains { $0.name == "other" } }
    try write(5...5, service)
    #expect(try await awaited.value == 5)
    try service.removeHistoryReader(named: "other")
    #expect(try Set(service.historyReaders().map(\.name)) == ["mirror"])
  }

  @Test(.timeLimit(.minutes(60)))
  func aReadersPlaceSurvivesTheProcess() async throws {
    var service = try service(.file)
    try write(1...3, service)
    var iterator = try service.history(for: "mirror").makeAsyncIterator()
    #expect(try await numbers(3, &iterator) == [1, 2, 3])
    try service.close()
    service = try self.service(.file)
    var again = try service.history(for: "mirror").makeAsyncIterator()
    #expect(try await numbers(1, &again) == [3])
    // The table of readers is none of the model's, and stays through a check of the file.
    #expect(try service.stack().store.integrityProblems() == [])
  }

  // MARK: - Filters

  @Test(
    .timeLimit(.minutes(60)),
    arguments: [
      (
        HistoryFilter(entities: ["LoggedFolder"]),
        ["insert LoggedFolder", "update notes LoggedFolder"]
      ),
      (HistoryFilter(kinds: [.delete]), ["delete LoggedNote"]),
      (HistoryFilter(authors: ["widget"]), ["insert LoggedFolder", "insert LoggedNote"]),
      (
        HistoryFilter(excludedAuthors: ["widget"]),
        ["update notes LoggedFolder", "delete LoggedNote"]
      ),
      (
        HistoryFilter(entities: ["LoggedFolder"], excludedAuthors: ["widget"]),
        ["update notes LoggedFolder"]
      ),
    ])
  func aFilterChoosesChanges(filter: HistoryFilter, expected: [String]) async throws {
    let service = try service(.memory)
    let stack = try service.stack()
    let id = try stack.save(by: "widget") { context in
      let note = LoggedNote.create(in: context)
      note.folder = LoggedFolder.create(in: context)
      try context.save()
      return note.objectID
    }
    try stack.save { context in context.delete(try context.note(id)) }
    var found: [String] = []
    var iterator = try service.history(for: "reader", where: filter).makeAsyncIterator()
    while found.count < expected.count, let transaction = try await iterator.next() {
      found += (transaction.changes ?? []).map(\.line)
    }
    #expect(found.sorted() == expected.sorted())
  }

  @Test func aFilterOfAnUnknownEntityIsRefused() throws {
    let service = try service(.memory)
    let error = #expect(throws: DALError.self) {
      try service.history(where: HistoryFilter(entities: ["Note"]))
    }
    #expect("\(error.map { "\($0)" } ?? "")".contains("LoggedNote"))
  }

  @Test func aServiceWithoutAHistorySaysSo() throws {
    let service = RecordingService.inMemory()
    let error = #expect(throws: DALError.self) { try service.history() }
    #expect("\(error.map { "\($0)" } ?? "")".contains("persistentHistory = .on"))
  }

  @Test(.timeLimit(.minutes(60)))
  func anObserverHearsWantedChangesUntilItIsCancelled() async throws {
    let service = try service(.file)
    try write(1...1, service)
    let heard = Guarded<[String]>([])
    let observation = try service.observeHistory(
      where: HistoryFilter(entities: ["LoggedNote"], kinds: [.insert])
    ) { change in
      heard.withLock { $0.append(change.line) }
    }
    try write(2...4, service)
    try await until { heard.withLock(\.count) == 3 }
    observation.cancel()
    try write(5...5, service)
    #expect(heard.withLock(\.count) == 3)
  }

  // MARK: - Cleaning

  @Test(.timeLimit(.minutes(60)), arguments: HistoryStoreKind.allCases)
  func cleaningKeepsWhatAReaderHasNotConfirmed(kind: HistoryStoreKind) async throws {
    let service = try service(kind)
    try write(1...6, service)
    #expect(try service.cleanHistory() == 0)
    var fast = try service.history(for: "fast").makeAsyncIterator()
    var slow = try service.history(for: "slow").makeAsyncIterator()
    #expect(try await numbers(6, &fast).count == 6)
    #expect(try await numbers(3, &slow) == [1, 2, 3])
    // The slow one has confirmed two.
    #expect(try service.cleanHistory() == 2)
    #expect(try service.stack().history().map(\.transactionNumber) == [3, 4, 5, 6])
    #expect(try await numbers(3, &slow) == [4, 5, 6])
    try service.removeHistoryReader(named: "slow")
    #expect(try service.cleanHistory() == 3)
    #expect(try service.stack().history().map(\.transactionNumber) == [6])
  }

  @Test(.timeLimit(.minutes(60)), arguments: HistoryStoreKind.allCases)
  func aReaderThatStaysAwayTooLongIsTold(kind: HistoryStoreKind) async throws {
    let service = try service(kind)
    try write(1...5, service)
    var away = try service.history(for: "away").makeAsyncIterator()
    #expect(try await numbers(2, &away) == [1, 2])
    #expect(try service.cleanHistory(keeping: HistoryRetention(largestCount: 2)) == 3)
    #expect(try service.cleanHistory(keeping: HistoryRetention(largestCount: 2)) == 0)
    #expect(try service.cleanHistory(keeping: HistoryRetention(longestAge: .seconds(3_600))) == 0)
    var back = try service.history(for: "away").makeAsyncIterator()
    do {
      _ = try await back.next()
      Issue.record("The reader was told nothing.")
    } catch {
      let cause: StoreError? = if case .store(let cause) = error.code { cause } else { nil }
      #expect(cause?.code == .historyExpired)
      #expect(cause?.description.contains("removeHistoryReader(named: \"away\")") == true)
    }
    #expect(try service.cleanHistory(keeping: HistoryRetention(longestAge: .zero)) == 2)
    try service.removeHistoryReader(named: "away")
    try write(6...6, service)
    var anew = try service.history(for: "away").makeAsyncIterator()
    #expect(try await numbers(1, &anew) == [6])
  }
}
