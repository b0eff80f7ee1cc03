// SPDX-License-Identifier: MIT
import Foundation
import Sporades
import SporadesModel
import SporadesSearch
import SporadesTesting
import Testing

@Suite struct RankedTests {
  private func filled() throws -> Library {
    let library = try Library()
    try library.add("Ham", "Eggs and toast, but a title with the word")
      .add("Breakfast", "Ham and eggs, and more ham. Ham again!")
      .add(
        "Lunch", "A long text that mentions ham once among many other words that nobody searches"
      )
      .add("Dinner", "Soup")
    return library
  }

  @Test func theBestComesFirst() throws {
    let library = try filled()
    let hits = try library.service.readValue { context in
      try Article.search("ham").ranked(in: context).map { ($0.object.title, $0.rank) }
    }
    #expect(hits.map(\.0) == ["Ham", "Breakfast", "Lunch"])
    #expect(hits.map(\.1) == hits.map(\.1).sorted(by: >))
    let some = try library.service.readValue { context in
      try Article.search("ham").where(\.title != "Breakfast").offset(1).limit(1)
        .ranked(in: context).map(\.object.title)
    }
    #expect(some == ["Lunch"])
  }

  @Test func pagesOfASearchAloneAreThoseOfOneWithConditions() throws {
    let library = try filled()
    for number in 0..<30 { try library.add("Page \(number)", "ham and \(number) eggs") }
    try library.service.readValue { context in
      let search = Article.search("ham OR eggs")
      let all = try search.ranked(in: context).map(\.object.title)
      #expect(all.count == 33)
      for offset in [0, 1, 17, 32, 40] {
        let page = try search.offset(offset).limit(5).ranked(in: context).map(\.object.title)
        #expect(page == Array(all.dropFirst(offset).prefix(5)))
        let same = try search.where(\.views >= 0).offset(offset).limit(5).ranked(in: context)
        #expect(same.map(\.object.title) == page)
      }
      #expect(try search.offset(30).ranked(in: context).map(\.object.title) == Array(all[30...]))
    }
  }

  @Test func unsavedObjectsAreRankedByTheSameFormula() throws {
    let library = try filled()
    let saved = try library.service.readValue { context in
      try Article.search("ham OR eggs").ranked(in: context).map { ($0.object.title, $0.rank) }
    }
    try library.service.writeSync { context in
      // A change of another attribute moves the whole request into memory.
      Article.first(where: \.title == "Dinner", in: context)?.views = 7
      let ranked = Article.search("ham OR eggs").ranked(in: context)
      #expect(ranked.map(\.object.title) == saved.map(\.0))
      for (hit, other) in zip(ranked, saved) { #expect(abs(hit.rank - other.1) < 1e-9) }
      let new = Article.create(in: context)
      new.title = "Ham ham ham"
      #expect(Article.search("ham").ranked(in: context).first?.object.title == "Ham ham ham")
    }.get()
  }

  @Test func snippetsAndRangesAreThoseOfTheText() throws {
    let library = try Library()
    try library.add("Émile's", "It began in the morning. Then Émile ate HÄM, and nobody else did.")
    try library.service.readValue { context in
      let hit = try #require(try Article.search("emile ham").ranked(in: context).first)
      let text = try #require(hit.object.text)
      let words = try hit.ranges(in: \.text).map { String(text[$0]) }
      #expect(words == ["Émile", "HÄM"])
      let snippet = try hit.snippet(of: \.text, length: 5)
      #expect(snippet.text == "Then Émile ate HÄM, and")
      #expect(snippet.ranges.map { String(snippet.text[$0]) } == ["Émile", "HÄM"])
    }
  }

  @Test func aListOfHits() throws {
    let library = try Library()
    try library.add("Breakfast", "Green hams and eggs")
    let lines = try library.service.readValue { context in
      var lines: [String] = []
      // snippet: searching
      let hits = try Article.search("green ham*").where(\.views >= 0).limit(20).ranked(in: context)
      for hit in hits {
        let snippet = try hit.snippet(of: \.text)
        lines.append("\(hit.object.title): \(snippet.text)")
      }
      // snippet end
      return lines
    }
    #expect(lines == ["Breakfast: Green hams and eggs"])
  }

  @Test func aRowThatIsGoneTakesNoPlace() throws {
    let library = try filled()
    #expect(try library.titles("ham").count == 3)
    library.service.flush()
    // A deletion that no trigger sees, as that of INSERT OR REPLACE.
    let stranger = try Stranger(library.path)
    try stranger.run(
      "PRAGMA recursive_triggers = OFF; CREATE UNIQUE INDEX OTHER ON ZARTICLE (ZVIEWS) WHERE ZVIEWS > 0"
    )
    try stranger.run("UPDATE ZARTICLE SET ZVIEWS = 9 WHERE ZTITLE = 'Ham'")
    try stranger.run("UPDATE OR REPLACE ZARTICLE SET ZVIEWS = 9 WHERE ZTITLE = 'Dinner'")
    let titles = try library.service.readValue { context in
      try Article.search("ham").limit(2).ranked(in: context).map(\.object.title)
    }
    #expect(titles == ["Breakfast", "Lunch"])
  }

  @Test func aRequestWithoutASearchHasNoRanks() throws {
    let library = try filled()
    #expect(throws: (any Error).self) {
      try library.service.readValue { _ = try Article.where(\.views == 0).ranked(in: $0) }
    }
  }

  @Test func aWordOfTheFormatLanguage() throws {
    let library = try filled()
    let predicate = try FetchPredicate(
      format: "text SEARCH %@ AND NOT title BEGINSWITH 'B'", argumentArray: ["ham"],
      words: [.search])
    let titles = try library.service.readValue {
      try Article.where(predicate).fetch(in: $0).map(\.title)
    }
    #expect(titles == ["Lunch"])
    let all = try FetchPredicate(
      format: "SELF SEARCH 'title:ham'", argumentArray: [], words: [.search])
    #expect(
      try library.service.readValue { try Article.where(all).fetch(in: $0).map(\.title) } == ["Ham"]
    )
    let refusal = #expect(throws: FetchPredicateError.self) {
      try FetchPredicate(format: "text SEARCH 'ham'")
    }
    #expect(refusal?.detail.contains("SporadesSearch") == true)
  }

  @Test func suggestionsAreWordsOfTheTexts() throws {
    let library = try filled()
    let words = try library.service.readValue { try Article.suggest("wor", in: $0) }
    #expect(words == ["word", "words"])
    #expect(try library.service.readValue { try Article.suggest("", in: $0) } == [])
  }

  @Test func membersOfASubqueryAreSearched() throws {
    let library = try Library()
    try library.add("one", "ham", by: "Ann").add("two", "eggs", by: "Ann").add(
      "three", "eggs", by: "Berta")
    let predicate = try FetchPredicate(
      format: "SUBQUERY(articles, $a, $a.text SEARCH 'ham').@count > 0", argumentArray: [],
      words: [.search])
    let names = try library.service.readValue {
      try Author.where(predicate).fetch(in: $0).map(\.name)
    }
    #expect(names == ["Ann"])
    let authors = try library.service.readValue { context in
      try Article.where(\.author?.name ~= .search("ann")).sorted(by: \.title).fetch(in: context)
        .map(\.title)
    }
    #expect(authors == ["one", "two"])
  }

  @Test func aStoreInMemoryFindsTheSameRows() throws {
    let model = try ManagedObjectModel([Article.self, Author.self])
    let stack = DataStack(store: MemoryStore(model: model), classes: [Article.self, Author.self])
    try stack.main.performAndWait { context in
      for (title, text) in [("Ham", "word"), ("Breakfast", "ham ham"), ("Dinner", "soup")] {
        let article = Article.create(in: context)
        (article.title, article.text) = (title, text)
      }
      try context.save()
      let found = try Article.search("ham -soup").sorted(by: \.title).fetch(in: context)
      #expect(found.map(\.title) == ["Breakfast", "Ham"])
      #expect(
        try Article.search("ham").ranked(in: context).map(\.object.title) == ["Ham", "Breakfast"])
    }
  }
}
