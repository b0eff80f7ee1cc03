// SPDX-License-Identifier: MIT
import FoundationEssentials
import SporadesModel
import SporadesStore
import Testing

private let author = RowDraft("Author", 1, ["name": "a"])
private let fan = RowDraft("Author", 2, ["name": "fan"])
private let authors = StoreFetch(SampleLibrary.shape("Author"))

extension StoreCheck {
  /// Rule 18, which concerns stores that keep intents.
  static let sharing = [
    StoreCheck(18, "notes are kept with the accepted changes, and without any") { store, subject in
      guard let keeper = store.keeper else { return }
      try store.execute(ChangeSet(inserting: [author]))
      try keeper.commit(.immediate, noting: notes(intents: [intent("1", "B"), intent("1", "C")]))
      #expect(try keeper.intents() == [intent("1", "B"), intent("1", "C")])
      try keeper.commit(.eventual, noting: notes(intents: [intent("2", "B")], finished: ["9"]))
      #expect(try keeper.intents().map(\.commit) == ["1", "1", "2"])
      #expect(try keeper.hasFinished("9") && !keeper.hasFinished("1"))
      try keeper.syncCommits(ofOthers: true)
      guard let reopen = subject.reopen, let again = try reopen(store).keeper else { return }
      #expect(try again.intents().count == 3)
      #expect(try again.hasFinished("9"))
      #expect(try again.keys(authors, in: .committed) == [author.key])
      try again.close()
    },
    StoreCheck(18, "intents replace those of the same commit, and are removed by its name") {
      store in
      guard let keeper = store.keeper else { return }
      try keeper.commit(.eventual, noting: notes(intents: [intent("1", "B"), intent("1", "C")]))
      try keeper.commit(.eventual, noting: notes(intents: [intent("1", "C")]))
      #expect(try keeper.intents() == [intent("1", "C")])
      var rest = notes(finished: ["7"])
      rest.settled = ["1", "unknown"]
      try keeper.commit(.eventual, noting: rest)
      #expect(try keeper.intents() == [])
      var end = CommitNotes()
      end.forgotten = ["7", "unknown"]
      try keeper.commit(.eventual, noting: end)
      #expect(try !keeper.hasFinished("7"))
    },
    StoreCheck(18, "a part of many bytes is kept whole") { store in
      guard let keeper = store.keeper else { return }
      let bytes = (0..<3_000_001).map { UInt8(truncatingIfNeeded: $0 &* 31 >> 3) }
      let large = CommitIntent(
        commit: "1", store: "B", madeAt: Date(timeIntervalSinceReferenceDate: 0), changes: bytes)
      try keeper.commit(.eventual, noting: notes(intents: [large, intent("1", "C")]))
      #expect(try keeper.intents() == [large, intent("1", "C")])
    },
    StoreCheck(18, "a part is executed once, and only as a whole") { store in
      guard let keeper = store.keeper else { return }
      let stale = author.changed(["name": "b"]).changed(["name": "c"])
      let impossible = [ChangeSet(inserting: [author]), ChangeSet(updating: [stale])]
      #expect(throws: StoreError.self) { try keeper.finish("1", by: impossible) }
      #expect(try store.keys(authors, in: .accepted) == [])
      #expect(try !keeper.hasFinished("1"))
      let parts = [
        ChangeSet(inserting: [author]), ChangeSet(updating: [author.changed(["name": "b"])]),
      ]
      let isNew = try keeper.finish("1", by: parts)
      #expect(isNew)
      #expect(try keeper.hasFinished("1"))
      #expect(try !keeper.finish("1", by: [ChangeSet(inserting: [fan])]))
      #expect(try store.keys(authors, in: .committed) == [author.key])
      #expect(try store.value("name", of: author) == .string("b"))
      #expect(try store.reserveKeys(1, for: author.shape).lowerBound > 1)
    },
  ]

  private static func intent(_ commit: String, _ store: String) -> CommitIntent {
    CommitIntent(
      commit: commit, store: store, madeAt: Date(timeIntervalSinceReferenceDate: 12.5),
      changes: [1, 2, 3])
  }

  private static func notes(
    intents: [CommitIntent] = [], finished: [String] = []
  ) -> CommitNotes {
    var notes = CommitNotes()
    (notes.intents, notes.finished) = (intents, finished)
    return notes
  }
}

extension PersistentStore {
  fileprivate var keeper: (any IntentKeepingStore)? {
    guard let keeper = self as? any IntentKeepingStore, keeper.keepsIntents else { return nil }
    return keeper
  }
}
