// SPDX-License-Identifier: MIT
import SporadesModel
import SporadesStore
import SporadesTesting
import Testing

@Suite struct MemoryStoreTests {
  // Rows in memory end with the process, so the suite cannot open the store again.
  // snippet: store-conformance
  @Test(arguments: StoreCheck.all)
  func conforms(to check: StoreCheck) throws {
    try check.run(StoreUnderTest { MemoryStore(model: $0) })
  }
  // snippet end

  @Test(arguments: StoreCheck.all)
  func aHistoryConforms(to check: StoreCheck) throws {
    try check.run(StoreUnderTest { MemoryStore(model: $0, keepsHistory: true) })
  }

  @Test func everyRuleHasACheck() {
    #expect(Set(StoreCheck.all.map(\.rule)) == Set(1...19))
  }

  /// The store refuses the change after the loss, until it has reported the loss.
  @Test func aChangeThatBuildsOnAnUnreportedLossIsRefused() throws {
    let store = MemoryStore(model: SampleLibrary.model)
    func author(_ name: String) -> RowDraft {
      RowDraft("Author", 1, ["name": .string(name)])
    }
    let lost = ChangeSet(inserting: [author("a")])
    try store.execute(lost)
    try store.withdraw([lost])
    let refusal = #expect(throws: StoreError.self) {
      try store.execute(ChangeSet(inserting: [author("b")]))
    }
    guard case .conflict? = refusal?.code else {
      Issue.record("The change builds on a lost one: \(refusal as Any)")
      return
    }
    #expect(try store.restoreAccepted().count == 1)
    try store.execute(ChangeSet(inserting: [author("b")]))
    try store.commit(.eventual)
  }

  /// A later run without failures completes the import that a failure at any call interrupted, and repeats
  /// nothing.
  @Test(arguments: FaultyStore.Moment.allCases)
  func anImportSurvivesAFailureAtAnyCall(moment: FaultyStore.Moment) throws {
    var ordinal = 0
    var faulty: FaultyStore
    repeat {
      ordinal += 1
      let base = MemoryStore(model: SampleLibrary.model)
      faulty = FaultyStore(base, failingCall: ordinal, moment)
      try? importAuthors(into: faulty)
      try importAuthors(into: base)
      let fetch = StoreFetch(SampleLibrary.shape("Author"))
      #expect(try base.count(fetch, in: .committed) == 3, "call \(ordinal)")
    } while faulty.hasFailed
    #expect(ordinal == 14)
  }

  private func importAuthors(into store: some PersistentStore) throws {
    let author = SampleLibrary.shape("Author")
    for name in ["a", "b", "c"] {
      let fetch = StoreFetch(author, where: .equals("name", name))
      guard try store.count(fetch, in: .accepted) == 0 else { continue }
      let key = try store.reserveKeys(1, for: author).lowerBound
      let draft = RowDraft("Author", key, ["name": .string(name)])
      try store.execute(ChangeSet(inserting: [draft]))
      try store.commit(.eventual)
    }
    try store.commit(.immediate)
  }
}
