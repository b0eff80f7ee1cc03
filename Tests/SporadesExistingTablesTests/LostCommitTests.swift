// SPDX-License-Identifier: MIT
import Dispatch
import Foundation
import Sporades
import SporadesModel
import SporadesStore
import TestServer
import Testing

@testable import SporadesExistingTables
@testable import SporadesPostgreSQL

/// Commits into existing tables whose answers do not arrive. No row tells whether they took place.
@Suite(.enabled(if: TestServer.isThere, "There is no PostgreSQL on this machine."))
struct LostCommitTests {
  /// The change set of a new artist.
  private func artist(_ name: String, in store: PostgreSQLStore) throws -> ChangeSet {
    let shape = try #require(store.model.shape(named: "Artist"))
    let keys = try store.reserveKeys(1, for: shape)
    var builder = RowPageBuilder(layout: shape.layout)
    builder.appendRow(RowKey(entity: shape.number, primaryKey: keys.lowerBound), version: 1)
    builder.set(try #require(shape.slot(named: "name")), to: name)
    return ChangeSet(inserted: [builder.finish()])
  }

  private func names(_ tables: ExistingTables) throws -> [String] {
    try tables.ask("SELECT full_name FROM artist WHERE full_name LIKE 'Artist%' ORDER BY 1")
  }

  @Test func theServerTellsWhatBecameOfATransaction() throws {
    let tables = try ExistingTables.music()
    let (one, other) = (try tables.connect(), try tables.connect())
    let server = try one.run(ServerTransaction.serverQuestion).text(0, 0)
    var outcomes: [ServerTransaction.Outcome] = []
    for end in ["COMMIT", "ROLLBACK"] {
      try one.run("BEGIN")
      let number = try one.run(ServerTransaction.numberQuestion).text(0, 0)
      let transaction = try #require(
        ServerTransaction(number: number, on: server, since: one.serverStart))
      outcomes.append(try transaction.outcome(over: other, until: .now))
      try one.run(end)
      outcomes.append(try transaction.outcome(over: other, until: .now))
    }
    #expect(outcomes == [.unknown, .committed, .unknown, .undone])
    // Another server has the number for another transaction.
    let stranger = try #require(
      ServerTransaction(number: "700", on: "another", since: one.serverStart))
    #expect(try stranger.outcome(over: other, until: .now) == .unknown)
    // So may the same one, behind a crash. What was undone stays undone.
    for (end, outcome) in [("COMMIT", ServerTransaction.Outcome.unknown), ("ROLLBACK", .undone)] {
      try one.run("BEGIN")
      let number = try one.run(ServerTransaction.numberQuestion).text(0, 0)
      try one.run(end)
      let earlier = try #require(
        ServerTransaction(number: number, on: server, since: "before a crash"))
      #expect(try earlier.outcome(over: other, until: .now) == outcome)
    }
  }

  @Test(arguments: [Durability.immediate, .eventual])
  func aCommitIsLookedUpByItsTransaction(durability: Durability) throws {
    let tables = try ExistingTables.music()
    let proxy = try ServerProxy(to: tables.place.server)
    let store = try PostgreSQLStore(
      existingTablesAt: proxy.address, model: try ManagedObjectModel(ExistingTables.entities),
      options: tables.place.options)
    // The answer is lost, and then the request.
    for (round, cut) in [ServerProxy.Cut(.server, 1), .init(.client, 1)].enumerated() {
      try store.execute(try artist("Artist \(round)", in: store))
      proxy.expect([cut])
      do throws(StoreError) { try store.commit(durability) } catch {
        // The server did not commit, and the change set is there still.
        #expect(cut.description.contains("client") && error.isRetryable)
        try store.commit(durability)
      }
      #expect(proxy.cutsLeft == 0)
    }
    try store.execute(try artist("Artist 2", in: store))
    try store.commit(.immediate)
    #expect(try names(tables) == ["(\"Artist 0\")", "(\"Artist 1\")", "(\"Artist 2\")"])
    try store.close()
  }

  @Test func theServerIsAskedWhichOneItIsOncePerConnection() throws {
    let tables = try ExistingTables.music()
    let proxy = try ServerProxy(to: tables.place.server)
    let store = try PostgreSQLStore(
      existingTablesAt: proxy.address, model: try ManagedObjectModel(ExistingTables.entities),
      options: tables.place.options)
    var counts: [Int] = []
    for round in 0..<3 {
      let changes = try artist("Artist \(round)", in: store)
      proxy.expect()
      try store.execute(changes)
      try store.commit(.immediate)
      counts.append(proxy.count(of: .server))
    }
    #expect(counts[1] < counts[0])
    #expect(counts[2] == counts[1])
    try store.close()
  }

  @Test func aCommitOnAServerThatIsGoneIsUnclearAndNotRepeated() throws {
    let primary = try TestServer.primary()
    _ = try primary.answer(
      to: "CREATE TABLE artist (artist_id serial PRIMARY KEY, name text)")
    let standby = try primary.standby()
    let model = try ManagedObjectModel(entities: [
      EntityDescription("Artist", in: .table("artist"), AttributeDescription("name", .string))
    ])
    let store = try PostgreSQLStore(
      existingTablesAt: TestServer.address(of: [primary, standby]), model: model)
    let changes = try artist("Artist", in: store)
    // A commit waits for a standby that does not exist.
    _ = try primary.answer(to: "ALTER SYSTEM SET synchronous_standby_names = 'nobody'")
    _ = try primary.answer(to: "SELECT pg_reload_conf()")
    try store.execute(changes)
    let failure = Guarded<StoreError?>(nil)
    let commit = DispatchGroup()
    commit.enter()
    Thread.detachNewThread {
      do throws(StoreError) { try store.commit(.immediate) } catch {
        failure.withLock { $0 = error }
      }
      commit.leave()
    }
    try wait {
      try primary.answer(
        to: "SELECT count(*) FROM pg_stat_activity WHERE wait_event = 'SyncRep'") == ["1"]
    }
    try primary.kill()
    _ = try standby.answer(to: "SELECT pg_promote()")
    #expect(commit.wait(timeout: .now() + 60) == .success)
    #expect(failure.withLock { $0?.code } == .unclear)
    let losses = try store.restoreAccepted()
    #expect(losses.map(\.changes.insertedKeys) == [changes.insertedKeys])
    // The standby had it, or not; it is there once at most.
    let count = try standby.answer(to: "SELECT count(*) FROM artist")
    #expect(count == ["0"] || count == ["1"])
    try store.close()
  }

  private func wait(_ condition: () throws -> Bool) throws {
    let deadline = ContinuousClock.now + .seconds(30)
    while try !condition() {
      try #require(ContinuousClock.now < deadline, "The condition does not come true.")
      usleep(1_000)
    }
  }

  @Test func acceptedChangesOutliveTheirConnection() throws {
    let tables = try ExistingTables.music()
    let model = try ManagedObjectModel(ExistingTables.entities)
    let name = tables.place.options.schema
    let store = try PostgreSQLStore(
      existingTablesAt: "\(tables.place.server.address) application_name=\(name)", model: model,
      options: tables.place.options)
    for round in 0..<2 { try store.execute(try artist("Artist \(round)", in: store)) }
    try tables.run(
      "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = '\(name)'")
    var failures = 0
    while failures < 3 {
      do throws(StoreError) {
        try store.commit(.immediate)
        break
      } catch {
        failures += 1
        #expect(error.isRetryable, "\(error)")
      }
    }
    #expect(try tables.ask("SELECT count(*) FROM artist") == ["(4)"])
    try store.close()
  }
}
