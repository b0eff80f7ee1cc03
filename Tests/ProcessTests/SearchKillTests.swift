// SPDX-License-Identifier: MIT
import CSQLite
import Foundation
import Sporades
import SporadesCare
import SporadesSearch
import SporadesTesting
import Testing

/// The tests kill a process at random moments while it writes texts, and while it makes the search index. What the process had
/// promised must be there, and searches must find exactly the pages with the words.
///
/// `SPORADES_SEARCH_KILLS` is the number of kills per case, and `SPORADES_CRASH_SEED` chooses the moments. Do not run under
/// Thread Sanitizer; see `ProcessLifecycleTests`.
@Suite(.serialized, .timeLimit(.minutes(60))) struct SearchKillTests {
  private static let environment = ProcessInfo.processInfo.environment
  private static let kills = environment["SPORADES_SEARCH_KILLS"].flatMap { Int($0) } ?? 8
  private static let seed = environment["SPORADES_CRASH_SEED"].flatMap { UInt64($0) } ?? 1

  @Test func aKillBetweenWritesLeavesAllThatWasPromised() async throws {
    let file = try LibraryFile()
    var random = SeededGenerator(seed: Self.seed)
    var written = 0
    for kill in 1...Self.kills {
      let probe = try file.probe(seed: random.next() % 1_000_000)
      var (lines, left) = ([String](), Int.random(in: 1...60, using: &random))
      while left > 0, let line = await probe.line() {
        lines.append(line)
        if line == "ok" { left -= 1 }
      }
      spin(microseconds: Int.random(in: 0...4_000, using: &random))
      probe.kill()
      lines += await probe.rest()
      written += try file.take(lines, "kill \(kill) of seed \(Self.seed)")
    }
    print("\(Self.kills) kills, \(written) transactions, \(file.pages.count) pages")
    #expect(written >= Self.kills)
  }

  @Test func aKillWhileTheIndexIsMadeLeavesAWholeOne() async throws {
    let file = try LibraryFile()
    var random = SeededGenerator(seed: Self.seed &+ 1)
    var (hits, most) = (0, 1_000)
    for kill in 0...Self.kills {
      let probe = try file.probe(seed: random.next() % 1_000_000)
      var lines = [await probe.line() ?? ""]
      #expect(lines == ["making"])
      let start = ContinuousClock.now
      if kill == 0 {
        // The first one is killed when it is done, so that the moments of the others lie within the making.
        lines.append(await probe.line() ?? "")
        most = max(most, Int((ContinuousClock.now - start) / .microseconds(1)))
      } else {
        spin(microseconds: Int.random(in: 0...most, using: &random))
      }
      probe.kill()
      lines += await probe.rest()
      if try file.hasUnfinishedIndex() { hits += 1 }
      _ = try file.take(lines, "kill \(kill) of seed \(Self.seed &+ 1) within \(most) µs")
    }
    print("\(hits) of \(Self.kills) kills met the making of the index")
    #expect(hits > 0)
  }
}

/// A copy of the probe's model. The file must fit it.
private enum Library {
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

/// A store of pages in its own folder, and the pages that it must have.
private final class LibraryFile {
  private let folder: URL
  private var store: URL { folder.appendingPathComponent("Library.sqlite") }
  private(set) var pages: [Int: PageText] = [:]
  private var titles: [Int: String] = [:]
  private var lastNumber = 0
  private static let count = 6_000
  private static let words = ["green", "ham", "eggs", "spam", "toast", "bacon", "salt"]

  struct PageText: Equatable {
    var text: String
    var chapter: Int
  }

  init() throws {
    folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("library-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let service = service()
    try service.writeSync(durability: .immediate) { context in
      let chapters = (1...5).map { number in
        let chapter = Library.Chapter.create(in: context)
        (chapter.number, chapter.title) = (number, "chapter \(number)")
        return chapter
      }
      for number in 1...Self.count {
        let page = Library.Page.create(in: context)
        (page.number, page.text) = (number, Self.text(number))
        page.chapter = chapters[number % 5]
      }
    }.get()
    try service.close()
    for number in 1...5 { titles[number] = "chapter \(number)" }
    for number in 1...Self.count {
      pages[number] = PageText(text: Self.text(number), chapter: number % 5 + 1)
    }
    lastNumber = Self.count
  }

  deinit {
    // A temporary folder that stays does not affect later tests.
    try? FileManager.default.removeItem(at: folder)
  }

  private static func text(_ number: Int) -> String {
    [2, 3, 5].map { words[number / $0 % words.count] }.joined(separator: " ") + " page"
  }

  private func service() -> DALService {
    DALService { [store] in try DataStack(sqlite: store, entities: Library.classes) }
  }

  func probe(seed: UInt64) throws -> ProbeProcess {
    try ProbeProcess("search", store, "\(seed)", "\(lastNumber)")
  }

  // MARK: - After a kill

  /// Expects the promised transactions, perhaps with the one that the kill met, and right searches. Returns how many there are.
  func take(_ lines: [String], _ moment: String) throws -> Int {
    #expect(!lines.contains { $0.hasPrefix("failed") }, "\(moment): \(lines.suffix(3))")
    var (count, tried): (Int, String?) = (0, nil)
    for line in lines {
      if line.hasPrefix("will ") { tried = String(line.dropFirst(5)) }
      guard line == "ok", let done = tried else { continue }
      apply(done)
      (count, tried) = (count + 1, nil)
    }
    let service = service()
    // The next test uses another file.
    defer { try? service.close() }
    let found = try kept(service)
    if found != (pages, titles), let tried {
      apply(tried)
      count += 1
    }
    #expect(found == (pages, titles), "\(moment): \(tried ?? "nothing") was tried")
    (pages, titles) = found
    for word in Self.words.shuffled().prefix(3) + ["page", "chapter", "nothing"] {
      #expect(try numbers(word, service) == expected(word), "\(moment): \(word)")
    }
    #expect(try service.searchIndexProblems() == [], "\(moment)")
    #expect(try noted() == 0, "\(moment)")
    #expect(try damages() == [], "\(moment)")
    return count
  }

  private func kept(_ service: DALService) throws -> (pages: [Int: PageText], titles: [Int: String])
  {
    try service.readValue { context in
      let titles = try Library.Chapter.all(in: context).map { ($0.number, $0.title) }
      let pages = try Library.Page.all(in: context).map {
        ($0.number, PageText(text: $0.text, chapter: $0.chapter?.number ?? 0))
      }
      return (
        Dictionary(pages) { _, twin in PageText(text: "twin \(twin.text)", chapter: 0) },
        Dictionary(titles) { _, twin in "twin \(twin)" }
      )
    }
  }

  private func numbers(_ word: String, _ service: DALService) throws -> [Int] {
    try service.readValue {
      try Library.Page.search(Search(word)).fetch(in: $0).map(\.number).sorted()
    }
  }

  private func expected(_ word: String) -> [Int] {
    pages.filter { $0.value.has(word, titles) }.keys.sorted()
  }

  private func damages() throws -> [String] {
    let stack = try DataStack(sqlite: store, entities: Library.classes)
    // The test looks at the damages alone.
    defer { try? stack.store.close() }
    return try stack.store.integrityProblems().map { "\($0)" }
  }

  // MARK: - What the probe does

  private func apply(_ changes: String) {
    for change in changes.split(separator: "|") {
      let words = change.split(separator: " ").map(String.init)
      let number = Int(words[1]) ?? 0
      switch words[0] {
      case "add":
        let chapter = Int(words[2]) ?? 0
        pages[number] = PageText(text: words[3...].joined(separator: " "), chapter: chapter)
        lastNumber = max(lastNumber, number)
      case "set": pages[number]?.text = words[2...].joined(separator: " ")
      case "move": pages[number]?.chapter = Int(words[2]) ?? 0
      case "drop": pages[number] = nil
      case "title": if number > 0 { titles[number] = words[2...].joined(separator: " ") }
      default: applyBatch(words)
      }
    }
  }

  private func applyBatch(_ words: [String]) {
    for (number, page) in pages where page.has(words[1], titles) && page.has(words[2], titles) {
      if words[0] == "erase" {
        pages[number] = nil
      } else {
        pages[number]?.text = words[3...].joined(separator: " ")
      }
    }
  }

  // MARK: - What plain SQL finds

  /// The making of the index was begun and not finished, or its tables are not there.
  func hasUnfinishedIndex() throws -> Bool {
    guard try number("SELECT count(*) FROM sqlite_master WHERE name = 'SPORADES_SEARCH'") == 1
    else { return true }
    return try number("SELECT count(*) FROM SPORADES_SEARCH WHERE NEXT IS NULL") == 0
  }

  /// The keys of changed rows that are not indexed.
  private func noted() throws -> Int {
    let notes = ["SPORADES_ZPAGE:CHANGED", "SPORADES_ZPAGE:CHANGED_1"]
    return try notes.reduce(0) { try $0 + number("SELECT count(*) FROM \"\($1)\"") }
  }

  private func number(_ sql: String) throws -> Int {
    var (handle, statement): (OpaquePointer?, OpaquePointer?) = (nil, nil)
    let opened = unsafe sqlite3_open_v2(store.path, &handle, SQLITE_OPEN_READWRITE, nil)
    defer { unsafe sqlite3_close_v2(handle) }
    try #require(opened == SQLITE_OK)
    let prepared = unsafe sqlite3_prepare_v2(handle, sql, -1, &statement, nil)
    defer { unsafe sqlite3_finalize(statement) }
    try #require(prepared == SQLITE_OK, "\(sql)")
    let stepped = unsafe sqlite3_step(statement)
    try #require(stepped == SQLITE_ROW, "\(sql)")
    return unsafe Int(sqlite3_column_int64(statement, 0))
  }
}

extension LibraryFile.PageText {
  fileprivate func has(_ word: String, _ titles: [Int: String]) -> Bool {
    let texts = [text, titles[chapter] ?? ""]
    return texts.contains { $0.split(separator: " ").contains { $0 == word } }
  }
}
