// SPDX-License-Identifier: MIT
import Foundation
import RawStore
import Sporades
import SporadesSearch

@Entity final class Story: ManagedObject {
  @Attribute(.searchable(weight: 4)) var title: String = ""
  @Attribute(.searchable) var text: String = ""
}

/// The stories of a run and what is looked for in them: made from a seed, so the same in every run and on both sides.
struct Stories {
  let all: [RawStory]
  /// What a person types, and the same in the language of FTS5.
  let searches: [(typed: String, expression: String)]
  /// Other texts for some stories.
  let changes: [(key: Int64, story: RawStory)]
  /// Words by which the indexes of both sides are compared.
  let words: [String]

  init(_ scale: Scale) {
    var random = SeededGenerator(seed: 20_261_130)
    let vocabulary = Vocabulary(20_000, &random)
    let all = (0..<scale.stories).map { _ in vocabulary.story(&random) }
    self.all = all
    searches = (0..<scale.storySearches).map { vocabulary.search($0, &random) }
    let keys = (1...Int64(scale.stories)).shuffled(using: &random).prefix(scale.storyChanges)
    changes = keys.map { ($0, vocabulary.story(&random)) }
    words = stride(from: 10, to: 2_000, by: 100).map {
      SearchTokens.folded(vocabulary.words[$0], .words)
    }
  }
}

/// Words of which few are frequent and most are rare, as in any language.
struct Vocabulary {
  let words: [String]

  init(_ count: Int, _ random: inout SeededGenerator) {
    let starts = ["b", "br", "d", "f", "g", "gr", "h", "k", "kl", "l", "m", "n", "p", "r", "s"]
    let vowels = ["a", "e", "i", "o", "u", "ä", "é", "ö", "ü", "å"]
    let ends = ["", "n", "r", "l", "st", "m", "k"]
    var known: Set<String> = []
    var words: [String] = []
    while words.count < count {
      let word = (0..<Int.random(in: 1...3, using: &random)).map { _ in
        // Letters with marks are rare.
        let vowel = Int.random(in: 0..<20, using: &random)
        return starts[Int.random(in: 0..<starts.count, using: &random)]
          + vowels[vowel < 15 ? vowel % 5 : 5 + vowel % 5]
          + ends[Int.random(in: 0..<ends.count, using: &random)]
      }.joined()
      if known.insert(word).inserted { words.append(word) }
    }
    self.words = words
  }

  /// A word, the number *n* with a likelihood of one by *n*.
  private func word(_ random: inout SeededGenerator, from first: Int = 0) -> String {
    let number = exp(
      Double.random(in: log(Double(first + 1))..<log(Double(words.count)), using: &random))
    return words[Int(number)]
  }

  func story(_ random: inout SeededGenerator) -> RawStory {
    let title = (0..<Int.random(in: 3...8, using: &random)).map { _ in word(&random) }
    let length = Int.random(in: 100..<600, using: &random)
    var text = ""
    var left = 0
    while text.utf8.count < length {
      if !text.isEmpty { text += left == 0 ? ". " : left == 5 ? ", " : " " }
      let word = word(&random)
      text += left == 0 ? word.capitalized : word
      left = left == 0 ? Int.random(in: 4..<15, using: &random) : left - 1
    }
    return RawStory(title: title.joined(separator: " ").capitalized, text: text + ".")
  }

  /// One word, two words, or a beginning of one, none of them among the most frequent ones.
  func search(
    _ number: Int, _ random: inout SeededGenerator
  ) -> (typed: String, expression: String) {
    let first = word(&random, from: 20)
    switch number % 5 {
    case 0: return ("\(first.prefix(4))*", "\"\(first.prefix(4))\" *")
    case 1, 2: return (first, "\"\(first)\"")
    default:
      let second = word(&random, from: 20)
      return ("\(first) \(second)", "\"\(first)\" \"\(second)\"")
    }
  }
}

/// Makes the files of stories.
struct StoryFile {
  private let count: Int

  init(_ count: Int) { self.count = count }

  func make(_ template: Template, at path: String) throws {
    let url = URL(fileURLWithPath: path)
    try DataStack(sqlite: url, entities: [Story.self]).store.close()
    do {
      let database = RawDatabase(path)
      if template == .stories { RawStory.makeIndex(database) }
      if template != .noStories {
        var scale = Scale.short
        (scale.stories, scale.storySearches, scale.storyChanges) = (count, 0, 0)
        RawStory.insert(Stories(scale).all, indexed: template == .stories, into: database)
      }
      database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    }
    guard template == .searchedStories else { return }
    let service = DALService(sqlite: url, entities: [Story.self])
    try service.prepareSearch()
    try service.close()
  }
}
