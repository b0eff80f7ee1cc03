// SPDX-License-Identifier: MIT
import Foundation
import Sporades
import SporadesHistory
import SporadesIndexing
import Testing

/// Starts, stops, errors and pauses, refusals, and work on demand.
@Suite struct RunningTests {
  let library: Library
  let service: DALService
  let index = MemoryIndex()
  let pauses = Log<Duration>()

  init() throws {
    library = try Library()
    service = try library.open()
  }

  private func makeDelegate(
    _ entities: [IndexedEntity] = ["Article"], service other: DALService? = nil,
    pause: (@Sendable (Duration) async throws -> Void)? = nil
  ) -> ArticleIndexing {
    ArticleIndexing(
      service: other ?? service, name: "search", index: index, entities: entities,
      options: IndexingOptions(
        batchSize: 3, shortestPause: .seconds(1), longestPause: .seconds(5),
        pause: pause ?? { [pauses] in pauses.add($0) }))
  }

  @Test func followsFromItsStartToItsStop() async throws {
    let indexing = makeDelegate()
    let updates = indexing.updates()
    try indexing.start()
    try indexing.start()
    #expect(indexing.isIndexing)
    try service.add("Bees")
    try await until { await index.titles == ["Bees"] }
    try service.add("Trains")
    try await until { await index.titles == ["Bees", "Trains"] }
    await indexing.stop()
    #expect(!indexing.isIndexing)
    let known = await index.batches.count
    try service.add("Rain")
    #expect(await index.batches.count == known)
    try indexing.start()
    try await until { await index.titles == ["Bees", "Rain", "Trains"] }
    await indexing.stop()
    var counts = 0
    for await update in updates {
      counts += update.itemCount
      if update.place.transactionNumber == 3 { break }
    }
    #expect(counts == 3)
    #expect(indexing.errors.entries == [])
    #expect(try service.historyReaders().map(\.number) == [3])
  }

  @Test func anIndexThatLostItsPlaceIsFilledAtTheNextStart() async throws {
    let indexing = makeDelegate()
    try service.add("Bees")
    try indexing.start()
    try await until { await index.titles == ["Bees"] }
    await indexing.stop()
    try await index.removeAll()
    try service.add("Trains")
    try indexing.start()
    try await until { await index.titles == ["Bees", "Trains"] }
    await indexing.stop()
    #expect(indexing.errors.entries == [])
  }

  @Test func oneDelegateFollowsByEachName() async throws {
    let indexing = makeDelegate()
    let other = makeDelegate()
    try indexing.start()
    #expect(throws: DALError.self) { try other.start() }
    #expect(!other.isIndexing)
    await indexing.stop()
    try other.start()
    #expect(other.isIndexing)
    #expect(throws: DALError.self) { try indexing.start() }
    await other.stop()
  }

  @Test func followsAnotherProcessesConnection() async throws {
    let other = try library.open()
    let indexing = makeDelegate()
    try indexing.start()
    try other.writeSync(durability: .immediate) { Article.create(in: $0).title = "Bees" }.get()
    try await until { await index.titles == ["Bees"] }
    await indexing.stop()
    try other.close()
  }

  @Test func keepsCleaningsFromWhatIsNotInTheIndex() async throws {
    let indexing = makeDelegate()
    try service.add("Bees")
    try await indexing.catchUp()
    try service.add("Trains")
    try service.add("Rain")
    #expect(try service.cleanHistory() == 1)
    try await indexing.catchUp()
    #expect(await index.titles == ["Bees", "Rain", "Trains"])
    #expect(await index.kept?.edition == 1)
    #expect(try service.cleanHistory() == 2)
    try await makeDelegate().catchUp()
    #expect(await index.kept?.edition == 1)
  }

  @Test func triesAgainAfterPausesThatGrow() async throws {
    let indexing = makeDelegate()
    try service.add("Bees")
    await index.fail([.before, .after, .before, .before, .after])
    try indexing.start()
    try await until { await index.complete == [1, 1] }
    await indexing.stop()
    #expect(indexing.errors.entries == ["before", "after", "before", "before", "after"])
    let seconds = pauses.entries.map { $0 / .seconds(1) }
    #expect(seconds.first == 1 && seconds.count == 5 && seconds.allSatisfy { $0 <= 5 })
    // A batch that the index took goes well, so that the next pause is short again.
    #expect(seconds.contains(2))
  }

  @Test func stopsDuringAPause() async throws {
    let begun = Log<Bool>()
    let indexing = makeDelegate(pause: { _ in
      begun.add(true)
      try await Task.sleep(for: .seconds(3_600))
    })
    try service.add("Bees")
    await index.fail(.before)
    try indexing.start()
    try await until { !begun.entries.isEmpty }
    await indexing.stop()
    #expect(!indexing.isIndexing)
    try indexing.start()
    try await until { await index.titles == ["Bees"] }
    await indexing.stop()
  }

  @Test func aStopWaitsForTheBatch() async throws {
    let indexing = makeDelegate()
    try service.add("Bees")
    try await indexing.catchUp()
    try service.add("Trains")
    await index.holdNext()
    try indexing.start()
    try await until { await index.isHolding }
    let stopped = Log<Bool>()
    let stop = Task {
      await indexing.stop()
      stopped.add(true)
    }
    try await until { !indexing.isIndexing }
    #expect(stopped.entries.isEmpty)
    await index.letGo()
    await stop.value
    #expect(await index.titles == ["Bees", "Trains"])
    #expect(indexing.errors.entries == [])
  }

  @Test func endsWithItsService() async throws {
    let indexing = makeDelegate()
    try service.add("Bees")
    try indexing.start()
    try await until { await index.titles == ["Bees"] }
    try service.close()
    try await until { !indexing.isIndexing }
    #expect(indexing.errors.entries == [])
    #expect(throws: DALError.self) { try indexing.start() }
  }

  @Test func endsWithTheDelegate() async throws {
    weak var gone: ArticleIndexing?
    do {
      let indexing = makeDelegate()
      gone = indexing
      try service.add("Bees")
      try indexing.start()
      try await until { await index.titles == ["Bees"] }
    }
    try await until { gone == nil }
    try service.add("Trains")
    #expect(await index.titles == ["Bees"])
  }

  @Test func triesAnErrorOfTheProgramAgain() async throws {
    let indexing = Refusing(
      service: service, name: "refusing", index: index, entities: ["Article"],
      options: IndexingOptions(pause: { [pauses] in pauses.add($0) }))
    try service.add("Bees")
    try indexing.start()
    try await until { await index.titles == ["Bees"] }
    await indexing.stop()
    #expect(indexing.errors.entries == ["Refusal()"])
  }

  @Test func holdsTheObjectsOfOneBatchAtATime() async throws {
    let indexing = Measuring(
      service: service, name: "measured", index: index, entities: [Library.articles],
      options: IndexingOptions(batchSize: 10))
    try service.change { context in
      for number in 0..<500 {
        let article = Article.create(in: context)
        article.title = "Article \(number)"
        article.author = Author.create(in: context)
      }
    }
    try await indexing.catchUp()
    try service.change { for author in try Author.all(in: $0) { author.name = "Ann" } }
    try await indexing.catchUp()
    #expect(try await index.attributes == ArticleIndexing.expected(service))
    #expect(indexing.counts.entries.count == 1_000)
    // The articles of a batch, and their authors.
    #expect((indexing.counts.entries.max() ?? 0) <= 20)
  }

  // MARK: - On demand

  @Test func reindexesAllOnDemand() async throws {
    let indexing = makeDelegate()
    try service.add((0..<10).map { "Article \($0)" })
    try indexing.start()
    try await until { await index.complete == [10, 1] }
    await index.forgetBatches()
    await index.fail([nil, .before])
    // The running delegate goes on where the caller gets the error, or the other way round.
    do { try await indexing.reindexAll() } catch is MemoryIndex.Failure {}
    try await until { await index.complete == [10, 2] }
    #expect(await index.items.values.allSatisfy { $0.edition == 2 })
    #expect(await index.batches.flatMap(\.items).count >= 10)
    await indexing.stop()
  }

  @Test func reindexesItemsOnDemand() async throws {
    let indexing = makeDelegate()
    let ids = try service.add((0..<8).map { "Article \($0)" })
    try await indexing.catchUp()
    await index.forgetBatches()
    let gone = ["x-coredata://ELSEWHERE/Article/p1", "no identifier", "", ids[0] + "999"]
    try await indexing.reindex(identifiers: Array(ids.prefix(5)) + gone + ids.prefix(2))
    let batches = await index.batches
    #expect(batches.flatMap(\.removals).sorted() == gone.sorted())
    #expect(Set(batches.flatMap(\.items).map(\.identifier)) == Set(ids.prefix(5)))
    #expect(batches.allSatisfy { $0.items.count + $0.removals.count <= 3 })
    #expect(await index.items.count == 8)
  }

  @Test func deletesTheIndex() async throws {
    let indexing = makeDelegate()
    try service.add("Bees")
    try indexing.start()
    try await until { await index.titles == ["Bees"] }
    try await indexing.deleteIndex()
    #expect(await index.items.isEmpty)
    #expect(!indexing.isIndexing)
    #expect(try service.historyReaders().isEmpty)
    try await indexing.catchUp()
    #expect(await index.titles == ["Bees"])
  }

  // MARK: - Refusals

  private func refusal(_ indexing: ArticleIndexing) -> String {
    do {
      try indexing.start()
      return "started"
    } catch { return "\(error)" }
  }

  @Test func refusesWhatItCannotFollow() async throws {
    let silent = try library.open("silent.sqlite", history: false)
    #expect(refusal(makeDelegate(service: silent)).contains("persistentHistory = .on"))
    #expect(refusal(makeDelegate(["Artikel"])).contains("Artikel"))
    #expect(refusal(makeDelegate([])).contains("no entity"))
    for path in ["author.nme", "title", "", "author..name", "nobody.name"] {
      let text = refusal(makeDelegate([IndexedEntity("Article", following: [path])]))
      #expect(text != "started", "\(path)")
    }
    await #expect(throws: DALError.self) { try await makeDelegate(service: silent).catchUp() }
    try silent.close()
    #expect(refusal(makeDelegate(service: silent)).contains("closed"))
    #expect(await index.emptied == 0)
  }
}
