// SPDX-License-Identifier: MIT
import Foundation
import Sporades
import SporadesModel
import SporadesSQLite
import SporadesSearch
import SporadesTesting
import Testing

/// A row of the tables that SQLite's tests search: a number, and texts.
protocol SearchedRow: ManagedObject {
  var number: Int { get set }
  static var texts: [ReferenceWritableKeyPath<Self, String?>] { get }
}

@Entity final class WordRow: ManagedObject {
  var number: Int = 0
  @Attribute(.searchable) var a: String?
  @Attribute(.searchable) var b: String?
  @Attribute(.searchable) var c: String?
  @Attribute(.searchable) var d: String?
  /// A text that no search looks into.
  var note: String?
}

/// A row whose index keeps lists for beginnings of words.
@Entity final class PrefixRow: ManagedObject {
  var number: Int = 0
  @Attribute(.searchable(prefixes: [1, 2, 3])) var a: String?
  @Attribute(.searchable(prefixes: [1, 2, 3])) var b: String?
}

/// A row that is searched by parts of words, as SQLite's tokenizer `trigram` does.
@Entity final class PartRow: ManagedObject {
  var number: Int = 0
  @Attribute(.searchable(as: .parts)) var a: String?
}

extension WordRow: SearchedRow {
  static var texts: [ReferenceWritableKeyPath<WordRow, String?>] { [\.a, \.b, \.c, \.d] }
}

extension PrefixRow: SearchedRow {
  static var texts: [ReferenceWritableKeyPath<PrefixRow, String?>] { [\.a, \.b] }
}

extension PartRow: SearchedRow {
  static var texts: [ReferenceWritableKeyPath<PartRow, String?>] { [\.a] }
}

/// The same rows in a file with an index, and in memory.
///
/// Each question goes to both, and records an issue where the answers differ.
final class RowTable<Row: SearchedRow> {
  let store: SQLiteStore
  private let file: DataStack
  private let memory: DataStack
  private let folder: URL
  var path: String { Self.path(in: folder) }

  /// Makes a table of rows, whose numbers begin with 1.
  convenience init(_ rows: [[String?]]) throws {
    try self.init(numbered: rows.enumerated().map { ($0 + 1, $1) })
  }

  init(numbered rows: [(Int, [String?])]) throws {
    folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let model = try ManagedObjectModel([Row.self])
    store = try SQLiteStore(path: Self.path(in: folder), model: model)
    file = DataStack(store: store, classes: [Row.self])
    memory = DataStack(store: MemoryStore(model: model), classes: [Row.self])
    try insert(rows)
  }

  deinit {
    // A store that does not close, and what is left in the system's temporary folder, harm nobody.
    try? store.close()
    try? FileManager.default.removeItem(at: folder)
  }

  private static func path(in folder: URL) -> String {
    folder.appendingPathComponent("rows.sqlite").path
  }

  // MARK: - Writing

  /// Changes the rows of both stores in one transaction of each.
  func write(_ change: (ManagedObjectContext) throws -> Void) throws {
    for stack in [file, memory] {
      try stack.main.performAndWait { context in
        try change(context)
        try context.save()
      }
    }
  }

  func insert(_ rows: [(Int, [String?])]) throws {
    try write { context in
      for (number, texts) in rows { try Self.insert(number, texts, in: context) }
    }
  }

  static func insert(
    _ number: Int, _ texts: [String?], in context: ManagedObjectContext
  ) throws {
    let row = Row.create(in: context)
    row.number = number
    for (text, path) in zip(texts, Row.texts) { row[keyPath: path] = text }
  }

  static func row(_ number: Int, in context: ManagedObjectContext) throws -> Row {
    try #require(try Row.all(in: context).first { $0.number == number })
  }

  // MARK: - Asking

  private func both<Answer>(_ ask: (ManagedObjectContext) throws -> Answer) throws -> [Answer] {
    try [file, memory].map { stack in try stack.main.performAndWait { try ask($0) } }
  }

  /// The numbers of the rows that a request finds, in order.
  func numbers(_ request: TypedRequest<Row>, _ name: String = "") throws -> [Int] {
    let found = try both { try request.fetch(in: $0).map(\.number).sorted() }
    #expect(found[0] == found[1], "\(name)")
    return found[0]
  }

  /// The numbers of the rows that a search finds, in order.
  func numbers(_ typed: String) throws -> [Int] {
    let request = Row.search(Search(typed))
    let found = try numbers(request, typed)
    for ranked in try both({ try request.ranked(in: $0).map(\.object.number) }) {
      #expect(ranked.sorted() == found, "\(typed)")
    }
    return found
  }

  /// Asks for each text, and compares the numbers of the rows that the search finds.
  func expect(_ cases: [(typed: String, numbers: [Int])]) throws {
    for (typed, numbers) in cases {
      let found = try self.numbers(typed)
      #expect(found == numbers, "\(typed)")
    }
  }

  /// The numbers of the rows that a search finds, the best first.
  func ranked(_ typed: String) throws -> [Int] {
    let found = try both { context in
      try Row.search(Search(typed)).ranked(in: context).map { ($0.object.number, $0.rank) }
    }
    #expect(found[0].map(\.0) == found[1].map(\.0), "\(typed)")
    for (left, right) in zip(found[0], found[1]) {
      #expect(abs(left.1 - right.1) < 1e-9, "\(typed)")
    }
    return found[0].map(\.0)
  }

  /// The texts of one column in the rows that a search finds, with the words in brackets.
  func marked(_ typed: String, in column: Int = 0) throws -> [String] {
    try shown(typed) { hit in
      let path = Row.texts[column]
      guard let text = hit.object[keyPath: path] else { return "" }
      return Self.marked(text, try hit.ranges(in: path))
    }
  }

  /// Excerpts of one column of the rows that a search finds, with the words in brackets.
  func snippets(_ typed: String, in column: Int = 0, length: Int) throws -> [String] {
    try shown(typed) { hit in
      let snippet = try hit.snippet(of: Row.texts[column], length: length)
      return (snippet.isCutAtStart ? "..." : "") + Self.marked(snippet.text, snippet.ranges)
        + (snippet.isCutAtEnd ? "..." : "")
    }
  }

  private func shown(
    _ typed: String, _ show: (SearchHit<Row>) throws -> String
  ) throws -> [String] {
    let found = try both { context in
      try Row.search(Search(typed)).ranked(in: context).sorted {
        $0.object.number < $1.object.number
      }.map(show)
    }
    #expect(found[0] == found[1], "\(typed)")
    return found[0]
  }

  private static func marked(_ text: String, _ ranges: [Range<String.Index>]) -> String {
    var marked = text
    for range in ranges.reversed() {
      marked.replaceSubrange(range, with: "[" + text[range] + "]")
    }
    return marked
  }

  /// Words of the texts that begin with a text, those in most rows first.
  func suggestions(_ beginning: String, limit: Int = 10) throws -> [String] {
    try file.main.performAndWait { try Row.suggest(beginning, limit: limit, in: $0) }
  }

  /// Closes the file, and opens it again with a store of its own after statements of somebody else.
  func reopened<Answer>(
    after statements: String, _ ask: (SQLiteStore, DataStack) throws -> Answer
  ) throws -> Answer {
    try file.flush()
    try store.close()
    try Stranger(path).run(statements)
    let opened = try SQLiteStore(path: path, model: try ManagedObjectModel([Row.self]))
    let answer = try ask(opened, DataStack(store: opened, classes: [Row.self]))
    try opened.close()
    return answer
  }

  /// Compares the index with the rows.
  func expectSound() throws { #expect(try store.searchIndexProblems() == []) }
}
