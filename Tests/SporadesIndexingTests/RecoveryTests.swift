// SPDX-License-Identifier: MIT
import Foundation
import Sporades
import SporadesHistory
import SporadesIndexing
import Testing

/// Places that do not fit the store, failures at each step, and re-indexings that are cut short.
@Suite struct RecoveryTests {
  let library: Library
  let index = MemoryIndex()

  init() throws { library = try Library() }

  private func delegate(
    _ service: DALService, _ entities: [IndexedEntity] = ["Article"], batchSize: Int = 3
  ) -> ArticleIndexing {
    ArticleIndexing(
      service: service, name: "search", index: index, entities: entities,
      options: IndexingOptions(batchSize: batchSize))
  }

  private func compare(
    _ service: DALService, _ location: SourceLocation = #_sourceLocation
  ) async throws {
    #expect(
      try await index.attributes == ArticleIndexing.expected(service), sourceLocation: location)
    #expect(
      try await index.kept?.transactionNumber == service.last(), sourceLocation: location)
    #expect(await index.kept?.isReindexing == false, sourceLocation: location)
  }

  private var wasRefilled: Bool {
    get async { await index.batches.contains { $0.removesEditionsBefore != nil } }
  }

  /// Lets `change` work on a store whose index is complete, and expects that the index is filled anew, or follows.
  private func expectRefill(
    _ refills: Bool, _ change: (DALService) async throws -> DALService
  ) async throws {
    let service = try library.open()
    try service.add("Bees", "Trains", "Rain", "Songs")
    try await delegate(service).catchUp()
    await index.forgetBatches()
    let next = try await change(service)
    try await delegate(next).catchUp()
    #expect(await wasRefilled == refills)
    try await compare(next)
    try next.close()
  }

  @Test func goesOnBehindThePlace() async throws {
    try await expectRefill(false) { service in
      try service.close()
      let next = try library.open()
      try next.add("Bread")
      return next
    }
    #expect(await index.emptied == 1)
    #expect(await index.batches.flatMap(\.items).map(\.attributes.title) == ["Bread"])
  }

  @Test func fillsAnIndexAnewThatLostItsPlace() async throws {
    try await expectRefill(true) { service in
      await index.losePlace()
      try service.change { try Article.first(in: $0).map($0.delete) }
      return service
    }
    #expect(await index.emptied == 2)
  }

  @Test func fillsTheIndexAnewBehindAShortenedHistory() async throws {
    try await expectRefill(true) { service in
      for title in ["Bread", "Letters"] { try service.add(title) }
      try service.change { try Article.first(in: $0).map($0.delete) }
      _ = service.flush()
      try service.cleanHistory(keeping: HistoryRetention(largestCount: 1))
      return service
    }
    // The index stays usable meanwhile.
    #expect(await index.emptied == 1)
    #expect(await index.kept?.edition == 2)
  }

  @Test func fillsTheIndexAnewWhenACleaningOvertakesIt() async throws {
    let service = try library.open()
    try service.add("Bees", "Trains", "Rain", "Songs")
    let indexing = delegate(service)
    try await indexing.catchUp()
    for title in ["Bread", "Letters"] { try service.add(title) }
    _ = service.flush()
    try service.cleanHistory(keeping: HistoryRetention(largestCount: 1))
    try await indexing.catchUp()
    try await compare(service)
    #expect(await index.kept?.edition == 2)
    #expect(indexing.errors.entries == [])
  }

  @Test func fillsTheIndexAnewFromAnotherStore() async throws {
    try await expectRefill(true) { service in
      try service.close()
      let next = try library.open("other.sqlite")
      for number in 0..<9 { try next.add("Other \(number)") }
      return next
    }
  }

  @Test func fillsTheIndexAnewFromAnOlderCopy() async throws {
    try await expectRefill(true) { service in
      let copy = library.folder.appendingPathComponent("copy.sqlite")
      try await service.copy(to: copy)
      try service.add("Lost")
      try await delegate(service).catchUp()
      try service.close()
      await index.forgetBatches()
      return try library.open("copy.sqlite")
    }
    #expect(await !index.titles.contains("Lost"))
  }

  @Test func fillsTheIndexAnewFromAnOlderCopyThatHasGoneOn() async throws {
    try await expectRefill(true) { service in
      let copy = library.folder.appendingPathComponent("copy.sqlite")
      try await service.copy(to: copy)
      try service.add("Lost")
      try await delegate(service).catchUp()
      try service.close()
      await index.forgetBatches()
      let next = try library.open("copy.sqlite")
      for number in 0..<5 { try next.add("Won \(number)") }
      return next
    }
    #expect(await !index.titles.contains("Lost"))
  }

  @Test func goesOnFromAnOlderIndex() async throws {
    try await expectRefill(false) { service in
      let place = await index.kept
      try service.add("Bread")
      try await delegate(service).catchUp()
      await index.forgetBatches()
      await index.goBack(to: place)
      return service
    }
    #expect(await index.batches.flatMap(\.items).count == 1)
  }

  @Test func fillsTheIndexAnewForOtherEntitiesAndVersions() async throws {
    let service = try library.open()
    try service.add("Bees")
    try await delegate(service).catchUp()
    await index.forgetBatches()
    try await delegate(service, ["Article", "Author"]).catchUp()
    #expect(await index.batches.contains { $0.removesEditionsBefore == 2 })
    await index.forgetBatches()
    let newer = Newer(
      service: service, name: "search", index: index, entities: ["Article", "Author"])
    try await newer.catchUp()
    #expect(await index.batches.contains { $0.removesEditionsBefore == 3 })
    try await compare(service)
  }

  @Test func goesOnInsideOfATransactionWithEachChangeOnce() async throws {
    let service = try library.open()
    try await delegate(service).catchUp()
    try service.add((0..<20).map { "Article \($0)" })
    await index.forgetBatches()
    for _ in 0..<6 {
      // A new delegate knows nothing but the index's place, as after a kill. It dies after its first batch.
      await index.fail(.after)
      await #expect(throws: MemoryIndex.Failure.self) { try await delegate(service).catchUp() }
    }
    try await delegate(service).catchUp()
    try await compare(service)
    let items = await index.batches.flatMap(\.items)
    #expect(items.count == 20 && Set(items.map(\.identifier)).count == 20)
  }

  @Test func getsItemsAgainWhereTheIndexKeepsNoPlace() async throws {
    let service = try library.open()
    try service.add((0..<10).map { "Article \($0)" })
    await index.keepNoPlace()
    for _ in 0..<2 {
      try await delegate(service).catchUp()
      #expect(try await index.attributes == ArticleIndexing.expected(service))
    }
    #expect(await index.emptied == 2)
  }

  /// The failure walks through each call of the index, before and after it has taken the batch.
  @Test(arguments: [MemoryIndex.Moment.before, .after])
  func survivesAFailureAtAnyBatch(_ moment: MemoryIndex.Moment) async throws {
    let service = try library.open()
    try service.add((0..<10).map { "Article \($0)" })
    var (failed, round) = (true, 0)
    while failed {
      failed = false
      await index.losePlace()
      await index.fail(Array(repeating: nil, count: round) + [moment])
      for attempt in 0..<3 {
        do {
          try await delegate(service).catchUp()
        } catch is MemoryIndex.Failure {
          failed = true
          // Changes while nobody follows.
          try service.change { context in
            try Article.first(where: \.title == "Article \(attempt)", in: context)
              .map(context.delete)
            Article.create(in: context).title = "Round \(round)"
          }
        }
      }
      try await compare(service)
      round += 1
      await index.stopFailing()
    }
    #expect(round > 4)
  }

  @Test func goesOnWithAReindexingThatWasCutShort() async throws {
    let service = try library.open()
    try service.add((0..<10).map { "Article \($0)" })
    await index.fail([nil, nil, .after])
    await #expect(throws: MemoryIndex.Failure.self) { try await delegate(service).catchUp() }
    #expect(await index.kept?.isReindexing == true)
    #expect(await index.items.count == 6)
    try service.change { try Article.first(where: \.title == "Article 1", in: $0).map($0.delete) }
    try service.add("New")
    await index.forgetBatches()
    try await delegate(service).catchUp()
    try await compare(service)
    #expect(await index.emptied == 1)
    // Those that were in the index before are not read again.
    #expect(await Set(index.batches.flatMap(\.items).map(\.identifier)).count == 5)
  }

  /// A write that is accepted may still be lost, and the index must not show it.
  @Test func getsWhatIsCommittedOnly() async throws {
    let (service, other) = (try library.open(), try library.open())
    let checking = CheckingIndex(store: other)
    let indexing = ArticleIndexing(
      service: service, name: "search", index: checking, entities: ["Article"])
    let ids = try service.add("Bees")
    try await indexing.catchUp()
    for number in 0..<100 {
      try service.change { try Article.first(in: $0)?.title = "Bees \(number)" }
      try await indexing.reindex(identifiers: ids)
    }
    #expect(await checking.early == [])
    #expect(await checking.count >= 101)
  }

  @Test func readsAPlaceThatNobodyMade() async throws {
    let service = try library.open()
    try service.add("Bees")
    try await delegate(service).catchUp()
    let place = try #require(await index.kept)
    let text = String(decoding: try JSONEncoder().encode(place), as: UTF8.self)
    #expect(try JSONDecoder().decode(IndexPlace.self, from: Data(text.utf8)) == place)
    for (old, new) in [
      (#""changesOfNext":0"#, #""changesOfNext":-1"#),
      (#""changesOfNext":0"#, #""changesOfNext":9223372036854775807"#),
      (#""edition":1"#, #""edition":9223372036854775807"#),
      (#""edition":1"#, #""edition":-9223372036854775808"#),
      (#""transactionNumber":1"#, #""transactionNumber":-9223372036854775808"#),
      (#""transactionNumber":1"#, #""transactionNumber":9223372036854775807"#),
      (#""edition":1"#, #""edition":1,"cursor":{"entity":"Label","key":3}"#),
      (#""edition":1"#, #""edition":1,"cursor":{"entity":"Article","key":-3}"#),
    ] {
      let changed = text.replacingOccurrences(of: old, with: new)
      #expect(changed != text, "\(old)")
      await index.goBack(to: try JSONDecoder().decode(IndexPlace.self, from: Data(changed.utf8)))
      try service.add("\(new)")
      try await delegate(service).catchUp()
      try await compare(service)
    }
  }
}

/// An index that looks, by another connection, whether its items are committed.
private actor CheckingIndex: OutsideIndex {
  private let store: DALService
  private var kept: IndexPlace?
  private(set) var count = 0
  /// The titles that were not committed.
  private(set) var early: [String?] = []

  init(store: DALService) { self.store = store }

  func place() async throws -> IndexPlace? { kept }
  func removeAll() async throws { kept = nil }

  func apply(_ batch: IndexBatch) async throws {
    let titles = try await store.read { try Article.all(in: $0).map(\.title) }
    for title in batch.items.map(\.attributes.title) where !titles.contains(title ?? "") {
      early.append(title)
    }
    count += batch.items.count
    kept = batch.place
  }
}
