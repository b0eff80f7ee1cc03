// SPDX-License-Identifier: MIT
import Foundation
import Sporades
import SporadesModel
import SporadesStore
import SporadesTesting
import TestServer
import Testing

@testable import SporadesPostgreSQL

/// Reads that standbys take.
@Suite(.enabled(if: TestServer.isThere, "There is no PostgreSQL on this machine."))
struct StandbyTests {
  private let group: ServerGroup

  init() throws { group = try ServerGroup() }

  @Test(arguments: [Durability.immediate, .eventual])
  func eachReadSeesTheStoresOwnWrites(durability: Durability) throws {
    let store = try group.open()
    try store.execute(group.insert(1))
    try store.commit(durability)
    try group.waitForStandby(of: store)
    for key in Int64(2)...100 {
      #expect(try store.execute(group.insert(key), committing: durability) == nil)
      #expect(try group.keys(store) == Array(1...key))
    }
    try group.waitForStandby(of: store)
    try store.execute(group.insert(101))
    #expect(try store.keys(try group.notes, in: .accepted).count == 101)
    #expect(try group.keys(store).count == 100)
    try store.removeAllRows()
    #expect(try group.keys(store).isEmpty)
    try store.close()
  }

  @Test func aReadWithoutLagSeesWhatOthersCommittedBefore() throws {
    let (store, other) = (try group.open(reads: .replicas(maxLag: .zero)), try group.open())
    try group.waitForStandby(of: store)
    let reads = store.metrics.standbyReads
    for key in Int64(1)...100 {
      #expect(try other.execute(group.insert(key), committing: .immediate) == nil)
      #expect(try group.keys(store).last == key)
    }
    #expect(store.metrics.standbyReads > reads)
    try store.close()
    try other.close()
  }

  @Test func noReadShowsLessThanThePrimaryDid() throws {
    let (store, other) = (try group.open(), try group.open(reads: .primary))
    let primary = try group.open(reads: .primary)
    try group.waitForStandby(of: store)
    let writer = ThreadWork { [group] in
      for key in Int64(1)...500 {
        try other.execute(group.insert(key))
        try other.commit(.eventual)
      }
    }
    var rounds = 0
    repeat {
      let least = try group.keys(primary).count
      // The primary may be far ahead of the standby.
      let count = try store.position().isSeen(by: store) { try group.keys(store).count }
      #expect(count >= least)
      rounds += 1
    } while !writer.isOver
    try writer.get()
    #expect(rounds > 0)
    for store in [store, primary] { try store.close() }
    try other.close()
  }

  @Test func aWriteReadsFromThePrimary() throws {
    // The store would hear of the other's commit, and read no less from then on.
    let store = try group.open { $0.pollInterval = .seconds(3600) }
    let other = try group.open(reads: .primary)
    let service = DALService(stack: DataStack(store: store))
    try group.waitForStandby(of: store)
    _ = try group.standby.answer(to: "SELECT pg_wal_replay_pause()")
    _ = try group.keys(store)
    #expect(try other.execute(group.insert(1), committing: .immediate) == nil)
    #expect(try service.readValue { try $0.count(FetchRequest("Note")) } == 0)
    let reads = store.metrics.standbyReads
    var seen = 0
    try service.writeSync { context in
      seen = try service.readValue { try $0.count(FetchRequest("Note")) }
    }.get()
    #expect(seen == 1)
    #expect(store.metrics.standbyReads == reads)
    _ = try group.standby.answer(to: "SELECT pg_wal_replay_resume()")
    try service.close()
    try other.close()
  }

  @Test func tasksReadFromStandbysOnConnectionsThatStay() async throws {
    let store = try group.open()
    let service = DALService(stack: DataStack(store: store))
    #expect(try store.execute(group.insert(1), committing: .immediate) == nil)
    try group.waitForStandby(of: store)
    let reads = store.metrics.standbyReads
    for _ in 0..<20 {
      #expect(try await service.read { try $0.count(FetchRequest("Note")) } == 1)
    }
    #expect(store.metrics.standbyReads == reads + 20)
    let sessions = try group.standby.answer(
      to: "SELECT count(*) FROM pg_stat_activity WHERE application_name = 'Sporades'")
    #expect(sessions == ["1"])
    try service.close()
  }

  @Test func aStandbyThatLagsIsLeftOutAndTakenBack() throws {
    let store = try group.open()
    try group.waitForStandby(of: store)
    _ = try group.standby.answer(to: "SELECT pg_wal_replay_pause()")
    #expect(try store.execute(group.insert(1), committing: .immediate) == nil)
    let reads = store.metrics.standbyReads
    #expect(try group.keys(store) == [1])
    #expect(store.metrics.standbyReads == reads)
    _ = try group.standby.answer(to: "SELECT pg_wal_replay_resume()")
    try group.waitForStandby(of: store)
    #expect(try group.keys(store) == [1])
    try store.close()
  }

  @Test func aStandbyThatIsLostIsLeftOutAndTakenBack() throws {
    let store = try group.open()
    #expect(try store.execute(group.insert(1), committing: .immediate) == nil)
    try group.waitForStandby(of: store)
    #expect(store.metrics.standbys == 1)
    try group.standby.kill()
    #expect(try group.keys(store) == [1])
    #expect(try store.execute(group.insert(2), committing: .immediate) == nil)
    #expect(try group.keys(store) == [1, 2])
    try group.standby.start()
    try group.waitForStandby(of: store)
    #expect(try group.keys(store) == [1, 2])
    try store.close()
  }

  @Test func aPositionIsHandedToAnotherProcess() throws {
    let (writer, reader) = (
      try group.open(), try group.open(reads: .replicas(maxLag: .seconds(3600)))
    )
    try group.waitForStandby(of: reader)
    for key in Int64(1)...50 {
      #expect(try writer.execute(group.insert(key), committing: .eventual) == nil)
      let position = try JSONEncoder().encode(try writer.position())
      try reader.see(try JSONDecoder().decode(PostgreSQLPosition.self, from: position))
      #expect(try group.keys(reader).last == key)
    }
    try group.waitForStandby(of: reader)
    // The writer of a position may be gone.
    let position = try writer.position()
    try writer.close()
    try reader.see(position)
    try reader.close()
  }

  @Test func aSlowReadThatTheStandbyEndsGoesToThePrimary() throws {
    _ = try group.standby.answer(to: "ALTER SYSTEM SET max_standby_streaming_delay = 0")
    _ = try group.standby.answer(to: "SELECT pg_reload_conf()")
    let store = try group.open()
    try store.execute(
      ChangeSet(
        inserting: (1...2000).map { key in
          RowDraft("Note", key, ["text": .string("Note \(key)")], of: group.model)
        }))
    try store.commit(.immediate)
    try group.waitForStandby(of: store)
    let other = try group.open(reads: .primary)
    let changes = ThreadWork { [group] in
      for _ in 0..<20 {
        _ = try group.primary.answer(to: "UPDATE app.note SET row_version = row_version")
        _ = try group.primary.answer(to: "VACUUM app.note")
      }
    }
    while !changes.isOver { #expect(try group.keys(store).count == 2000) }
    try changes.get()
    try store.close()
    try other.close()
  }

  @Test func aStoreOpensOnlyWhereThePrimaryIs() throws {
    let error = #expect(throws: StoreError.self) {
      try PostgreSQLStore(group.standby.address, model: group.model)
    }
    #expect(error?.detail.contains("is a standby") == true, "\(String(describing: error))")
    let store = try group.open(reads: .primary)
    #expect(store.metrics.standbys == 0)
    #expect(try store.execute(group.insert(1), committing: .immediate) == nil)
    try store.close()
  }
}

extension PostgreSQLPosition {
  /// Runs `body` after the store has seen the position.
  fileprivate func isSeen<Output>(
    by store: PostgreSQLStore, _ body: () throws -> Output
  ) throws -> Output {
    try store.see(self)
    return try body()
  }
}
