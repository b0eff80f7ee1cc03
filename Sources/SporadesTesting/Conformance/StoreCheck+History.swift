// SPDX-License-Identifier: MIT
import Dispatch
import SporadesModel
import SporadesStore
import Testing

private let author = RowDraft("Author", 1, ["name": "a"])
private let fan = RowDraft("Author", 2, ["name": "fan"])
private let book = RowDraft("Book", 1, ["title": "t"], to: ["author": author])

extension StoreCheck {
  static let history = [
    StoreCheck(15, "a change set is in the history when it is committed, and not before") {
      store in
      guard let store = try store.ownHistory else { return }
      let before = try store.historyEnds().last
      try store.execute(ChangeSet(inserting: [author, book]))
      #expect(try store.lines(after: before) == [])
      try store.commit(.eventual)
      #expect(try store.lines(after: before) == ["\(before + 1): insert Author 1, insert Book 1"])
      #expect(try store.historyEnds().last == before + 1)
    },
    StoreCheck(15, "a refused change set is not in the history") { store in
      guard let store = try store.ownHistory else { return }
      try store.execute(ChangeSet(inserting: [author]))
      try store.commit(.eventual)
      let before = try store.historyEnds().last
      let late = author.changed(["name": "b"]).changed(["name": "c"])
      #expect(store.refusal(ChangeSet(inserting: [fan], updating: [late])) != nil)
      try store.execute(ChangeSet(inserting: [fan]))
      try store.commit(.eventual)
      #expect(try store.lines(after: before) == ["\(before + 1): insert Author 2"])
    },
    StoreCheck(
      15, "the history names changed properties, and objects of which only links change"
    ) { store in
      guard let store = try store.ownHistory else { return }
      try store.execute(ChangeSet(inserting: [author, fan, book]))
      try store.commit(.eventual)
      let before = try store.historyEnds().last
      try store.execute(
        ChangeSet(
          updating: [author.changed(["name": "b"])],
          links: [LinkChange(book, "fans", adding: [fan])]))
      try store.execute(ChangeSet(deleting: [book]))
      try store.commit(.eventual)
      let changes = try store.history(HistoryRange(after: before)).map { $0.changes ?? [] }
      #expect(changes.count == 2)
      let first = Dictionary(
        (changes.first ?? []).map { ($0.changedObjectID.key.primaryKey * 10 + $0.kind, $0) }
      ) { first, _ in first }
      // The key and the entity: authors 1 and 2, book 1.
      #expect(first[11]?.updatedProperties == ["name"])
      #expect(first[21]?.updatedProperties == ["favourites"])
      #expect(first[12]?.updatedProperties == ["fans"])
      #expect(changes.last?.contains { $0.changeType == .delete && $0.kind == 2 } == true)
    },
    StoreCheck(15, "numbers go on behind a deleted beginning, and who knows less is told") {
      store in
      guard let store = try store.ownHistory else { return }
      let before = try store.historyEnds().last
      for draft in [author, fan] {
        try store.execute(ChangeSet(inserting: [draft]))
        try store.commit(.eventual)
      }
      #expect(try store.deleteHistory(before: .number(before + 2)) >= 1)
      #expect(try store.historyEnds() == HistoryEnds(deleted: before + 1, last: before + 2))
      #expect(try store.lines(after: before + 1) == ["\(before + 2): insert Author 2"])
      do throws(StoreError) {
        _ = try store.history(HistoryRange(after: before))
        Issue.record("A reader that missed a transaction was not told.")
      } catch {
        #expect(error.code == .historyExpired)
      }
    },
  ]

  static let besideOthers = [
    StoreCheck(16, "a commit of another process is told, with its objects and no others") {
      store, subject in
      guard let other = try subject.openBeside?(store) else { return }
      let store = try #require(
        store as? any SharedStore, "A store that others open beside it is a SharedStore.")
      let heard = DispatchSemaphore(value: 0)
      let observation = store.observeOthers { identifier in
        if identifier == store.identifier { heard.signal() }
      }
      let before = try store.ownHistory?.historyEnds().last ?? 0
      try store.execute(ChangeSet(inserting: [author]))
      try store.commit(.eventual)
      try other.execute(ChangeSet(inserting: [fan], updating: [author.changed(["name": "b"])]))
      try other.commit(.eventual)
      #expect(observation != nil)
      #expect(heard.wait(timeout: .now() + 60) == .success)
      if try store.ownHistory != nil {
        let changes = try store.changesOfOthers(after: before)
        #expect(changes.map { Set($0.ids.map(\.key)) } == [author.key, fan.key])
        #expect(changes?.inserted.map(\.key) == [fan.key])
        #expect(changes?.last == before + 2)
      }
      observation?.end()
      try other.close()
    },
    StoreCheck(17, "a change set that refers to a row which another process deleted is refused") {
      store, subject in
      guard let other = try subject.openBeside?(store) else { return }
      try store.execute(ChangeSet(inserting: [author, fan]))
      try store.commit(.eventual)
      try other.execute(ChangeSet(deleting: [author]))
      try other.commit(.eventual)
      #expect(store.refusal(ChangeSet(inserting: [book])).isConflict)
      let second = RowDraft("Book", 2, ["title": "u"], to: ["author": fan])
      #expect(store.refusal(ChangeSet(inserting: [second])) == nil)
      try store.commit(.eventual)
      #expect(try store.found("Book") == [2])
      try other.close()
    },
    StoreCheck(17, "a change set that deletes a row to which another process linked is refused") {
      store, subject in
      guard let other = try subject.openBeside?(store) else { return }
      try store.execute(ChangeSet(inserting: [author, fan]))
      try store.commit(.eventual)
      try other.execute(ChangeSet(inserting: [book]))
      try other.commit(.eventual)
      #expect(store.refusal(ChangeSet(deleting: [author])).isConflict)
      #expect(store.refusal(ChangeSet(deleting: [fan])) == nil)
      try store.commit(.eventual)
      #expect(try store.found("Author") == [1])
      try other.close()
    },
  ]
}

extension PersistentStore {
  /// The store as one that tells its history; nil if it keeps none. A coordinator's belong to its stores.
  fileprivate var ownHistory: (any HistoryStore)? {
    get throws {
      guard keepsHistory, coordinator == nil else { return nil }
      return try #require(
        self as? any HistoryStore,
        "A store that keeps a history is a HistoryStore. SQLiteStore is one in the module SporadesHistory."
      )
    }
  }
}

extension HistoryStore {
  /// The transactions behind a number, each with its changes.
  fileprivate func lines(after number: Int64) throws -> [String] {
    try history(HistoryRange(after: number)).map { transaction in
      let changes = (transaction.changes ?? []).map {
        "\($0.changeType) \($0.changedObjectID.entityName) \($0.changedObjectID.key.primaryKey)"
      }
      return "\(transaction.transactionNumber): \(changes.joined(separator: ", "))"
    }
  }
}

extension PersistentHistoryChange {
  /// 1 for an author, 2 for a book.
  fileprivate var kind: Int64 { changedObjectID.entityName == "Author" ? 1 : 2 }
}

extension StoreError.Code? {
  fileprivate var isConflict: Bool { if case .conflict? = self { true } else { false } }
}
