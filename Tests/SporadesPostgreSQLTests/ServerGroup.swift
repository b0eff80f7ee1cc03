// SPDX-License-Identifier: MIT
import Foundation
import SporadesModel
import SporadesStore
import SporadesTesting
import TestServer
import Testing

@testable import SporadesPostgreSQL

/// A primary and a standby of a test of its own, with stores of the model of ``CutWork``.
struct ServerGroup {
  let primary: TestServer
  let standby: TestServer
  let model = CutWork.model

  init() throws {
    primary = try TestServer.primary()
    standby = try primary.standby()
  }

  /// Opens a store whose address names the standby first.
  func open(
    reads: PostgreSQLReads = .replicas(maxLag: .seconds(5)),
    _ change: (inout PostgreSQLStoreOptions) -> Void = { _ in }
  ) throws -> PostgreSQLStore {
    var options = PostgreSQLStoreOptions(schema: "app", reads: reads)
    change(&options)
    return try PostgreSQLStore(
      TestServer.address(of: [standby, primary]), model: model, options: options)
  }

  var notes: StoreFetch {
    get throws { StoreFetch(try #require(model.shape(named: "Note"))) }
  }

  func insert(_ keys: Int64...) -> ChangeSet {
    ChangeSet(
      inserting: keys.map { RowDraft("Note", $0, ["text": .string("Note \($0)")], of: model) })
  }

  func keys(_ store: PostgreSQLStore) throws -> [Int64] {
    try store.keys(try notes, in: .committed).map(\.primaryKey)
  }

  /// Whether a step throws while no server answers. Throws nothing else away.
  func fails(_ body: () throws -> Void) -> Bool {
    do {
      try body()
      return false
    } catch {
      let code = (error as? StoreError)?.code
      if code != .io && code != .timedOut { Issue.record("\(error)") }
      return code == .io || code == .timedOut
    }
  }

  // MARK: - Servers

  /// Has the primary wait for the standby with each commit.
  func synchronize() throws {
    _ = try primary.answer(to: "ALTER SYSTEM SET synchronous_standby_names = '*'")
    _ = try primary.answer(to: "SELECT pg_reload_conf()")
    try wait {
      try primary.answer(to: "SELECT count(*) FROM pg_stat_replication WHERE sync_state = 'sync'")
        == ["1"]
    }
  }

  func promote() throws {
    _ = try standby.answer(to: "SELECT pg_promote()")
    // It would wait for a standby, as the primary did.
    _ = try standby.answer(to: "ALTER SYSTEM RESET synchronous_standby_names")
    _ = try standby.answer(to: "SELECT pg_reload_conf()")
  }

  func waitUntilStandbyHas(_ keys: [String]) throws {
    try wait {
      // `try?`, because the table has to arrive there, too.
      (try? standby.answer(to: "SELECT row_id FROM app.note ORDER BY row_id")) == keys
    }
  }

  /// Reads until a standby has taken one more read.
  func waitForStandby(of store: PostgreSQLStore) throws {
    let reads = store.metrics.standbyReads
    try wait {
      _ = try keys(store)
      return store.metrics.standbyReads > reads
    }
  }

  func wait(_ condition: () throws -> Bool) throws {
    let deadline = ContinuousClock.now + .seconds(30)
    while try !condition() {
      try #require(ContinuousClock.now < deadline, "The condition does not come true.")
      usleep(1_000)
    }
  }
}
