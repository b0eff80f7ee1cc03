// SPDX-License-Identifier: MIT
import Foundation
import SporadesModel
import SporadesStore
import SporadesTesting
import TestServer
import Testing

@testable import SporadesPostgreSQL

/// The history of a store on a server: what it tells, and when it comes and goes.
@Suite(.enabled(if: TestServer.isThere, "There is no PostgreSQL on this machine."))
struct HistoryTests {
  private let fixture: ServerFixture

  init() throws { fixture = try ServerFixture() }

  private func open() throws -> PostgreSQLStore {
    try fixture.open {
      $0.persistentHistory = .on
      $0.bundleIdentifier = "org.example.notes"
    }
  }

  /// The changes of each transaction, in the order of their texts.
  private func told(_ transactions: [PersistentHistoryTransaction]) -> [[String]] {
    transactions.map { transaction in
      (transaction.changes ?? []).map { change in
        "\(change.changeType) \(change.changedObjectID.entityName) \(change.changedObjectID.key.primaryKey)"
          + (change.updatedProperties.map { " \($0.sorted().joined(separator: ","))" } ?? "")
      }.sorted()
    }
  }

  private func folder(_ key: Int64) -> RowDraft {
    RowDraft("Folder", key, ["name": .string("Folder \(key)")], of: fixture.model)
  }

  @Test func aTransactionNamesItsMakerAndItsChanges() throws {
    let store = try open()
    let (one, other, note) = (folder(1), folder(2), fixture.note(1))
    let member = RowDraft("Note", 2, ["text": "b"], to: ["folder": one], of: fixture.model)
    let all = ChangeSet(inserting: [one, other, note, member])
    try store.execute(
      ChangeSet(inserted: all.inserted, author: "ann", contextName: "window"))
    let moved = member.changed(to: ["folder": other])
    try store.execute(ChangeSet(updating: [moved, note.changed(["text": "c"])]))
    try store.commit(.immediate)
    #expect(try store.execute(ChangeSet(deleting: [moved]), committing: .eventual) == nil)
    let found = try store.history(HistoryRange())
    #expect(
      told(found) == [
        ["insert Folder 1", "insert Folder 2", "insert Note 1", "insert Note 2"],
        ["update Folder 1 notes", "update Folder 2 notes", "update Note 1 text"]
          + ["update Note 2 folder"], ["delete Note 2", "update Folder 2 notes"],
      ])
    #expect(found.map(\.transactionNumber) == [1, 2, 3])
    let first = try #require(found.first)
    #expect(first.author == "ann")
    #expect(first.contextName == "window")
    #expect(first.bundleID == "org.example.notes")
    #expect(first.processID == HistoryProgram.process)
    #expect(abs(first.timestamp.timeIntervalSinceNow) < 60)
    let ids = found.flatMap { $0.changes ?? [] }.map(\.changeID)
    #expect(ids == ids.sorted())
    #expect(Set(ids).count == ids.count)
    try store.close()
  }

  @Test func linksOfDeletedObjectsAreChangesOfTheirPartners() throws {
    let store = try open()
    let note = fixture.note(1)
    let tag = RowDraft("Tag", 1, ["name": "t"], of: fixture.model)
    try store.execute(
      ChangeSet(inserting: [note, tag], links: [LinkChange(note, "tags", adding: [tag])]))
    try store.execute(ChangeSet(deleting: [tag]))
    try store.commit(.immediate)
    #expect(
      told(try store.history(HistoryRange())) == [
        ["insert Note 1", "insert Tag 1"], ["delete Tag 1", "update Note 1 tags"],
      ])
    try store.close()
  }

  @Test func aRemovalOfAllRowsIsOneTransaction() throws {
    let store = try open()
    try store.removeAllRows()
    #expect(try store.historyEnds().last == 0)
    try store.execute(fixture.insert(1, 2))
    try store.removeAllRows()
    #expect(
      told(try store.history(HistoryRange(after: 1))) == [["delete Note 1", "delete Note 2"]])
    try store.close()
  }

  /// A part ends with the transaction that reaches the limit, and many rows are one transaction.
  @Test func aPartEndsWhereItIsToEnd() throws {
    let store = try open()
    for key in 1...5 { try store.execute(fixture.insert(Int64(2 * key), Int64(2 * key + 1))) }
    try store.execute(ChangeSet(inserting: (100..<400).map(fixture.note)))
    try store.commit(.immediate)
    func numbers(_ range: HistoryRange) throws -> [Int64] {
      try store.history(range).map(\.transactionNumber)
    }
    #expect(try numbers(HistoryRange(limit: 1)) == [1])
    #expect(try numbers(HistoryRange(after: 1, limit: 3)) == [2, 3])
    #expect(try numbers(HistoryRange(after: 4)) == [5, 6])
    #expect(try numbers(HistoryRange(after: 1, through: 4)) == [2, 3, 4])
    #expect(try numbers(HistoryRange(includesChanges: false, limit: 4)) == [1, 2, 3, 4])
    let third = try #require(try store.history(HistoryRange(after: 2, limit: 1)).first)
    #expect(try numbers(HistoryRange(since: third.timestamp)) == [4, 5, 6])
    #expect(try store.history(HistoryRange(after: 5))[0].changes?.count == 300)
    #expect(try store.deleteHistory(before: .date(third.timestamp)) == 2)
    #expect(try store.historyEnds() == HistoryEnds(deleted: 2, last: 6))
    try store.close()
  }

  // MARK: - On and off

  @Test func itIsThereWhereItIsAskedForAndStays() throws {
    let plain = try fixture.open()
    #expect(!plain.keepsHistory)
    #expect(throws: StoreError.self) { try plain.historyEnds() }
    try plain.execute(fixture.insert(1))
    try plain.commit(.immediate)
    let store = try open()
    // The store without a history would leave a gap.
    let refusal = fixture.code {
      try plain.execute(fixture.insert(2))
      try plain.commit(.immediate)
    }
    #expect(refusal == .modelChanged)
    try store.execute(fixture.insert(3))
    try store.commit(.immediate)
    let later = try fixture.open()
    #expect(later.keepsHistory)
    #expect(told(try later.history(HistoryRange())) == [["insert Note 3"]])
    let error = #expect(throws: StoreError.self) {
      try fixture.open { $0.persistentHistory = .off }.close()
    }
    #expect(error?.code == .unsupported)
    try store.close()
    try later.close()
  }

  @Test func aNamedReaderKeepsItsPlaceWithTheTransactionThatHoldsItsWork() throws {
    let store = try open()
    let other = try fixture.open()
    try store.execute(fixture.insert(1))
    try store.confirmHistory(
      HistoryReader(name: "mirror", number: 7, confirmedAt: Date(timeIntervalSince1970: 1_000)))
    #expect(try other.historyReaders().isEmpty)
    try store.commit(.immediate)
    #expect(
      try other.historyReaders() == [
        HistoryReader(name: "mirror", number: 7, confirmedAt: Date(timeIntervalSince1970: 1_000))
      ])
    try other.removeHistoryReader(named: "mirror")
    #expect(try store.historyReaders().isEmpty)
    try store.close()
    try other.close()
  }
}
