// SPDX-License-Identifier: MIT
import Foundation
import ProbeTools
import RawStore
import Sporades
import SporadesSearch

@Entity final class Report: ManagedObject {
  @Attribute(.unique) var code: String = ""
  @Attribute(.searchable) var text: String = ""
  var author: Author?
}

@Entity final class Author: ManagedObject {
  var name: String = ""
  @Relationship(inverse: \Report.author) var reports: Set<Report>
}

/// Shows that a search costs what it finds, and not what is stored.
struct RareWord {
  private let sizes: [Int]
  private let folder: URL
  /// The rows with the word, in a store of any size.
  private static let found = 20
  private static let repeats = 300
  private static let limit = 2.0

  init(isFull: Bool, folder: URL) {
    sizes = isFull ? [10_000, 100_000, 1_000_000] : [10_000, 100_000]
    self.folder = folder
  }

  /// Prints a line per kind of search, and returns a sentence for each that grows.
  func run() throws -> [String] {
    Columns.line("µs at", sizes.map { "\($0 / 1_000) k" })
    let columns = try sizes.map { try microseconds($0) }
    var complaints: [String] = []
    for (place, title) in Self.titles.enumerated() {
      let times = columns.map { $0[place] }
      Columns.line(title, times.map { decimal($0, 0) })
      // The limit is for searches; a change is shown beside them.
      guard place < Self.titles.count - 1 else { continue }
      if let first = times.first, let last = times.last, last > first * Self.limit {
        complaints.append(
          "To \(title) takes \(decimal(last / first, 1)) times as long at \(sizes.last ?? 0) rows.")
      }
    }
    return complaints
  }

  private static let titles = [
    "find a rare word, ranked, with snippets", "fetch objects with a rare word",
    "count objects with a rare word", "change a text, synced to disk",
  ]

  private func microseconds(_ size: Int) throws -> [Double] {
    let path = folder.appendingPathComponent("reports-\(size).sqlite").path
    defer { for end in ["", "-wal", "-shm"] { unsafe unlink(path + end) } }
    var options = SQLiteStoreOptions()
    options.persistentHistory = .on
    try make(size, at: path, options)
    let service = DALService(
      sqlite: URL(fileURLWithPath: path), entities: [Report.self, Author.self],
      storeOptions: options)
    defer { try? service.close() }
    try service.prepareSearch()
    return [
      try median { try service.readValue { try Self.rank(in: $0) } },
      try median { try service.readValue { try Self.fetch(in: $0) } },
      try median { try service.readValue { try Self.count(in: $0) } },
      try median {
        try service.writeSync(durability: .immediate) { context in
          try Self.change(size, in: context)
        }.get()
      },
    ]
  }

  private func median(_ work: () throws -> Void) throws -> Double {
    let times = try (0..<Self.repeats).map { _ in
      let start = ContinuousClock.now
      try work()
      return milliseconds(since: start) * 1_000
    }
    return times.sorted()[Self.repeats / 2]
  }

  private static func rank(in context: ManagedObjectContext) throws {
    let hits = try Report.search("zwieback").ranked(in: context)
    precondition(hits.count == found, "The search found \(hits.count) objects.")
    for hit in hits {
      let snippet = try hit.snippet(of: \.text)
      precondition(!snippet.ranges.isEmpty, "A text has no mark.")
    }
  }

  private static func fetch(in context: ManagedObjectContext) throws {
    let reports = try Report.search("zwieback").fetch(in: context)
    precondition(reports.count == found, "The search found \(reports.count) objects.")
  }

  private static func count(in context: ManagedObjectContext) throws {
    let count = try Report.search("zwieback").count(in: context)
    precondition(count == found, "The search counted \(count) objects.")
  }

  /// Changes a report in the middle of the table.
  private static func change(_ size: Int, in context: ReportingContext) throws {
    let report = Report.first(where: \.code == "R\(size / 2)", in: context)
    report?.text = "dream \(Int.random(in: 0..<1_000_000)) of a ship"
  }

  private func make(_ size: Int, at path: String, _ options: SQLiteStoreOptions) throws {
    let service = DALService(
      sqlite: URL(fileURLWithPath: path), entities: [Report.self, Author.self],
      storeOptions: options)
    // A history has its tables once there was a write.
    try service.writeUntilCommitted { Author.create(in: $0).name = "The first" }
    try service.close()
    let database = RawDatabase(path)
    var random = SeededGenerator(seed: 7)
    let vocabulary = Vocabulary(20_000, &random)
    database.execute("BEGIN")
    RawReport.fill(database, size, texts: (0..<1_000).map { _ in vocabulary.story(&random).title })
    RawReport.mark(database, size, Self.found, "zwieback")
    database.execute("COMMIT")
    database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
  }
}
