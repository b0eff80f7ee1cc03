// SPDX-License-Identifier: MIT
import Dispatch
import Foundation
import SporadesModel
import SporadesStore
import SporadesTesting
import TestServer
import Testing

@testable import SporadesPostgreSQL

/// A schema of its own on the test server, with stores of the model of ``CutWork``, and what others see of them.
struct ServerFixture {
  let place: TestStore
  let model = CutWork.model

  init() throws { place = try TestStore() }

  /// Opens a store whose connections are named after the schema. `settings` are those of its sessions: `-c name=value`.
  func open(
    through proxy: ServerProxy? = nil, settings: String = "",
    _ change: (inout PostgreSQLStoreOptions) -> Void = { _ in }
  ) throws -> PostgreSQLStore {
    var options = place.options
    options.reconnectTimeout = .seconds(10)
    change(&options)
    let address = proxy?.address ?? place.server.address
    return try PostgreSQLStore(
      "\(address) application_name=\(name) options='\(settings)'", model: model, options: options)
  }

  private var name: String { place.options.schema }

  var notes: StoreFetch {
    get throws { StoreFetch(try #require(model.shape(named: "Note"))) }
  }

  func note(_ key: Int64) -> RowDraft {
    RowDraft("Note", key, ["text": .string("Note \(key)")], of: model)
  }

  func insert(_ keys: Int64...) -> ChangeSet { ChangeSet(inserting: keys.map(note)) }

  // MARK: - Others

  /// A connection of another program.
  func connect() throws -> ServerConnection {
    let address = try ServerAddress(place.server.address)
    return try ServerSource(address: address, options: place.options).connect()
  }

  /// What another program is told.
  @discardableResult
  func ask(_ sql: String) throws -> [String?] {
    let answer = try connect().run(sql)
    return (0..<answer.count).map { answer.text($0, 0) }
  }

  /// The statements that the server runs for the store, or in whose transactions it waits.
  func activities(_ condition: String = "state = 'active'") throws -> Int {
    try ask(
      "SELECT pid::text FROM pg_stat_activity WHERE application_name = '\(name)' AND \(condition)"
    ).count
  }

  func endConnections() throws {
    try ask(
      "SELECT pg_terminate_backend(pid)::text FROM pg_stat_activity WHERE application_name = '\(name)'"
    )
    try wait { try activities("true") == 0 }
  }

  func endStatements() throws {
    try ask(
      "SELECT pg_cancel_backend(pid)::text FROM pg_stat_activity WHERE application_name = '\(name)'"
    )
  }

  /// Waits until a condition holds.
  func wait(_ condition: () throws -> Bool) throws {
    let deadline = ContinuousClock.now + .seconds(20)
    while try !condition() {
      try #require(ContinuousClock.now < deadline, "The condition does not come true.")
      usleep(1_000)
    }
  }

  /// Waits until one session waits for a lock in the schema.
  func waitForLock() throws {
    try wait {
      try ask(
        "SELECT pid::text FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND pg_blocking_pids(pid) && "
          + "(SELECT array_agg(pid) FROM pg_locks WHERE relation = '\(name).note'::regclass)"
      ).count == 1
    }
  }

  /// The code of the error that `body` throws; nil if it throws none.
  func code(_ body: () throws -> Void) -> StoreError.Code? {
    do {
      try body()
      return nil
    } catch let error as StoreError {
      return error.code
    } catch {
      Issue.record("\(error)")
      return nil
    }
  }
}

/// Work on a thread of its own, for whose end a test waits.
final class ThreadWork<Output: Sendable>: Sendable {
  private let result = Guarded<Result<Output, any Error>?>(nil)

  init(_ body: @escaping @Sendable () throws -> Output) {
    Thread.detachNewThread { [result] in
      let output = Result { try body() }
      result.withLock { $0 = output }
    }
  }

  var isOver: Bool { result.withLock { $0 != nil } }

  func get() throws -> Output {
    let deadline = ContinuousClock.now + .seconds(30)
    while ContinuousClock.now < deadline {
      if let result = result.withLock(\.self) { return try result.get() }
      usleep(1_000)
    }
    throw StoreError(.timedOut, "The work of a thread does not end.")
  }
}

/// Runs tasks on a thread that no other test holds, because tests block the few threads that tasks share.
final class OwnThreadExecutor: TaskExecutor {
  private let queue = DispatchQueue(label: "test.tasks")

  func enqueue(_ job: consuming ExecutorJob) {
    // Unsafe because a job runs once: the queue runs each block once, and keeps the executor alive until then.
    let job = UnownedJob(job)
    queue.async { unsafe job.runSynchronously(on: self.asUnownedTaskExecutor()) }
  }
}
