// SPDX-License-Identifier: MIT
import Foundation
import Sporades
import SporadesModel
import SporadesStore
import SporadesTesting
import TestServer
import Testing

@testable import SporadesPostgreSQL

/// Statements that a cancellation, a timeout or another transaction stops.
@Suite(.enabled(if: TestServer.isThere, "There is no PostgreSQL on this machine."))
struct StoppedStatementTests {
  private let fixture: ServerFixture

  init() throws { fixture = try ServerFixture() }

  /// Waits on the server in a view of the store.
  private static func wait(
    _ seconds: Double, _ store: PostgreSQLStore, in view: StoreView = .committed,
    _ change: @Sendable (ServerConnection) -> Void = { _ in }
  ) throws {
    try store.read(view) { (reading) throws(StoreError) in
      change(reading.connection)
      _ = try reading.connection.run("SELECT pg_sleep(\(seconds))")
    }
  }

  /// Begins a wait of a minute under a cancellation, and cancels it when the server has begun. Returns its error.
  private func cancelled(
    _ store: PostgreSQLStore, in view: StoreView = .committed,
    _ change: @escaping @Sendable (ServerConnection) -> Void = { _ in }
  ) throws -> StoreError.Code? {
    let cancellation = Cancellation()
    let read = ThreadWork { [fixture] in
      fixture.code { try cancellation.run { try Self.wait(60, store, in: view, change) } }
    }
    try fixture.wait { try fixture.activities("state = 'active' AND wait_event = 'PgSleep'") == 1 }
    cancellation.cancel()
    return try read.get()
  }

  /// Cancels a short wait on a connection that takes no cancellations, which ends by itself.
  private func expectEnd(_ store: PostgreSQLStore, in view: StoreView) throws {
    try Self.wait(0, store, in: view) { $0.takesCancellations = false }
    let cancellation = Cancellation()
    let read = ThreadWork { try cancellation.run { try Self.wait(0.1, store, in: view) } }
    try fixture.wait { try fixture.activities("wait_event = 'PgSleep'") == 1 || read.isOver }
    cancellation.cancel()
    try read.get()
  }

  private func transaction(_ store: PostgreSQLStore) throws -> Int64? {
    try store.read(.accepted) { (reading) throws(StoreError) in
      try reading.connection.run("SELECT txid_current()").integer(0, 0)
    }
  }

  // MARK: - Crashes

  /// The server ends all processes then, recovers, and may give numbers of lost transactions again. Its start stays the same.
  @Test func theServerThatRecoversFromACrashIsAnotherRunOfIt() throws {
    let server = try TestServer.primary()
    let store = try PostgreSQLStore(server.address, model: fixture.model)
    func start() throws -> String? {
      try store.read(.committed) { (reading) throws(StoreError) in reading.connection.serverStart }
    }
    let former = try #require(try start())
    #expect(try start() == former)
    try store.execute(fixture.insert(1))
    try store.commit(.immediate)
    try store.execute(fixture.insert(2))
    let number = try server.answer(
      to: "SELECT pid FROM pg_stat_activity WHERE state = 'idle in transaction'")
    let process = try #require(number.first.flatMap { pid_t($0) })
    #expect(kill(process, SIGKILL) == 0)
    // The end may be heard of before the commit, or by it. Then the changes wait for the next one.
    let code = fixture.code { try store.commit(.immediate) }
    #expect(code == nil || code == .io)
    try store.commit(.immediate)
    let later = try #require(try start())
    #expect(later != former)
    #expect(later.prefix(19) == former.prefix(19))
    #expect(try store.count(fixture.notes, in: .committed) == 2)
    try store.close()
  }

  // MARK: - Cancellations

  @Test func aCancelledReadEndsAtTheServerAndItsConnectionGoesOn() throws {
    let store = try fixture.open()
    #expect(try cancelled(store) == .cancelled)
    try fixture.wait { try fixture.activities() == 0 }
    #expect(store.metrics.connectionsIdle == 1)
    #expect(try store.count(fixture.notes, in: .committed) == 0)
    #expect(store.metrics.connectionsIdle == 1)
    #expect(store.metrics.reconnects == 0)
    try store.close()
  }

  @Test func aTimeoutOfTheProgramEndsARead() throws {
    let store = try fixture.open()
    let timeout = Cancellation(after: .milliseconds(20))
    #expect(fixture.code { try timeout.run { try Self.wait(60, store) } } == .timedOut)
    #expect(fixture.code { try timeout.run { try Self.wait(0, store) } } == .timedOut)
    try store.close()
  }

  @Test func aCancelledTaskStopsTheReadOfAService() async throws {
    let place = try TestStore()
    let service = DALService(
      postgres: place.server.address, entities: [Player.self, Team.self],
      storeOptions: place.options)
    try service.writeSync(durability: .immediate) { Player.create(in: $0).number = 1 }.get()
    let connection = try ServerSource(
      address: try ServerAddress(place.server.address), options: place.options
    ).connect()
    try connection.run("BEGIN")
    try connection.run("LOCK TABLE player IN ACCESS EXCLUSIVE MODE")
    let reading = Task(executorPreference: OwnThreadExecutor()) {
      try await service.read { try Player.count(in: $0) }
    }
    try fixture.wait {
      try fixture.ask(
        "SELECT pid::text FROM pg_locks WHERE NOT granted AND relation = "
          + "'\(place.options.schema).player'::regclass"
      ).count == 1
    }
    reading.cancel()
    let error = await #expect(throws: DALError.self) { try await reading.value }
    guard case .cancelled = error?.code else {
      Issue.record("\(String(describing: error))")
      return
    }
    try connection.run("COMMIT")
    #expect(try await service.read { try Player.count(in: $0) } == 1)
    try service.close()
  }

  /// A cancellation that comes when the statement ends may not hit the one behind it.
  @Test func noCancellationHitsTheNextRequest() throws {
    let store = try fixture.open { $0.readerCount = 1 }
    for number in 0..<60 {
      let timeout = Cancellation(after: .milliseconds(5))
      let code = fixture.code {
        try timeout.run { try Self.wait(0.004 + Double(number % 10) / 4_000, store) }
      }
      #expect(code == nil || code == .timedOut)
      try Self.wait(0.000_1, store)
    }
    #expect(store.metrics.reconnects == 0)
    try store.close()
  }

  @Test func aStoppedReadOfAcceptedRowsLeavesTheirTransaction() throws {
    let store = try fixture.open()
    try store.execute(fixture.insert(1))
    let before = try transaction(store)
    #expect(try cancelled(store, in: .accepted) == .cancelled)
    #expect(try transaction(store) == before)
    try store.execute(fixture.insert(2))
    #expect(try store.keys(fixture.notes, in: .accepted).map(\.primaryKey) == [1, 2])
    try store.commit(.immediate)
    #expect(try store.count(fixture.notes, in: .committed) == 2)
    try store.close()
  }

  @Test func aStoppedReadOfAGenerationLeavesItsState() throws {
    let store = try fixture.open()
    let generation = try store.generation()
    try store.execute(fixture.insert(1))
    try store.commit(.immediate)
    #expect(try cancelled(store, in: .generation(generation)) == .cancelled)
    #expect(try store.count(fixture.notes, in: .generation(generation)) == 0)
    try fixture.endConnections()
    for _ in 0..<2 {
      #expect(
        fixture.code { _ = try store.count(fixture.notes, in: .generation(generation)) } == .io)
    }
    try store.close()
  }

  @Test func noCancellationInterruptsAWrite() throws {
    let store = try fixture.open()
    let cancellation = Cancellation()
    cancellation.cancel()
    let shape = try fixture.notes.entity
    try cancellation.run {
      _ = try store.reserveKeys(1, for: shape)
      try store.execute(fixture.insert(1))
      try store.commit(.immediate)
      try store.setMetadata(["place": .string("here")])
      try store.removeAllRows()
      try store.execute(fixture.insert(2))
      try store.close()
    }
    #expect(try fixture.ask("SELECT row_id::text FROM note") == ["2"])
  }

  @Test func aReadIsCancelledWhileItWaitsForAConnection() throws {
    let store = try fixture.open { $0.readerCount = 1 }
    let held = Cancellation()
    let reading = ThreadWork { [fixture] in
      fixture.code { try held.run { try Self.wait(60, store) } }
    }
    try fixture.wait { store.metrics.connectionsInUse == 1 }
    let timeout = Cancellation(after: .milliseconds(20))
    #expect(fixture.code { try timeout.run { try Self.wait(0, store) } } == .timedOut)
    let metrics = store.metrics
    #expect(metrics.waits == 1)
    #expect(metrics.longestWait >= .milliseconds(15))
    held.cancel()
    #expect(try reading.get() == .cancelled)
    #expect(store.metrics.connectionsInUse == 0)
    try store.close()
  }

  /// libpq would send the cancellation of an encrypted connection in clear.
  @Test func aCancellationEndsAnEncryptedConnection() throws {
    let store = try fixture.open()
    #expect(try cancelled(store) { $0.takesCancellations = false } == .cancelled)
    #expect(store.metrics.connectionsIdle == 0)
    #expect(try store.count(fixture.notes, in: .committed) == 0)
    // The end of these connections would be that of a transaction.
    try store.execute(fixture.insert(1))
    try expectEnd(store, in: .accepted)
    try expectEnd(store, in: .generation(try store.generation()))
    try store.commit(.immediate)
    try store.close()
  }

  // MARK: - Timeouts of the server

  @Test(arguments: [true, false])
  func aStatementThatTakesTooLongIsStopped(isOfOptions: Bool) throws {
    let store = try fixture.open(settings: isOfOptions ? "" : "-c statement_timeout=100ms") {
      if isOfOptions { $0.statementTimeout = .milliseconds(100) }
    }
    let error = #expect(throws: StoreError.self) { try Self.wait(60, store) }
    #expect(error?.code == .timedOut)
    #expect(error?.detail.contains("0.1 seconds") == true, "\(String(describing: error))")
    #expect(error?.detail.contains("statementTimeout") == true)
    try store.execute(fixture.insert(1))
    #expect(fixture.code { try Self.wait(60, store, in: .accepted) } == .timedOut)
    #expect(try store.keys(fixture.notes, in: .accepted).map(\.primaryKey) == [1])
    try store.commit(.immediate)
    try fixture.endConnections()
    let again = #expect(throws: StoreError.self) { try Self.wait(60, store) }
    #expect(again?.code == .timedOut, "\(String(describing: again))")
    try store.close()
  }

  @Test func aWriteThatTakesTooLongIsUndoneAlone() throws {
    let store = try fixture.open { $0.statementTimeout = .milliseconds(100) }
    try store.execute(fixture.insert(1))
    try store.commit(.immediate)
    let other = try fixture.connect()
    try other.run("BEGIN")
    try other.run("UPDATE note SET text = 'locked' WHERE row_id = 1")
    try store.execute(fixture.insert(2))
    let change = ChangeSet(updating: [fixture.note(1).changed(["text": .string("changed")])])
    #expect(fixture.code { try store.execute(change) } == .timedOut)
    try other.run("ROLLBACK")
    try store.execute(change)
    try store.commit(.immediate)
    #expect(try fixture.ask("SELECT text FROM note ORDER BY row_id") == ["changed", "Note 2"])
    try store.close()
  }

  @Test func whatAnAdministratorStopsIsNoTimeout() throws {
    let store = try fixture.open { $0.statementTimeout = .seconds(600) }
    let read = ThreadWork { [fixture] in fixture.code { try Self.wait(60, store) } }
    try fixture.wait { try fixture.activities("wait_event = 'PgSleep'") == 1 }
    try fixture.endStatements()
    #expect(try read.get() == .interrupted)
    try store.close()
  }

  // MARK: - Deadlocks

  /// A session looks for a deadlock once, when it has waited so long. The hasty one waits last, finds it, and gives way.
  private static func patience(_ time: String) -> String { "-c deadlock_timeout=\(time)" }

  private func update(_ key: Int64) -> ChangeSet {
    ChangeSet(updating: [fixture.note(key).changed(["text": .string("changed")])])
  }

  @Test func aWriteThatAnotherOneStopsIsExecutedAgain() throws {
    let store = try fixture.open(settings: Self.patience("20ms"))
    try store.execute(fixture.insert(1, 2, 3))
    try store.commit(.immediate)
    let other = try fixture.connect()
    try other.run("SET deadlock_timeout = '1h'")
    try other.run("BEGIN")
    try other.run("UPDATE note SET text = 'locked' WHERE row_id = 2")
    try store.execute(update(3))
    try store.execute(update(1))
    let waiting = ThreadWork {
      try other.run("UPDATE note SET text = 'locked' WHERE row_id = 1")
      try other.run("ROLLBACK")
    }
    try fixture.waitForLock()
    try store.execute(update(2))
    try waiting.get()
    try store.commit(.immediate)
    #expect(try store.restoreAccepted().isEmpty)
    #expect(try fixture.ask("SELECT DISTINCT text FROM note") == ["changed"])
    try store.close()
  }

  @Test func ofTwoStoresInADeadlockOneKeepsItsWritesAndTheOtherIsTold() throws {
    let patient = try fixture.open(settings: Self.patience("1h"))
    try patient.execute(fixture.insert(1, 2))
    try patient.commit(.immediate)
    let hasty = try fixture.open(settings: Self.patience("20ms"))
    try hasty.execute(update(1))
    try patient.execute(update(2))
    let change = update(1)
    let waiting = ThreadWork {
      try patient.execute(change)
      try patient.commit(.immediate)
    }
    try fixture.waitForLock()
    guard case .conflict? = fixture.code({ try hasty.execute(update(2)) }) else {
      Issue.record("Both stores changed one row.")
      return
    }
    try waiting.get()
    #expect(try hasty.restoreAccepted().count == 1)
    try hasty.commit(.immediate)
    #expect(
      try fixture.ask("SELECT DISTINCT row_version::text || text FROM note") == ["2changed"])
    try hasty.close()
    try patient.close()
  }
}
