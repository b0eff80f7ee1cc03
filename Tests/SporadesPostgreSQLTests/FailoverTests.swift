// SPDX-License-Identifier: MIT
import Foundation
import SporadesModel
import SporadesStore
import SporadesTesting
import TestServer
import Testing

@testable import SporadesPostgreSQL

/// Primaries that are killed, and standbys that take their places.
@Suite(.enabled(if: TestServer.isThere, "There is no PostgreSQL on this machine."))
struct FailoverTests {
  private let group: ServerGroup

  init() throws { group = try ServerGroup() }

  /// Writes a row at a time, and counts those that are acknowledged.
  private func write(
    _ keys: ClosedRange<Int64>, _ store: PostgreSQLStore, _ acknowledged: Guarded<[Int64]>
  ) -> ThreadWork<Void> {
    ThreadWork { [group] in
      for key in keys {
        // A failed commit keeps its changes, and the next one makes them permanent.
        let failure = try store.execute(group.insert(key), committing: .immediate)
        if let failure { throw failure }
        acknowledged.withLock { $0.append(key) }
      }
    }
  }

  @Test func writesGoOnAtTheNextPrimaryAndNoneIsLostOrDoneTwice() throws {
    try group.synchronize()
    let (one, other) = (try group.open(), try group.open())
    let acknowledged = Guarded<[Int64]>([])
    let works = [write(1...1500, one, acknowledged), write(10_001...11_500, other, acknowledged)]
    try group.wait { acknowledged.withLock { $0.count > 500 } }
    try group.primary.kill()
    try group.promote()
    for work in works { try work.get() }
    // A commit that was found by its number alone has its row, too.
    let rows = try group.standby.answer(to: "SELECT row_id FROM app.note ORDER BY row_id")
    #expect(rows.compactMap(Int64.init) == acknowledged.withLock { $0.sorted() })
    #expect(rows.count == 3000)
    for store in [one, other] {
      #expect(try group.keys(store).count == 3000)
      try store.close()
    }
  }

  /// The moments at which the connection is cut, and the primary killed behind it.
  private static let cuts = [
    ServerProxy.Cut(.client, with: "COMMIT"),
    ServerProxy.Cut(.client, with: "COMMIT", isDelivered: true),
    ServerProxy.Cut(.client, with: "COMMIT", isDelivered: true, isHiddenFromServer: true),
    ServerProxy.Cut(.server, with: "COMMIT"),
    ServerProxy.Cut(.server, with: "COMMIT", isDelivered: true),
    ServerProxy.Cut(.server, 1), ServerProxy.Cut(.client, 1),
  ]

  @Test(arguments: cuts)
  func aWriteThatIsCutWhileTheStandbyTakesOverIsDoneOnce(_ cut: ServerProxy.Cut) throws {
    try group.synchronize()
    let proxy = try ServerProxy(to: group.primary)
    let store = try PostgreSQLStore(
      TestServer.address(of: [group.standby], behind: proxy), model: group.model,
      options: PostgreSQLStoreOptions(schema: "app", connectTimeout: .seconds(5)))
    for sql in [
      "CREATE TABLE app.deeds (row_id bigint)",
      "CREATE FUNCTION app.note_deed() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN "
        + "INSERT INTO app.deeds VALUES (NEW.row_id); RETURN NULL; END $$",
      "CREATE TRIGGER deeds AFTER INSERT ON app.note FOR EACH ROW EXECUTE FUNCTION app.note_deed()",
    ] { _ = try group.primary.answer(to: sql) }
    proxy.expect([cut])
    let work = ThreadWork { [group] in
      // A change set that throws is not accepted. A failed commit keeps its changes, and the next one makes them permanent.
      for key in Int64(1)...3 {
        while group.fails({ try store.execute(group.insert(key)) }) {}
        while group.fails({ try store.commit(.immediate) }) {}
      }
      var failure: StoreError?
      while group.fails({ failure = try store.execute(group.insert(4), committing: .immediate) }) {}
      if failure != nil { while group.fails({ try store.commit(.immediate) }) {} }
    }
    try group.wait { proxy.cutsLeft == 0 }
    try group.primary.kill()
    try group.promote()
    try work.get()
    let deeds = try group.standby.answer(to: "SELECT row_id FROM app.deeds ORDER BY row_id")
    #expect(deeds == ["1", "2", "3", "4"])
    #expect(try group.keys(store) == [1, 2, 3, 4])
    proxy.forgetServers()
    try store.close()
  }

  @Test func acknowledgedWritesThatTheNextPrimaryLacksAreToldOf() throws {
    let store = try group.open()
    let other = try group.open(reads: .primary)
    #expect(try store.execute(group.insert(1), committing: .immediate) == nil)
    let early = try store.position()
    try group.waitUntilStandbyHas(["1"])
    try group.standby.kill()
    #expect(try store.execute(group.insert(2), committing: .immediate) == nil)
    let late = try store.position()
    try group.primary.kill()
    try group.standby.start()
    try group.promote()
    // Writes and reads both refuse, as often as they are asked.
    for _ in 0..<2 {
      #expect(code { _ = try group.keys(store) } == .behind)
      #expect(code { try store.execute(group.insert(3)) } == .behind)
      #expect(code { _ = try store.generation() } == .behind)
    }
    // One that lost nothing goes on.
    #expect(try group.keys(other) == [1])
    try other.see(early)
    #expect(code { try other.see(late) } == .behind)
    #expect(try other.execute(group.insert(20), committing: .immediate) == nil)
    store.acceptLosses()
    #expect(try group.keys(store) == [1, 20])
    #expect(try store.execute(group.insert(3), committing: .immediate) == nil)
    #expect(try group.keys(store) == [1, 3, 20])
    // Another life of the connections asks for no more than what was promised since.
    try store.see(try store.position())
    try store.close()
    try other.close()
  }

  @Test func eventualWritesThatACrashTookAreToldOf() throws {
    let store = try group.open(reads: .primary)
    #expect(try store.execute(group.insert(1), committing: .immediate) == nil)
    _ = try group.primary.answer(to: "ALTER SYSTEM SET wal_writer_delay = '10s'")
    _ = try group.primary.answer(to: "SELECT pg_reload_conf()")
    #expect(try store.execute(group.insert(2), committing: .eventual) == nil)
    try group.primary.kill()
    try group.primary.start()
    let isLost = try group.primary.answer(to: "SELECT row_id FROM app.note WHERE row_id = 2")
      .isEmpty
    #expect(code { _ = try group.keys(store) } == (isLost ? .behind : nil))
    store.acceptLosses()
    #expect(try group.keys(store) == (isLost ? [1] : [1, 2]))
    try store.close()
  }

  @Test func keysThatAnotherServerNeverCountedAreReservedAnew() throws {
    let (store, other) = (try group.open(), try group.open())
    let entity = try group.notes.entity
    _ = try store.reserveKeys(1, for: entity)
    #expect(try store.execute(group.insert(1), committing: .immediate) == nil)
    try group.waitUntilStandbyHas(["1"])
    try group.standby.kill()
    let lost = try other.reserveKeys(300, for: entity)
    try group.primary.kill()
    try group.standby.start()
    try group.promote()
    _ = try group.keys(other)
    _ = try group.keys(store)
    let (one, two) = (
      try store.reserveKeys(300, for: entity), try other.reserveKeys(300, for: entity)
    )
    #expect(!one.overlaps(two))
    #expect(lost.count == 300)
    try store.close()
    try other.close()
  }

  @Test func readsEndWithAnErrorWhereNoPrimaryComes() throws {
    let store = try group.open {
      $0.reads = .replicas(maxLag: .zero)
      $0.reconnectTimeout = .milliseconds(300)
      $0.connectTimeout = .milliseconds(300)
    }
    try group.waitForStandby(of: store)
    try group.primary.kill()
    #expect(code { _ = try group.keys(store) } == .io)
    try group.primary.start()
    #expect(try group.keys(store).isEmpty)
    try store.close()
  }

  /// The code of the error that `body` throws; nil if it throws none.
  private func code(_ body: () throws -> Void) -> StoreError.Code? {
    do {
      try body()
      return nil
    } catch {
      return (error as? StoreError)?.code
    }
  }
}
