// SPDX-License-Identifier: MIT
import SporadesModel
import SporadesSearch
import SporadesStore
import SporadesTesting
import Testing

// Checks that searches follow all that changes the texts.

private let rounds = 6

extension StoreCheck {
  static let following: [StoreCheck] = [
    searchCheck(
      2, "accepted words are found at once, and committed words after the commit", rows: 11
    ) { stores, rows in
      #expect(try stores.agree(0, searches: 8) > 20)
      #expect(try stores.agree(0, searches: 5, in: .committed) == 0)
      try stores.commit()
      for round in 1...UInt64(rounds) {
        try stores.execute(rows.changed())
        #expect(try stores.agree(round, searches: 6) > 0)
        #expect(try stores.agree(round, searches: 6, in: .committed) > 0)
        guard round.isMultiple(of: 2) else { continue }
        try stores.commit()
        #expect(try stores.agree(round, searches: 6, in: .committed) > 0)
      }
    },
    searchCheck(2, "a search of committed words leaves accepted ones uncommitted", rows: 12) {
      stores, rows in
      #expect(try stores.agree(0, searches: 10, in: .committed) == 0)
      #expect(try stores.agree(0, searches: 8) > 20)
      #expect(try stores.agree(0, searches: 10, in: .committed) == 0)
      try stores.commit()
      #expect(try stores.agree(0, searches: 10, in: .committed) > 50)
    },
    searchCheck(3, "words that are executed and committed in one step are found", rows: 13) {
      stores, rows in
      try stores.commit()
      for round in 1...UInt64(rounds) {
        let changes = rows.changed()
        try stores.reference.execute(changes)
        try stores.reference.commit(.eventual)
        if let failure = try stores.store.execute(changes, committing: .immediate) { throw failure }
        #expect(try stores.agree(round, searches: 6, in: .committed) > 0)
      }
    },
    searchCheck(1, "a refused change set leaves no words behind") { store, _ in
      let first = note(1, "ham")
      try store.execute(ChangeSet(inserting: [first]))
      #expect(try store.found("ham", "Note") == [1])
      let second = first.changed(["text": "eggs"])
      try store.execute(ChangeSet(updating: [second]))
      for changes in [
        ChangeSet(inserting: [note(2, "ham")], updating: [second, first.changed(["text": "ham"])]),
        ChangeSet(inserting: [note(2, "ham")], deleting: [first]),
      ] {
        #expect(throws: StoreError.self) { try store.execute(changes) }
        #expect(throws: StoreError.self) { _ = try store.execute(changes, committing: .eventual) }
        #expect(try store.found("ham", "Note") == [])
        #expect(try store.found("eggs", "Note") == [1])
      }
      try store.commit(.eventual)
      #expect(try store.found("ham", "Note", .committed) == [])
      #expect(try store.found("eggs", "Note", .committed) == [1])
    },
    searchCheck(4, "withdrawn words are not found, and the others are committed") { store, _ in
      guard let store = store as? any RevocableStore else { return }
      let known = note(1, "ham")
      try store.execute(ChangeSet(inserting: [known]))
      try store.commit(.eventual)
      #expect(try store.found("ham", "Note") == [1])
      let withdrawn = ChangeSet(
        inserting: [note(2, "ham")], updating: [known.changed(["text": "eggs"])])
      try store.execute(withdrawn)
      try store.execute(ChangeSet(inserting: [note(3, "ham")]))
      #expect(try store.found("ham", "Note") == [2, 3])
      try store.withdraw([withdrawn])
      #expect(try store.found("ham", "Note") == [1, 3])
      #expect(try store.found("eggs", "Note") == [])
      #expect(try store.restoreAccepted().count == 1)
      try store.commit(.eventual)
      #expect(try store.found("ham", "Note", .committed) == [1, 3])
    },
    searchCheck(13, "words that the caller does not confirm are not found") { store, _ in
      guard let store = store as? any RevocableStore else { return }
      try store.execute(ChangeSet(inserting: [note(1, "ham")]))
      #expect(try store.found("ham", "Note") == [1])
      #expect(throws: StoreError.self) {
        try store.execute(ChangeSet(inserting: [note(2, "ham")])) { () throws(StoreError) in
          throw StoreError(.full, "No.")
        }
      }
      #expect(try store.found("ham", "Note") == [1])
      try store.execute(ChangeSet(inserting: [note(2, "ham")])) { () throws(StoreError) in }
      #expect(try store.found("ham", "Note") == [1, 2])
    },
    searchCheck(4, "words of a failed commit are found, and committed later") { store, subject in
      guard let failNextCommit = subject.failNextCommit else { return }
      try store.execute(ChangeSet(inserting: [note(1, "ham")]))
      #expect(try store.found("ham", "Note") == [1])
      try failNextCommit(store)
      #expect(throws: StoreError.self) { try store.commit(.immediate) }
      #expect(try store.found("ham", "Note") == [1])
      try store.commit(.immediate)
      #expect(try store.found("ham", "Note", .committed) == [1])
    },
    searchCheck(2, "nothing is found after the removal of all rows", rows: 14) { stores, _ in
      try stores.commit()
      #expect(try stores.agree(0, searches: 8) > 20)
      for store in [stores.store, stores.reference] as [any PersistentStore] {
        try store.removeAllRows()
      }
      #expect(try stores.agree(0, searches: 8) == 0)
      var others = SearchedRows(seed: 15)
      try stores.execute(others.added(20))
      #expect(try stores.agree(0, searches: 8) > 20)
    },
    searchCheck(9, "a batch works on what a search finds, and its words are found", rows: 16) {
      stores, _ in
      guard let store = stores.store as? any BatchExecutingStore else { return }
      try stores.commit()
      let shape = SearchedLibrary.shape("Article")
      let found = try store.found("ham")
      guard case .attribute(let text) = shape["text"],
        let assignment = StoreBatch.Assignment(text, .constant("straight"))
      else { return }
      let fetch = StoreFetch(shape, where: .search("ham"))
      guard try store.execute(StoreBatch(.update([assignment]), fetch)) != nil else { return }
      #expect(try store.found("straight") == found && !found.isEmpty)
      #expect(try store.found("text:ham") == [])
      let straight = StoreFetch(shape, where: .search("straight"))
      _ = try store.execute(StoreBatch(.delete, straight))
      #expect(try store.found("straight") == [])
      #expect(try store.found("ham") == [])
    },
  ]

  private static func note(_ key: Int64, _ text: String) -> RowDraft {
    RowDraft("Note", key, ["text": .string(text)], of: SearchedLibrary.model)
  }
}
