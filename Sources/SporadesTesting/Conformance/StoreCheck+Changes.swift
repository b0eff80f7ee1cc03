// SPDX-License-Identifier: MIT
import SporadesModel
import SporadesStore
import Testing

// Checks of change sets: versions, constraints, keys, and what is undone.

private let austen = RowDraft("Author", 1, ["name": "Austen"])
private let bronte = RowDraft("Author", 2, ["name": "Brontë"])
private let emma = RowDraft("Novel", 1, book("Emma", "1"), to: ["author": austen])
private let dune = RowDraft("Book", 2, book("Dune", "2"))

private func book(_ title: String, _ isbn: String?) -> [String: Value] {
  ["title": .string(title), "isbn": isbn.value, "copies": 1, "isRead": false]
}

extension PersistentStore {
  /// Executes and commits in one step.
  fileprivate func keep(_ changes: ChangeSet, _ durability: Durability) throws(StoreError) {
    if let failure = try execute(changes, committing: durability) { throw failure }
  }
}

extension StoreCheck {
  static let changing = [
    StoreCheck(1, "a refused change set leaves nothing behind") { store in
      try store.execute(ChangeSet(inserting: [austen, emma]))
      let stale = bronte.changed(["name": "Other"])
      #expect(
        store.refusal(
          ChangeSet(
            inserting: [dune], updating: [austen.changed(["name": "Changed"]), stale],
            deleting: [emma], links: [LinkChange(austen, "favourites", adding: [emma])])) != nil)
      #expect(try store.found("Book") == [1])
      #expect(try store.value("name", of: austen) == "Austen")
      #expect(try store.linked("favourites", of: austen) == [])
    },
    StoreCheck(1, "a change set that breaks a constraint leaves nothing behind") { store in
      try store.execute(ChangeSet(inserting: [dune]))
      let twin = RowDraft("Book", 3, book("Twin", "2"))
      #expect(store.refusal(ChangeSet(inserting: [austen, twin])) != nil)
      #expect(try store.found("Author") == [])
      #expect(try store.found("Book") == [2])
      try store.execute(ChangeSet(inserting: [austen]))
      #expect(try store.found("Author") == [1])
    },
    StoreCheck(2, "accepted changes are visible at once, and committed changes after the commit") {
      store in
      let links = [LinkChange(emma, "fans", adding: [austen])]
      try store.execute(ChangeSet(inserting: [austen, emma], links: links))
      #expect(try store.found("Book") == [1])
      #expect(try store.linked("fans", of: emma) == [1])
      #expect(try store.found("Book", in: .committed) == [])
      #expect(try store.row(austen, in: .committed) == nil)
      #expect(try store.linked("fans", of: emma, in: .committed) == [])
      try store.commit(.eventual)
      #expect(try store.found("Book", in: .committed) == [1])
      #expect(try store.linked("fans", of: emma, in: .committed) == [1])
      try store.execute(
        ChangeSet(updating: [austen.changed(["name": "Jane"])], deleting: [emma]))
      #expect(try store.value("name", of: austen) == "Jane")
      #expect(try store.value("name", of: austen, in: .committed) == "Austen")
      #expect(try store.found("Book", in: .committed) == [1])
      #expect(
        try store.count(StoreFetch(SampleLibrary.shape("Book")), in: .accepted) == 0)
    },
  ]

  static let committing = [
    StoreCheck(3, "a change set is executed and committed in one step, with all that is accepted") {
      store in
      let links = [LinkChange(emma, "fans", adding: [austen])]
      let first = ChangeSet(inserting: [austen, emma], links: links)
      try store.keep(first, .immediate)
      #expect(try store.found("Book", in: .committed) == [1])
      #expect(try store.linked("fans", of: emma, in: .committed) == [1])
      try store.execute(ChangeSet(inserting: [bronte]))
      let jane = austen.changed(["name": "Jane"])
      try store.keep(ChangeSet(updating: [jane]), .eventual)
      #expect(try store.found("Author", in: .committed) == [1, 2])
      #expect(try store.value("name", of: austen, in: .committed) == "Jane")
      let many = (10..<40).map { RowDraft("Author", $0, ["name": "Many"]) }
      try store.keep(ChangeSet(inserting: many), .eventual)
      let changed = many.map { $0.changed(["name": "Changed"]) }
      try store.keep(ChangeSet(updating: changed), .immediate)
      try store.keep(ChangeSet(inserting: [dune], deleting: changed + [bronte]), .immediate)
      #expect(try store.found("Author", in: .committed) == [1])
      #expect(try store.damages() == [])
    },
    StoreCheck(1, "a change set that is refused in one step leaves nothing behind") { store in
      let all = ChangeSet(inserting: [austen, bronte, dune])
      try store.keep(all, .immediate)
      let jane = austen.changed(["name": "Jane"])
      try store.keep(ChangeSet(updating: [jane]), .immediate)
      let stale = austen.changed(["name": "J."])
      let refused = [
        ChangeSet(inserting: [emma], updating: [stale, bronte.changed(["name": "C."])]),
        ChangeSet(inserting: [emma], deleting: [austen]),
        ChangeSet(inserting: [emma, RowDraft("Book", 3, book("Twin", "2"))]),
      ]
      for (number, changes) in refused.enumerated() {
        do throws(StoreError) {
          let failure = try store.execute(changes, committing: .immediate)
          Issue.record("The change set was accepted: \(String(describing: failure))")
        } catch {
          switch (number, error.code) {
          case (0...1, .conflict(let ids)): #expect(ids.map(\.key) == [austen.key])
          case (2, .constraint(entity: "Book", properties: ["isbn"])): break
          default: Issue.record("The error is \(error).")
          }
        }
        #expect(try store.found("Book") == [2])
        #expect(try store.value("name", of: bronte) == "Brontë")
        #expect(try store.value("name", of: austen, in: .committed) == "Jane")
      }
      try store.keep(ChangeSet(inserting: [emma]), .immediate)
      #expect(try store.found("Book", in: .committed).sorted() == [1, 2])
    },
  ]

  static let following = [
    StoreCheck(13, "the second argument of execute decides whether the changes stay") { store in
      guard let store = store as? any RevocableStore else { return }
      try store.execute(ChangeSet(inserting: [bronte]))
      let links = [LinkChange(emma, "fans", adding: [austen])]
      let many = ChangeSet(
        inserting: [austen, emma], updating: [bronte.changed(["name": "C."])], links: links)
      for changes in [many, ChangeSet(inserting: [austen])] {
        #expect(
          refusal(store, changes) { () throws(StoreError) in throw StoreError(.full, "No.") }
            == .full)
        #expect(try store.found("Author") == [2])
        #expect(try store.found("Book") == [])
        #expect(try store.value("name", of: bronte) == "Brontë")
      }
      let wasCalled = Guarded(false)
      #expect(
        refusal(store, ChangeSet(updating: [austen.changed(["name": "A"])])) {
          () throws(StoreError) in wasCalled.withLock { $0 = true }
        } != nil)
      #expect(!wasCalled.withLock { $0 })
      #expect(
        refusal(store, many) { () throws(StoreError) in wasCalled.withLock { $0 = true } } == nil)
      #expect(wasCalled.withLock { $0 })
      #expect(try store.found("Author") == [1, 2])
      #expect(try store.linked("fans", of: emma) == [1])
      try store.commit(.eventual)
      #expect(
        refusal(store, ChangeSet(deleting: [emma])) { () throws(StoreError) in
          throw StoreError(.full, "No.")
        } == .full)
      #expect(try store.found("Book", in: .committed) == [1])
      #expect(try store.linked("fans", of: emma) == [1])
      #expect(try store.damages() == [])
    }
  ]

  private static func refusal(
    _ store: any RevocableStore, _ changes: ChangeSet, then confirm: () throws(StoreError) -> Void
  ) -> StoreError.Code? {
    do throws(StoreError) {
      try store.execute(changes, then: confirm)
      return nil
    } catch {
      return error.code
    }
  }

  static let keeping = [
    StoreCheck(3, "a store that is opened again has all committed rows") { store, subject in
      guard let reopen = subject.reopen else { return }
      try store.execute(store.libraryRows(seed: 3))
      try store.commit(.immediate)
      let before = try store.rows(StoreFetch(SampleLibrary.shape("Book")), in: .committed)
      let again = try reopen(store)
      let after = try again.rows(StoreFetch(SampleLibrary.shape("Book")), in: .committed)
      #expect(before.flatMap(\.contents) == after.flatMap(\.contents))
      #expect(again.identifier == store.identifier)
      #expect(try again.damages() == [])
      try again.close()
    },
    StoreCheck(4, "a failed commit keeps the accepted changes, and can be tried again") {
      store, subject in
      guard let failNextCommit = subject.failNextCommit else { return }
      try store.execute(ChangeSet(inserting: [austen]))
      try failNextCommit(store)
      #expect(throws: StoreError.self) { try store.commit(.immediate) }
      #expect(try store.found("Author") == [1])
      #expect(try store.found("Author", in: .committed) == [])
      try store.commit(.immediate)
      #expect(try store.found("Author", in: .committed) == [1])
    },
    StoreCheck(
      4, "a store names withdrawn changes and changes that build on them, and commits the others"
    ) {
      store in
      guard let store = store as? any RevocableStore else { return }
      let wells = RowDraft("Author", 2, ["name": "Wells"])
      let first = ChangeSet(inserting: [austen])
      let third = ChangeSet(deleted: [DeletedRow(key: austen.key, version: 1)])
      for changes in [first, ChangeSet(inserting: [wells]), third] { try store.execute(changes) }
      try store.withdraw([first])
      #expect(try store.found("Author") == [2])
      let refusal = #expect(throws: StoreError.self) { try store.commit(.eventual) }
      guard case .conflict? = refusal?.code else {
        Issue.record("A commit that leaves something out must say so.")
        return
      }
      #expect(try store.found("Author", in: .committed) == [])
      let losses = try store.restoreAccepted()
      #expect(losses.map { $0.changes === first || $0.changes === third } == [true, true])
      #expect(try store.restoreAccepted().isEmpty)
      try store.commit(.eventual)
      #expect(try store.found("Author", in: .committed) == [2])
      // A store cannot withdraw committed changes.
      try store.withdraw([first])
      #expect(try store.restoreAccepted().isEmpty)
    },
    StoreCheck(7, "reserved keys are new in every tree, whether earlier keys are in use or not") {
      store, subject in
      let author = SampleLibrary.shape("Author")
      try store.execute(ChangeSet(inserting: [RowDraft("Author", 40, ["name": "A"])]))
      let first = try store.reserveKeys(3, for: author)
      let second = try store.reserveKeys(2, for: author)
      #expect(first.count == 3)
      #expect(second.count == 2)
      #expect(first.lowerBound > 40)
      #expect(!first.overlaps(second))
      let books = try store.reserveKeys(2, for: SampleLibrary.shape("Book"))
      let novels = try store.reserveKeys(2, for: SampleLibrary.shape("Novel"))
      #expect(!books.overlaps(novels))
      #expect(books.lowerBound > 0)
      try store.commit(.eventual)
      if let again = try subject.reopen?(store) {
        let third = try again.reserveKeys(1, for: author)
        #expect(!third.overlaps(first))
        #expect(!third.overlaps(second))
        #expect(third.lowerBound > 40)
        try again.close()
      }
    },
  ]

  static let guarding = [
    StoreCheck(5, "a stale update is a conflict that names the object") { store in
      try store.execute(ChangeSet(inserting: [austen, bronte]))
      try store.execute(ChangeSet(updating: [austen.changed(["name": "Jane"])]))
      let refusal = store.refusal(
        ChangeSet(updating: [austen.changed(["name": "J."]), bronte.changed(["name": "C."])]))
      guard case .conflict(let ids) = refusal else {
        Issue.record("The store reported no conflict, but \(String(describing: refusal))")
        return
      }
      #expect(ids.map(\.key) == [austen.key])
      #expect(ids.first?.scope.identifier == store.identifier)
      #expect(try store.value("name", of: bronte) == "Brontë")
    },
    StoreCheck(
      5, "stale deletes and updates of deleted rows are conflicts, and the error names all of them"
    ) { store in
      try store.execute(ChangeSet(inserting: [austen, bronte]))
      let jane = austen.changed(["name": "Jane"])
      try store.execute(ChangeSet(updating: [jane], deleting: [bronte]))
      guard
        case .conflict(let ids) = store.refusal(
          ChangeSet(updating: [bronte.changed(["name": "C."])], deleting: [austen]))
      else {
        Issue.record("The store reported no conflict.")
        return
      }
      #expect(Set(ids.map(\.key)) == [austen.key, bronte.key])
      try store.execute(ChangeSet(deleting: [jane]))
      #expect(try store.found("Author") == [])
    },
    StoreCheck(5, "expected rows are compared, and not written") { store in
      try store.execute(ChangeSet(inserting: [austen, bronte, dune]))
      try store.commit(.eventual)
      func expecting(_ drafts: [RowDraft], _ updated: [RowDraft] = []) -> ChangeSet {
        ChangeSet(
          updated: ChangeSet(updating: updated).updated,
          expected: drafts.map { RowVersion(key: $0.key, version: $0.version) })
      }
      #expect(store.refusal(expecting([austen, dune])) == nil)
      let jane = austen.changed(["name": "Jane"])
      try store.execute(expecting([bronte], [jane]))
      guard
        case .conflict(let ids) = store.refusal(
          expecting([austen, bronte], [dune.changed(["title": "D"])]))
      else {
        Issue.record("The store reported no conflict.")
        return
      }
      #expect(ids.map(\.key) == [austen.key])
      #expect(try store.value("title", of: dune) == "Dune")
      try store.commit(.eventual)
      try store.execute(ChangeSet(deleting: [bronte]))
      #expect(store.refusal(expecting([jane])) == nil)
      #expect(store.refusal(expecting([bronte])) != nil)
      #expect(try store.value("name", of: jane) == "Jane")
      #expect(try store.row(jane)?.page.version(0) == 2)
    },
    StoreCheck(6, "two rows with equal unique values are refused, also in subentities") { store in
      try store.execute(ChangeSet(inserting: [austen, emma, dune]))
      let twin = RowDraft("Comic", 9, book("Twin", "1"))
      #expect(
        store.refusal(ChangeSet(inserting: [twin]))
          == .constraint(entity: "Book", properties: ["isbn"]))
      #expect(
        store.refusal(ChangeSet(updating: [dune.changed(["isbn": "1"])]))
          == .constraint(entity: "Book", properties: ["isbn"]))
      let nameless = (10...11).map { RowDraft("Book", $0, book("No ISBN", nil)) }
      try store.execute(ChangeSet(inserting: nameless))
      #expect(try store.found("Book").count == 4)
    },
    StoreCheck(6, "rows may exchange a unique value, or pass it on") { store in
      try store.execute(ChangeSet(inserting: [austen, emma, dune]))
      let (first, second) = (emma.changed(["isbn": "2"]), dune.changed(["isbn": "1"]))
      try store.execute(ChangeSet(updating: [first, second]))
      #expect(try store.value("isbn", of: emma) == "2")
      #expect(try store.value("isbn", of: dune) == "1")
      let heir = RowDraft("Book", 3, book("Heir", "2"))
      try store.execute(ChangeSet(inserting: [heir], deleting: [first]))
      #expect(try store.value("isbn", of: heir) == "2")
      let last = RowDraft("Book", 4, book("Last", "1"))
      try store.execute(
        ChangeSet(inserting: [last], updating: [second.changed(["isbn": "7"])]))
      #expect(try store.value("isbn", of: last) == "1")
    },
    StoreCheck(5, "only one of several concurrent writers wins a version") { store in
      try store.execute(ChangeSet(inserting: [austen]))
      let won = Guarded(0)
      let threads = (0..<4).map { number in
        startThread {
          let change = austen.changed(["name": .string("writer \(number)")])
          if store.refusal(ChangeSet(updating: [change])) == nil { won.withLock { $0 += 1 } }
        }
      }
      for thread in threads { thread.wait() }
      #expect(won.withLock(\.self) == 1)
    },
  ]
}
