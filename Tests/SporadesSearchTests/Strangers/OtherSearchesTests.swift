// SPDX-License-Identifier: MIT
import Foundation
import Sporades
import SporadesSearch
import Testing

/// What users of other libraries expect of a search: behaviours that the tests of Django's search on PostgreSQL, and of the
/// gem pg_search for Rails, assert, in this library's words.
@Suite struct OtherSearchesTests {
  private static func scenes() throws -> Library {
    let library = try Library()
    try library.add("Castle", "The patient knight rode past three castles", by: "Terry")
      .add("Knight", "A rabbit guards the cave; nobody rode home", by: "Michael")
      .add("Bridge", "What is the airspeed of a swallow, the bridge keeper asked", by: "John")
      .add("Cave", nil, by: "Graham")
      .add("Café Noël", "bald-faced truth, and bald facts; naïve über-swallow", by: "Éric")
      .add("", "castle castle castle", by: "Eric")
    return library
  }

  /// Django: simple searches, several fields, nulls, adjacent terms, phrases, raw and web searches, combined queries.
  @Test(arguments: [
    ("rabbit", ["Knight"]), ("RABBIT", ["Knight"]), ("rode", ["Castle", "Knight"]),
    ("patient castles", ["Castle"]), ("castles patient", ["Castle"]), ("patient rabbit", []),
    ("knight", ["Castle", "Knight"]), ("knight rabbit", ["Knight"]), ("cave", ["Cave", "Knight"]),
    ("\"rabbit guards\"", ["Knight"]), ("\"guards rabbit\"", []),
    ("\"rode past three\"", ["Castle"]),
    ("rabbit OR swallow", ["Bridge", "Café Noël", "Knight"]), ("rode -rabbit", ["Castle"]),
    ("rode NOT (rabbit OR swallow)", ["Castle"]),
    ("(rabbit OR patient) rode", ["Castle", "Knight"]),
    ("swallow -\"bald-faced\"", ["Bridge"]), ("\"bald-faced\" truth", ["Café Noël"]),
    ("\"bald faced\"", ["Café Noël"]), ("bald-facts", ["Café Noël"]), ("\"truth bald\"", []),
    ("title:knight", ["Knight"]), ("text:knight", ["Castle"]), ("terry", ["Castle"]),
    ("terry rode", ["Castle"]), ("terry rabbit", []), ("absent", []), ("", []), ("   ", []),
  ]) func ofDjango(typed: String, titles: [String]) throws {
    #expect(try Self.scenes().titles(Search(typed)) == titles)
  }

  /// pg_search: words in any column, prefixes, one of the words, negation, accents, associated texts, odd signs.
  @Test(arguments: [
    ("swallow keeper", ["Bridge"]), ("swall", []), ("swall*", ["Bridge", "Café Noël"]),
    ("noel", ["Café Noël"]),
    ("NOËL", ["Café Noël"]), ("naive", ["Café Noël"]), ("uber", ["Café Noël"]),
    ("eric", ["", "Café Noël"]),
    ("Éric truth", ["Café Noël"]), ("castle OR rabbit", ["", "Castle", "Knight"]), ("NOT rode", []),
    ("'swallow'", ["Bridge", "Café Noël"]), ("swallow\\", ["Bridge", "Café Noël"]),
    ("swallow?", ["Bridge", "Café Noël"]),
    ("swallow:*", ["Bridge", "Café Noël"]), ("foo:bar", []), ("what's", []), ("%", []), ("_", []),
    ("rode & past | three", ["Castle"]), ("!rode", ["Castle", "Knight"]),
    ("castle;", ["", "Castle"]),
    ("the the the", ["Bridge", "Castle", "Knight"]), ("patient\nknight", ["Castle"]), ("\0", []),
  ]) func ofRails(typed: String, titles: [String]) throws {
    #expect(try Self.scenes().titles(Search(typed)) == titles)
  }

  @Test func aScopeTakesMoreWords() throws {
    let library = try Self.scenes()
    let answers = try library.service.readValue { context in
      let scope = Article.search("rode")
      return (
        try scope.count(in: context), try scope.exists(in: context),
        try scope.sorted(by: \.title).limit(1).fetch(in: context).map(\.title),
        try scope.where(\.author?.name == "Terry").fetch(in: context).map(\.title),
        try scope.sorted(by: \.title).pluck(\.title, in: context)
      )
    }
    #expect(answers.0 == 2 && answers.1)
    #expect(answers.2 == ["Castle"] && answers.3 == ["Castle"])
    #expect(answers.4 == ["Castle", "Knight"])
  }

  @Test func aTitleWeighsMoreThanAText() throws {
    let library = try Self.scenes()
    let titles = try library.service.readValue { context in
      try Article.search("knight").ranked(in: context).map(\.object.title)
    }
    #expect(titles == ["Knight", "Castle"])
  }

  @Test func moreOftenIsBetterAndEqualRanksKeepTheirOrder() throws {
    let library = try Library()
    try library.add("1", "egg ham ham ham").add("2", "egg ham egg egg").add("3", "egg ham egg egg")
    let titles = try library.service.readValue { context in
      try Article.search("ham").ranked(in: context).map(\.object.title)
    }
    #expect(titles == ["1", "2", "3"])
  }

  @Test func headlinesShowTheWords() throws {
    let library = try Library()
    let text = (0..<40).map { "word\($0)" }.joined(separator: " ")
    try library.add("long", text)
    let headline = try library.service.readValue { context in
      let hit = try #require(try Article.search("word30").ranked(in: context).first)
      let snippet = try hit.snippet(of: \.text, length: 5)
      var marked = snippet.text
      for range in snippet.ranges.reversed() {
        marked.replaceSubrange(range, with: "<b>\(snippet.text[range])</b>")
      }
      return (marked, snippet.isCutAtStart, snippet.isCutAtEnd, try hit.ranges(in: \.title).count)
    }
    #expect(headline.0.contains("<b>word30</b>"))
    #expect(headline.0.split(separator: " ").count == 5)
    #expect(headline.1 && headline.2 && headline.3 == 0)
  }
}
