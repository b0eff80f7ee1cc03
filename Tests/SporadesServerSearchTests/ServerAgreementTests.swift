// SPDX-License-Identifier: MIT
import Foundation
import Sporades
import SporadesModel
import SporadesPostgreSQL
import SporadesSearch
import SporadesServerSearch
import SporadesStore
import SporadesTesting
import TestServer
import Testing

/// The same texts and searches in memory, in a file and on a server find the same rows.
@Suite(.enabled(if: TestServer.isThere, "There is no PostgreSQL on this machine."))
struct ServerAgreementTests {
  private static let words = [
    "ham", "Ham", "hàm", "hamlet", "egg", "EGGS", "e-mail", "3.14", "日本", "日本語", "한글", "😀", "a",
    "ab", "abc", "Straße", "x", "y", "हिन्दी", "it's", "back\\slash",
  ]

  private struct Samples {
    var generator: SeededGenerator

    mutating func pick(_ choices: [String]) -> String {
      choices[Int.random(in: 0..<choices.count, using: &generator)]
    }

    mutating func text(_ most: Int = 12) -> String {
      (0..<Int.random(in: 0...most, using: &generator)).map { _ in pick(words) }
        .joined(separator: " ")
    }

    mutating func phrase() -> String {
      switch Int.random(in: 0..<8, using: &generator) {
      case 0: "\"\(pick(words)) \(pick(words))\""
      case 1: "\(pick(words).prefix(2))*"
      case 2: "\"\(pick(words)) \(pick(words).prefix(1))\"*"
      case 3: "^\(pick(words))"
      case 4: "NEAR(\(pick(words)) \(pick(words)), \(pick(["0", "1", "3"])))"
      case 5: pick(["title:", "-title:", "{title text}:"]) + pick(words)
      default: pick(words)
      }
    }

    mutating func search(_ depth: Int = 0) -> String {
      var text = depth < 2 && Bool.random(using: &generator) ? "(\(search(depth + 1)))" : phrase()
      for _ in 0..<Int.random(in: 0..<3, using: &generator) {
        text += pick([" ", " OR ", " NOT ", " AND "]) + phrase()
      }
      return text
    }
  }

  private func fill(_ service: DALService, _ texts: [(String, String)]) throws {
    try service.writeSync(durability: .immediate) { context in
      for (title, text) in texts {
        let article = Article.create(in: context)
        (article.title, article.text) = (title, text)
      }
    }.get()
  }

  @Test(arguments: [UInt64(1), 2], [false, true]) func findTheSameRows(
    seed: UInt64, hasLongTexts: Bool
  ) throws {
    var samples = Samples(generator: SeededGenerator(seed: seed))
    var texts = (0..<120).map { ("\($0) \(samples.text(3))", samples.text()) }
    // More places than the server keeps of a word.
    if hasLongTexts {
      texts.append(("121", String(repeating: "ham ", count: 300) + "egg ham x"))
      texts.append(("122", String(repeating: "ham ", count: 17_000) + "egg hamlet y"))
      texts.append(("123", String(repeating: "한글", count: 800) + " ham"))
    }
    let library = try ServerLibrary()
    let file = DALService(inMemory: ServerLibrary.classes)
    for service in [library.service, file] { try fill(service, texts) }
    #expect(try library.titles("nothingness") == [])
    var found = 0
    for _ in 0..<(hasLongTexts ? 40 : 120) {
      let search = Search(samples.search())
      let expected = try ServerLibrary.titles(search, in: file)
      #expect(try library.titles(search) == expected, "\(search) → \(Search.parse(search.typed))")
      found += expected.count
      let others = try [library.service, file].map { service in
        try service.readValue { context in
          try Article.where(!FetchPredicateSearch.condition(search)).count(in: context)
        }
      }
      #expect(others[0] == others[1], "not \(search)")
    }
    #expect(found > 500)
    #expect(try library.service.searchIndexProblems() == [])
  }
}

/// The condition of a search, to be negated.
enum FetchPredicateSearch {
  static func condition(_ search: Search) -> TypedPredicate<Article> { .search(search) }
}
