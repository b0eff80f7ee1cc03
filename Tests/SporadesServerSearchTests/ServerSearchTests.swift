// SPDX-License-Identifier: MIT
import Foundation
import Sporades
import SporadesPostgreSQL
import SporadesSearch
import SporadesServerSearch
import SporadesStore
import TestServer
import Testing

@Suite(.enabled(if: TestServer.isThere, "There is no PostgreSQL on this machine."))
struct ServerSearchTests {
  @Test func findsWordsInAllTexts() throws {
    let library = try ServerLibrary()
    try library.add("Green eggs", "and ham", by: "Dr. Seuss")
      .add("Blue eggs", "without Hämmer", by: "Nobody")
    #expect(try library.titles("eggs") == ["Blue eggs", "Green eggs"])
    #expect(try library.titles("green HAM") == ["Green eggs"])
    #expect(try library.titles("hamm*") == ["Blue eggs"])
    #expect(try library.titles("seuss") == ["Green eggs"])
    #expect(try library.titles("title:ham") == [])
    #expect(try library.titles("author.name:seuss eggs") == ["Green eggs"])
    #expect(try library.titles("\"and ham\"") == ["Green eggs"])
    #expect(try library.titles("^eggs OR ^without") == ["Blue eggs"])
    #expect(try library.titles("eggs -\"and ham\"") == ["Blue eggs"])
    #expect(try library.titles("NEAR(and ham, 0)") == ["Green eggs"])
    #expect(try library.titles("((((") == [])
    #expect(try library.noted() == 0)
    #expect(try library.service.searchIndexProblems() == [])
  }

  @Test func followsEachWrite() throws {
    let library = try ServerLibrary()
    try library.add("one", "first").add("two", "second")
    #expect(try library.titles("first") == ["one"])
    try library.add("three", "first again", by: "Ann")
    #expect(try library.titles("first") == ["one", "three"])
    try library.service.writeSync { context in
      Article.first(where: \.title == "one", in: context)?.text = "changed"
    }.get()
    #expect(try library.titles("first") == ["three"])
    try library.service.writeSync { context in
      Author.first(where: \.name == "Ann", in: context)?.name = "Berta"
    }.get()
    #expect(try library.titles("ann") == [])
    #expect(try library.titles("berta") == ["three"])
    try library.service.writeSync { context in
      Article.first(where: \.title == "three", in: context)?.delete(in: context)
    }.get()
    #expect(try library.titles("berta") == [])
    #expect(try library.titles("changed OR second") == ["one", "two"])
    #expect(try library.service.searchIndexProblems() == [])
  }

  @Test func takesPartInRequests() throws {
    let library = try ServerLibrary()
    try library.service.writeSync { context in
      for number in 0..<20 {
        let article = Article.create(in: context)
        (article.title, article.text) = ("number \(number)", number % 2 == 0 ? "even" : "odd")
      }
    }.get()
    let titles = try library.service.readValue { context in
      try Article.search("even").sorted(by: \.title).limit(3).fetch(in: context).map(\.title)
    }
    #expect(titles == ["number 0", "number 10", "number 12"])
    let counts = try library.service.readValue { context in
      [
        try Article.search("even").count(in: context),
        try Article.where(\.text ~= .search("odd") && \.title == "number 7").count(in: context),
        try Article.where(!(\.text ~= .search("odd"))).count(in: context),
        try Article.search("NEAR(number even)").count(in: context),
        try Article.where(\.author?.name ~= .search("ann")).count(in: context),
      ]
    }
    #expect(counts == [10, 1, 10, 0, 0])
    try library.service.writeSync { context in
      try context.execute(Article.search("odd").delete())
    }.get()
    #expect(try library.titles("odd") == [])
    #expect(try library.service.readValue { try Article.count(in: $0) } == 10)
  }

  /// What the index does not know is not found, so that it is the index that answers.
  @Test(arguments: ["ham", "\"green ham\"", "gr*", "NEAR(green ham)"])
  func theIndexAnswers(typed: String) throws {
    let library = try ServerLibrary()
    try library.add("one", "green ham").add("two", "soup")
    #expect(try library.titles(Search(typed)) == ["one"])
    try library.run("UPDATE sporades_search_article SET c1 = ''")
    #expect(try library.titles(Search(typed)) == [])
    #expect(try library.service.searchIndexProblems().count == 2)
    try library.service.rebuildSearchIndex()
    #expect(try library.titles(Search(typed)) == ["one"])
    #expect(try library.service.searchIndexProblems() == [])
  }

  @Test func theBestComesFirst() throws {
    let library = try ServerLibrary()
    try library.add("Ham", "Eggs and toast, but a title with the word")
      .add("Breakfast", "Ham and eggs, and more ham. Ham again!")
      .add("Lunch", "A long text that mentions ham once among many other words")
      .add("Dinner", "Soup")
    let hits = try library.service.readValue { context in
      try Article.search("ham").ranked(in: context).map { ($0.object.title, $0.rank) }
    }
    #expect(hits.map(\.0) == ["Ham", "Breakfast", "Lunch"])
    #expect(hits.map(\.1) == hits.map(\.1).sorted(by: >))
    let texts = library.another(.texts)
    let same = try texts.readValue { context in
      try Article.search("ham").ranked(in: context).map { ($0.object.title, $0.rank) }
    }
    #expect(same.map(\.0) == hits.map(\.0))
    for (one, other) in zip(same, hits) { #expect(abs(one.1 - other.1) < 1e-9) }
    try texts.close()
    let words = try library.service.readValue { try Article.suggest("wor", in: $0) }
    #expect(words == ["word", "words"])
  }

  @Test func aSearchWithoutAnIndexMakesNone() throws {
    let library = try ServerLibrary { _ in }
    try library.add("one", "ham").add("two", "eggs")
    #expect(try library.titles("ham") == ["one"])
    #expect(try library.run("SELECT to_regclass('sporades_search')").isEmpty)
    #expect(throws: (any Error).self) { try library.service.prepareSearch() }
  }

  @Test func theSchemaComesBackExactly() throws {
    let library = try ServerLibrary()
    try library.add("one", "ham")
    let all = """
      SELECT 'f ' || proname FROM pg_proc WHERE pronamespace = current_schema()::regnamespace UNION ALL \
      SELECT 't ' || tgname FROM pg_trigger WHERE NOT tgisinternal AND tgrelid IN (SELECT oid FROM pg_class WHERE \
      relnamespace = current_schema()::regnamespace) ORDER BY 1
      """
    let before = (try library.place.schema(), try library.run(all))
    #expect(try library.titles("ham") == ["one"])
    #expect(try library.place.schema() != before.0)
    #expect(try library.run(all).count > before.1.count)
    try library.service.removeSearchIndex()
    #expect(try library.place.schema() == before.0)
    #expect(try library.run(all) == before.1)
    try library.add("two", "ham")
    #expect(try library.titles("ham") == ["one", "two"])
  }
}
