// SPDX-License-Identifier: MIT
import Foundation
import Sporades
import SporadesHistory
import SporadesIndexing
import Testing

/// An index follows inserts, updates and deletes, and the objects that its attributes come from.
@Suite struct FollowingTests {
  let library: Library
  let service: DALService
  let index = MemoryIndex()
  let indexing: ArticleIndexing

  init() throws {
    library = try Library()
    service = try library.open()
    indexing = ArticleIndexing(
      service: service, name: "search", index: index, entities: [Library.articles])
  }

  private func article(_ title: String, _ context: ManagedObjectContext) throws -> Article {
    try #require(try Article.first(where: \.title == title, in: context))
  }

  /// Brings the index up to date, and compares it with the store.
  private func compare(_ location: SourceLocation = #_sourceLocation) async throws {
    try await indexing.catchUp()
    let expected = try ArticleIndexing.expected(service)
    #expect(await index.attributes == expected, sourceLocation: location)
    #expect(try await index.kept?.transactionNumber == service.last(), sourceLocation: location)
  }

  @Test func followsInsertsUpdatesAndDeletes() async throws {
    try service.add("Bees", "Trains")
    try await compare()
    #expect(await index.titles == ["Bees", "Trains"])
    try service.add("Rain")
    try service.change { try article("Bees", $0).title = "Honey" }
    try service.change { $0.delete(try article("Trains", $0)) }
    try await compare()
    #expect(await index.titles == ["Honey", "Rain"])
    #expect(await index.emptied == 1)
  }

  @Test func removesWhatIsNotInTheIndexAnyMore() async throws {
    let ids = try service.add("Bees", "Trains")
    try await compare()
    try service.change { try article("Bees", $0).isPublic = false }
    try await compare()
    #expect(await index.batches.last?.removals == [ids[0]])
    #expect(await index.titles == ["Trains"])
    try service.change { try article("Bees", $0).isPublic = true }
    try await compare()
    #expect(await index.titles == ["Bees", "Trains"])
  }

  @Test func putsManyTransactionsIntoOneBatchWithEachObjectOnce() async throws {
    let ids = try service.add("Bees", "Trains")
    try await compare()
    await index.forgetBatches()
    for round in 0..<20 {
      try service.change { try article("Bees", $0).author = Author.create(in: $0) }
      try service.change { try article("Bees", $0).remarks.first?.text = "\(round)" }
    }
    try service.change { $0.delete(try article("Trains", $0)) }
    try service.add("Rain")
    try await compare()
    let batches = await index.batches
    #expect(batches.count == 1)
    #expect(batches.first?.removals == [ids[1]])
    #expect(
      batches.first?.items.map(\.attributes.title).sorted { $0 ?? "" < $1 ?? "" } == [
        "Bees", "Rain",
      ])
    #expect(try batches.first?.transactionNumber == service.last())
  }

  @Test func boundsBatchesInsideOfATransaction() async throws {
    let small = ArticleIndexing(
      service: service, name: "small", index: index, entities: ["Article"],
      options: IndexingOptions(batchSize: 7))
    try await small.catchUp()
    try service.add((0..<100).map { "Article \($0)" })
    await index.forgetBatches()
    try await small.catchUp()
    let batches = await index.batches
    #expect(batches.count == 15)
    #expect(batches.allSatisfy { $0.items.count <= 7 })
    #expect(Set(batches.flatMap(\.items).map(\.identifier)).count == 100)
    #expect(batches.flatMap(\.items).count == 100)
    #expect(try await index.attributes == ArticleIndexing.expected(service))
  }

  @Test func followsLinkedObjects() async throws {
    try service.change { context in
      let article = Article.create(in: context)
      article.title = "Bees"
      article.author = Author.create(in: context)
      article.author?.name = "Ann"
      article.author?.publisher = Publisher.create(in: context)
      article.author?.publisher?.name = "Hive"
      let other = Article.create(in: context)
      other.title = "Other"
    }
    try await compare()
    let steps: [@Sendable (ManagedObjectContext) throws -> Void] = [
      { try Author.first(in: $0)?.name = "Anna" },
      { try Publisher.first(in: $0)?.name = "Comb" },
      { context in
        let article = try #require(try Article.first(where: \.title == "Bees", in: context))
        for name in ["b", "a"] {
          let label = Label.create(in: context)
          label.name = name
          article.labels.insert(label)
        }
      },
      { try Label.first(where: \.name == "a", in: $0)?.name = "c" },
      { context in
        let remark = Remark.create(in: context)
        remark.text = "good"
        remark.article = try Article.first(where: \.title == "Bees", in: context)
      },
      { try Remark.first(in: $0)?.text = "very good" },
      { context in
        try Remark.first(in: context)?.article = try Article.first(
          where: \.title == "Other", in: context)
      },
      { context in try Remark.first(in: context).map { context.delete($0) } },
      { context in try Label.first(where: \.name == "b", in: context).map { context.delete($0) } },
      { context in try Publisher.first(in: context).map { context.delete($0) } },
      { context in try Author.first(in: context).map { context.delete($0) } },
    ]
    for (number, step) in steps.enumerated() {
      try service.change(step)
      try await indexing.catchUp()
      #expect(try await index.attributes == ArticleIndexing.expected(service), "step \(number)")
    }
    #expect(await index.items.count == 2)
  }

  @Test func leavesObjectsAloneWhoseLinkedObjectsChangeOtherwise() async throws {
    try service.change { context in
      Article.create(in: context).author = Author.create(in: context)
    }
    try await compare()
    await index.forgetBatches()
    try service.change { try Author.first(in: $0)?.shoeSize = 44 }
    try await compare()
    #expect(await index.batches.flatMap(\.items).isEmpty)
  }

  @Test func asksTheProgramForFurtherObjects() async throws {
    let affecting = Affecting(
      service: service, name: "affected", index: index, entities: ["Article"],
      options: IndexingOptions(batchSize: 2))
    try service.add("Bees", "Trains", "Rain")
    try await affecting.catchUp()
    await index.forgetBatches()
    try service.change { Label.create(in: $0).name = "new" }
    try await affecting.catchUp()
    #expect(await index.batches.map(\.items.count) == [2, 1])
    #expect(await index.batches.first?.transactionNumber == 1)
    #expect(await index.batches.last?.transactionNumber == 2)
  }

  @Test func followsSubentitiesAndSeveralEntities() async throws {
    let both = ArticleIndexing(
      service: service, name: "both", index: index, entities: ["Guide", "Article", "Author"],
      options: IndexingOptions(batchSize: 3))
    for number in 0..<5 {
      try service.add("Article \(number)")
      try service.change { context in
        let guide = Guide.create(in: context)
        guide.title = "Guide \(number)"
        guide.city = "Rome"
        Author.create(in: context).name = "Author \(number)"
      }
    }
    try await both.catchUp()
    let expected = try ArticleIndexing.expected(service)
      .merging(ArticleIndexing.expected(service, "Author")) { $1 }
    #expect(expected.count == 15)
    #expect(await index.attributes == expected)
    #expect(await index.batches.flatMap(\.items).count == 15)
    let guides = await index.items.values.filter { $0.domainIdentifier == "guides" }
    #expect(guides.count == 5 && guides.allSatisfy { $0.entityName == "Guide" })
    try service.change { try Guide.first(where: \.title == "Guide 3", in: $0)?.city = "Oslo" }
    try await both.catchUp()
    #expect(await index.batches.last?.items.map(\.attributes["city"]) == [.text("Oslo")])
  }

  @Test func servesSeveralIndexesOfOneStore() async throws {
    let second = MemoryIndex()
    let other = ArticleIndexing(
      service: service, name: "other", index: second, entities: ["Author"])
    try service.add("Bees")
    try service.change { Author.create(in: $0).name = "Ann" }
    try await indexing.catchUp()
    try await other.catchUp()
    #expect(await index.titles == ["Bees"])
    #expect(await second.titles == ["Ann"])
    let readers = try service.historyReaders()
    #expect(readers.map(\.name) == ["other", "search"])
    #expect(readers.allSatisfy { $0.number == 2 })
  }

  @Test func followsARemovalOfAllRows() async throws {
    try service.add("Bees", "Trains")
    try await compare()
    try service.reset()
    try await compare()
    #expect(await index.items.isEmpty)
    try service.add("Rain")
    try await compare()
  }
}
