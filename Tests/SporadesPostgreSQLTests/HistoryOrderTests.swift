// SPDX-License-Identifier: MIT
import Dispatch
import Foundation
import SporadesModel
import SporadesStore
import SporadesTesting
import TestServer
import Testing

@testable import SporadesPostgreSQL

/// Several writers of one history, and those who follow it.
@Suite(.enabled(if: TestServer.isThere, "There is no PostgreSQL on this machine."))
struct HistoryOrderTests {
  private let fixture: ServerFixture

  init() throws { fixture = try ServerFixture() }

  private func open(_ change: (inout PostgreSQLStoreOptions) -> Void = { _ in }) throws
    -> PostgreSQLStore
  {
    try fixture.open {
      $0.persistentHistory = .on
      change(&$0)
    }
  }

  /// The note in a version, whose next change names that version as its author.
  private func change(of note: RowDraft, from version: Int64) -> ChangeSet {
    var draft = note
    for number in 1...version { draft = draft.changed(["text": .string("\(number)")]) }
    let rows = ChangeSet(updating: [draft])
    return ChangeSet(updated: rows.updated, author: "\(version)")
  }

  private static let changes = 25

  /// Each writer changes one row again and again, and tries again where another one came first.
  private func write(_ store: PostgreSQLStore, _ note: RowDraft) throws {
    var done = 0
    while done < Self.changes {
      let page = try #require(try store.rows(for: [note.key], in: .committed).first)
      do throws(StoreError) {
        let changes = change(of: note, from: page.version(0))
        if let failure = try store.execute(changes, committing: .eventual) { throw failure }
        done += 1
      } catch {
        guard case .conflict = error.code else { throw error }
      }
    }
  }

  @Test func noUpdateIsLostAndEachIsToldOnceInTheOrderOfTheCommits() throws {
    let first = try open()
    let note = fixture.note(1)
    #expect(try first.execute(ChangeSet(inserting: [note]), committing: .immediate) == nil)
    let stores = try (0..<3).map { _ in try open() }
    let writers = stores.map { store in ThreadWork { try write(store, note) } }
    var told: [PersistentHistoryTransaction] = []
    func follow() throws {
      told += try first.history(HistoryRange(after: told.last?.transactionNumber ?? 0))
    }
    while !writers.allSatisfy(\.isOver) { try follow() }
    for writer in writers { try writer.get() }
    try follow()
    let count = 1 + stores.count * Self.changes
    #expect(told.map(\.transactionNumber) == Array(1...Int64(count)))
    // Each change builds on the version that the one before it made.
    #expect(told.dropFirst().map(\.author) == (1..<count).map { "\($0)" })
    for store in [first] + stores { try store.close() }
  }

  /// A writer that does not commit holds nobody up, and is told when it does.
  @Test func anOpenTransactionHoldsTheHistoryUpForNobody() throws {
    let (slow, fast) = (try open(), try open())
    try slow.execute(fixture.insert(1))
    #expect(try fast.execute(fixture.insert(2), committing: .immediate) == nil)
    #expect(try fast.historyEnds().last == 1)
    #expect(try slow.changesOfOthers(after: 0)?.ids.map(\.key.primaryKey) == [2])
    try slow.commit(.immediate)
    let late = try fast.changesOfOthers(after: 1)
    #expect(late?.ids.map(\.key.primaryKey) == [1])
    #expect(late?.inserted.count == 1)
    #expect(late?.transactions == [2])
    try slow.close()
    try fast.close()
  }

  @Test(arguments: [false, true])
  func observersHearOfEachObjectThatOthersChanged(hasSignals: Bool) throws {
    func change(_ options: inout PostgreSQLStoreOptions) {
      options.signalsCommits = hasSignals
      // Without signals nobody would hear of a commit in time, and with them nobody has to ask.
      options.pollInterval = hasSignals ? .seconds(600) : .milliseconds(20)
    }
    let (store, others) = (try open(change), [try open(change), try open(change)])
    let heard = DispatchSemaphore(value: 0)
    let observation = store.observeOthers { _ in heard.signal() }
    var (known, keys) = (Int64(0), Set<Int64>())
    for number in 1...6 {
      let other = others[number % 2]
      #expect(try other.execute(fixture.insert(Int64(number)), committing: .eventual) == nil)
      #expect(try store.execute(fixture.insert(Int64(100 + number)), committing: .eventual) == nil)
      while !keys.contains(Int64(number)) {
        try #require(heard.wait(timeout: .now() + 20) == .success)
        let changes = try #require(try store.changesOfOthers(after: known))
        known = changes.last
        keys.formUnion(changes.ids.map(\.key.primaryKey))
      }
    }
    #expect(keys == Set(1...6))
    observation?.end()
    for store in [store] + others { try store.close() }
  }

  // MARK: - Copies of the database

  /// A token of what the copy lacks is expired, also when as many transactions have followed on the copy.
  @Test func aRestoredDatabaseRefusesTokensOfWhatItLacks() throws {
    let path = FileManager.default.temporaryDirectory.appendingPathComponent(
      "\(fixture.place.options.schema).sql"
    ).path
    defer {
      // `try?`, because the file is not there if the copy failed.
      try? FileManager.default.removeItem(atPath: path)
    }
    let (server, schema) = (fixture.place.server, fixture.place.options.schema)
    let store = try open()
    for key in 1...3 {
      #expect(try store.execute(fixture.insert(Int64(key)), committing: .immediate) == nil)
    }
    #expect(try store.historyEnds().last == 3)
    // Nobody has given this one a number yet.
    #expect(try store.execute(fixture.insert(4), committing: .immediate) == nil)
    try server.dump(schema: schema, to: path)
    #expect(try store.execute(fixture.insert(5), committing: .immediate) == nil)
    #expect(try store.historyEnds().last == 5)
    try store.close()
    try server.restore(schema: schema, from: path)
    let copy = try open()
    for key in 15...19 {
      #expect(try copy.execute(fixture.insert(Int64(key)), committing: .immediate) == nil)
    }
    let news = try copy.history(HistoryRange(after: 3)).flatMap { $0.changes ?? [] }
    #expect(news.map(\.changedObjectID.key.primaryKey) == [4, 15, 16, 17, 18, 19])
    for number: Int64 in [4, 5] {
      let range = HistoryRange(after: number)
      #expect(fixture.code { _ = try copy.history(range) } == .historyExpired)
      #expect(fixture.code { _ = try copy.changesOfOthers(after: number) } == .historyExpired)
    }
    let last = try copy.historyEnds().last
    #expect(try copy.history(HistoryRange(after: last)).isEmpty)
    try copy.close()
  }
}
