// SPDX-License-Identifier: MIT
import SporadesModel
import SporadesStore
import SporadesTesting
import TestServer
import Testing

@testable import SporadesPostgreSQL

/// Commits that the server makes, and whose answers do not arrive.
@Suite(.enabled(if: TestServer.isThere, "There is no PostgreSQL on this machine."))
struct LostAnswerTests {
  private let fixture: ServerFixture
  private let proxy: ServerProxy

  init() throws {
    fixture = try ServerFixture()
    proxy = try ServerProxy(to: fixture.place.server)
  }

  private func keys() throws -> [String?] {
    try fixture.ask("SELECT row_id::text FROM note ORDER BY row_id")
  }

  @Test(arguments: [true, false])
  func aCommitWhoseAnswerIsLostIsNotMadeAgain(isImmediate: Bool) throws {
    let store = try fixture.open(through: proxy)
    let durability = isImmediate ? Durability.immediate : .eventual
    try store.execute(fixture.insert(1))
    proxy.expect([.init(.server, 1)])
    try store.commit(durability)
    #expect(proxy.cutsLeft == 0)
    try store.execute(fixture.insert(2))
    try store.commit(.immediate)
    #expect(try keys() == ["1", "2"])
    try store.close()
  }

  @Test(arguments: [true, false])
  func aWriteInOneTripWhoseAnswerIsLostIsNotMadeAgain(isImmediate: Bool) throws {
    let store = try fixture.open(through: proxy)
    let durability = isImmediate ? Durability.immediate : .eventual
    // No other connection takes note of the keys meanwhile.
    _ = try store.reserveKeys(10, for: try fixture.notes.entity)
    #expect(try store.execute(fixture.insert(1), committing: durability) == nil)
    proxy.expect([.init(.server, 1)])
    #expect(try store.execute(fixture.insert(2), committing: durability) == nil)
    #expect(proxy.cutsLeft == 0)
    #expect(try keys() == ["1", "2"])
    proxy.expect([.init(.client, 2)])
    #expect(try store.execute(fixture.insert(3), committing: durability) == nil)
    #expect(proxy.cutsLeft == 0)
    #expect(try keys() == ["1", "2", "3"])
    try store.close()
  }

  @Test func aWriteInOneTripIsLookedUpAfterItsLookupWasCutToo() throws {
    let store = try fixture.open(through: proxy)
    _ = try store.reserveKeys(10, for: try fixture.notes.entity)
    #expect(try store.execute(fixture.insert(1), committing: .immediate) == nil)
    proxy.expect([.init(.server, 1), .init(.client, with: "FOR UPDATE")])
    let failure = try store.execute(fixture.insert(2), committing: .immediate)
    #expect(failure?.code == .io)
    #expect(proxy.cutsLeft == 0)
    try store.commit(.immediate)
    #expect(try store.restoreAccepted().isEmpty)
    #expect(try keys() == ["1", "2"])
    try store.close()
  }

  @Test func aBatchOfWhichNobodyKnowsIsUnclear() throws {
    let store = try fixture.open(through: proxy)
    try store.execute(fixture.insert(1))
    try store.commit(.immediate)
    let note = try #require(fixture.model.shape(named: "Note"))
    let text = try #require(note.attributes.first { $0.name == "text" })
    let change = try #require(StoreBatch.Assignment(text, .constant(.string("changed"))))
    // The answer is lost, and the lookup behind it.
    proxy.expect([.init(.server, with: "COMMIT"), .init(.client, with: "FOR UPDATE")])
    let error = try #require(throws: StoreError.self) {
      try store.execute(StoreBatch(.update([change]), StoreFetch(note)))
    }
    #expect(error.code == .unclear && !error.isRetryable)
    #expect(proxy.cutsLeft == 0)
    #expect(try fixture.ask("SELECT text FROM note") == ["changed"])
    // The store goes on.
    try store.execute(fixture.insert(2))
    try store.commit(.immediate)
    #expect(try keys() == ["1", "2"])
    try store.close()
  }

  @Test(arguments: [HistoryTracking.asInFile, .on])
  func eachRequestTakesAsManyRoundTripsAsItNeeds(history: HistoryTracking) throws {
    let store = try fixture.open(through: proxy) { $0.persistentHistory = history }
    let keys = try store.reserveKeys(200, for: try fixture.notes.entity)
    var next = keys.lowerBound
    func notes(_ count: Int64) -> [RowDraft] {
      defer { next += count }
      return (next..<next + count).map(fixture.note)
    }
    func trips(_ body: () throws -> Void) rethrows -> Int {
      proxy.expect()
      try body()
      return proxy.roundTrips
    }
    let first = notes(3)
    #expect(try trips { try store.execute(ChangeSet(inserting: first)) } == 1)
    #expect(try trips { try store.commit(.immediate) } == 1)
    let alone = ChangeSet(inserting: notes(3))
    #expect(try trips { _ = try store.execute(alone, committing: .immediate) } == 1)
    let changed = ChangeSet(
      updating: [first[0].changed(["text": .string("Changed")])], deleting: [first[1]])
    #expect(try trips { _ = try store.execute(changed, committing: .immediate) } == 1)
    // A copy has a beginning and an end, and a pipeline before and behind it.
    let many = ChangeSet(inserting: notes(120))
    #expect(try trips { _ = try store.execute(many, committing: .immediate) } == 5)
    _ = try store.keys(fixture.notes, in: .committed)
    #expect(try trips { _ = try store.keys(fixture.notes, in: .committed) } == 1)
    #expect(try trips { _ = try store.rows(fixture.notes, in: .committed) } == 1)
    #expect(try trips { _ = try store.count(fixture.notes, in: .committed) } == 1)
    var question = TableQuestion(
      try fixture.notes,
      [.keyPath("folder"), .objectCount, .max(of: "text"), .max(of: .count(["tags"]))])
    question.groups = [.keyPath("folder")]
    let reading = Cancellation()
    #expect(
      try trips { try reading.run { _ = try store.answer(question, in: .committed) } } == 1)
    #expect(reading.rowsRead == 0)
    let batch = try update("All")
    #expect(try trips { _ = try store.execute(batch) } == 2)
    // The keys are found, the rows go, and both are committed.
    let deletion = StoreBatch(.delete, try fixture.notes)
    var deleted: Int?
    #expect(try trips { deleted = try store.execute(deletion)?.keys.count } == 3)
    #expect(deleted == 125)
    #expect(try trips { _ = try store.rows(for: first.map(\.key), in: .committed) } == 1)
    try store.close()
  }

  /// The batch that sets the text of all notes.
  private func update(_ text: String) throws -> StoreBatch {
    let notes = try fixture.notes
    let attribute = try #require(notes.entity.attributes.first { $0.name == "text" })
    let value = FetchExpression.constant(.string(text))
    return StoreBatch(
      .update([try #require(StoreBatch.Assignment(attribute, value))]), notes)
  }

  @Test func aBatchWhoseAnswerIsLostIsNotCarriedOutAgain() throws {
    let store = try fixture.open(through: proxy)
    try store.execute(fixture.insert(1, 2))
    try store.commit(.immediate)
    proxy.expect([.init(.server, with: "COMMIT")])
    #expect(try store.execute(update("Changed"))?.keys.count == 2)
    #expect(proxy.cutsLeft == 0)
    #expect(
      try fixture.ask("SELECT text || row_version FROM note ORDER BY row_id") == [
        "Changed2", "Changed2",
      ])
    // One that did not arrive is undone.
    proxy.expect([.init(.client, 1)])
    #expect(fixture.code { _ = try store.execute(update("Again")) } == .io)
    #expect(try fixture.ask("SELECT text FROM note") == ["Changed", "Changed"])
    #expect(try store.execute(update("Later"))?.keys.count == 2)
    try store.close()
  }

  @Test func aCommitIsLookedUpAfterItsLookupWasCutToo() throws {
    let store = try fixture.open(through: proxy)
    try store.execute(fixture.insert(1))
    proxy.expect([.init(.server, 1), .init(.client, with: "FOR UPDATE")])
    #expect(fixture.code { try store.commit(.immediate) } == .io)
    #expect(proxy.cutsLeft == 0)
    #expect(try keys() == ["1"])
    try store.execute(fixture.insert(2))
    try store.commit(.immediate)
    #expect(try store.restoreAccepted().isEmpty)
    #expect(try keys() == ["1", "2"])
    try store.close()
  }

  @Test func aRemovalWhoseAnswerIsLostBringsNoRowsBack() throws {
    let store = try fixture.open(through: proxy)
    try store.execute(fixture.insert(1))
    proxy.expect([.init(.server, 1)])
    try store.removeAllRows()
    #expect(proxy.cutsLeft == 0)
    try store.execute(fixture.insert(2))
    try store.commit(.immediate)
    #expect(try keys() == ["2"])
    try store.close()
  }

  @Test func aRemovalThatDidNotArriveKeepsWhatWasAccepted() throws {
    let store = try fixture.open(through: proxy)
    try store.execute(fixture.insert(1))
    proxy.expect([.init(.client, with: "DELETE FROM")])
    #expect(fixture.code { try store.removeAllRows() } == .io)
    #expect(try store.keys(fixture.notes, in: .accepted).map(\.primaryKey) == [1])
    try store.commit(.immediate)
    #expect(try keys() == ["1"])
    try store.close()
  }

  /// Another writer removes rows of writers that were silent for a month.
  @Test func aCommitIsFoundWhoseWriterWasForgotten() throws {
    let store = try fixture.open(through: proxy)
    try store.execute(fixture.insert(1))
    try fixture.ask("DELETE FROM sporades_clients")
    proxy.expect([.init(.server, 1)])
    try store.commit(.immediate)
    #expect(proxy.cutsLeft == 0)
    #expect(try store.restoreAccepted().isEmpty)
    #expect(try keys() == ["1"])
    try store.close()
  }

  /// The server goes on waiting for the rest of the former transaction, which has locks.
  @Test func aServerThatDoesNotHearOfTheEndHoldsNobodyUp() throws {
    let store = try fixture.open(through: proxy)
    try store.execute(fixture.insert(1))
    proxy.expect([.init(.client, with: "last_write", isHiddenFromServer: true)])
    let commits = ThreadWork { [fixture] in fixture.code { try store.commit(.immediate) } }
    #expect(try commits.get() == .io)
    #expect(proxy.cutsLeft == 0)
    let again = ThreadWork { try store.commit(.immediate) }
    try again.get()
    #expect(try keys() == ["1"])
    try store.close()
  }

  // MARK: - Connections that ended while nobody used them

  @Test func noRequestFailsBecauseIdleConnectionsEnded() throws {
    let store = try fixture.open()
    try store.execute(fixture.insert(1))
    try store.commit(.immediate)
    _ = try store.count(fixture.notes, in: .committed)
    try fixture.endConnections()
    #expect(try store.count(fixture.notes, in: .committed) == 1)
    try store.execute(fixture.insert(2))
    try fixture.endConnections()
    #expect(try store.keys(fixture.notes, in: .accepted).map(\.primaryKey) == [1, 2])
    try fixture.endConnections()
    try store.commit(.immediate)
    #expect(try store.reserveKeys(1, for: try fixture.notes.entity).count == 1)
    #expect(store.metrics.reconnects == 5)
    try fixture.endConnections()
    try store.removeAllRows()
    #expect(try keys().isEmpty)
    try store.close()
  }

  @Test func anIdleTransactionThatTheServerEndsIsExecutedAgain() throws {
    let store = try fixture.open(settings: "-c idle_in_transaction_session_timeout=500ms")
    try store.execute(fixture.insert(1))
    try fixture.wait { try fixture.activities("true") == 1 }
    try store.execute(fixture.insert(2))
    try store.commit(.immediate)
    #expect(try keys() == ["1", "2"])
    #expect(try store.restoreAccepted().isEmpty)
    try store.close()
  }

  // MARK: - Poolers

  @Test func aPoolerThatChangesSessionsIsRefused() throws {
    let proxy = try ServerProxy(to: fixture.place.server, pooling: .transactions)
    let error = #expect(throws: StoreError.self) { try fixture.open(through: proxy) }
    #expect(error?.code == .unsupported)
    #expect(error?.detail.contains("pooler") == true, "\(String(describing: error))")
  }

  @Test func aPoolerThatKeepsSessionsServesAStore() throws {
    let proxy = try ServerProxy(to: fixture.place.server, pooling: .sessions)
    let store = try fixture.open(through: proxy)
    try store.execute(fixture.insert(1))
    try store.commit(.immediate)
    #expect(try store.count(fixture.notes, in: .committed) == 1)
    // The pooler may have given the process of a lost connection to another client.
    proxy.expect([.init(.client, 1, isHiddenFromServer: true)])
    #expect(try store.count(fixture.notes, in: .committed) == 1)
    #expect(proxy.cutsLeft == 0)
    #expect(try fixture.activities("true") == 3)
    try store.close()
  }
}
