// SPDX-License-Identifier: MIT
import Foundation
import Sporades
import SporadesSearch

/// Texts that searches find, also by the titles of their chapters. `ProcessTests` has a copy, which the file must fit.
enum Library {
  @Entity final class Page: ManagedObject {
    var number: Int = 0
    @Attribute(.searchable(including: \Page.chapter?.title)) var text: String = ""
    @Relationship(inverse: "pages") var chapter: Chapter?
  }

  @Entity final class Chapter: ManagedObject {
    var number: Int = 0
    var title: String = ""
    @Relationship(inverse: "chapter") var pages: Set<Page>
  }

  static let classes: [ManagedObject.Type] = [Page.self, Chapter.self]
}

/// Writes texts in small transactions, and makes the search index anew now and then, until the process is killed.
///
/// Each transaction has a line `will …` that names its changes, and the line `ok` when the store has promised to keep them.
struct Searching {
  private let service: DALService
  private var random: SplitMix
  private var lastNumber: Int
  private static let words = [
    "green", "ham", "eggs", "spam", "toast", "bacon", "beans", "jam", "tea", "milk", "salt", "oats",
  ]

  init(_ store: URL, seed: Int, lastNumber: Int) throws {
    let stack = try open(store, Library.classes)
    service = DALService(stack: stack)
    random = SplitMix(state: UInt64(seed))
    self.lastNumber = lastNumber
  }

  mutating func play() throws {
    say("making")
    try service.rebuildSearchIndex()
    say("made")
    while true {
      for _ in 0..<40 { try random.next() % 8 == 0 ? batch() : write() }
      say("making")
      if random.next() % 2 == 0 { try service.removeSearchIndex() }
      try service.rebuildSearchIndex()
      say("made")
    }
  }

  // MARK: - Transactions

  private mutating func write() throws {
    var changes: [[String]] = []
    for _ in 0...below(4) { changes.append(change()) }
    say("will " + changes.map { $0.joined(separator: " ") }.joined(separator: "|"))
    try service.writeSync(durability: .immediate) { [changes] context in
      for change in changes { Self.make(change, in: context) }
    }.get()
    say("ok")
  }

  private mutating func change() -> [String] {
    switch below(8) {
    case 0...2:
      lastNumber += 1
      return ["add", "\(lastNumber)", "\(below(6))"] + text()
    case 3, 4: return ["set", "\(page())"] + text()
    case 5: return ["move", "\(page())", "\(below(6))"]
    case 6: return ["drop", "\(page())"]
    default: return ["title", "\(below(6))"] + text().prefix(2)
    }
  }

  private static func make(_ words: [String], in context: ReportingContext) {
    let number = Int(words[1]) ?? 0
    switch words[0] {
    case "add":
      let page = Library.Page.create(in: context)
      (page.number, page.text) = (number, words[3...].joined(separator: " "))
      page.chapter = chapter(words[2], in: context)
    case "set": page(number, in: context)?.text = words[2...].joined(separator: " ")
    case "move": page(number, in: context)?.chapter = chapter(words[2], in: context)
    case "drop": page(number, in: context)?.delete(in: context)
    default: chapter(words[1], in: context)?.title = words[2...].joined(separator: " ")
    }
  }

  private static func page(_ number: Int, in context: ReportingContext) -> Library.Page? {
    Library.Page.first(where: \.number == number, in: context)
  }

  /// No chapter has the number 0.
  private static func chapter(
    _ number: String, in context: ReportingContext
  ) -> Library.Chapter? {
    let number = Int(number) ?? 0
    return Library.Chapter.first(where: \.number == number, in: context)
  }

  /// One batch on the pages that a search for two words finds.
  private mutating func batch() throws {
    let (found, text) = (self.text().prefix(2), self.text().joined(separator: " "))
    let search = Search(found.joined(separator: " "))
    let isDeletion = below(4) == 0
    say("will \(isDeletion ? "erase" : "replace") \(found.joined(separator: " ")) \(text)")
    try service.writeSync(durability: .immediate) { context in
      if isDeletion {
        try context.execute(Library.Page.search(search).delete())
      } else {
        try context.execute(Library.Page.search(search).update(\.text, to: text))
      }
    }.get()
    say("ok")
  }

  // MARK: - Choices

  private mutating func below(_ limit: Int) -> Int { Int(random.next() % UInt64(limit)) }
  /// The page may be gone.
  private mutating func page() -> Int { 1 + below(lastNumber) }
  private mutating func text() -> [String] {
    (0..<(3 + below(3))).map { _ in Self.words[below(Self.words.count)] }
  }
}
