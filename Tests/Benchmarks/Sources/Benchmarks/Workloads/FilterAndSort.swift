// SPDX-License-Identifier: MIT
import RawStore
import Sporades

/// The hundred best players of an age whose last name begins with a letter: first by reading the
/// table, then, in a second file with an index on the age, through it.
struct FilterAndSort: Workload {
  static let key = "filter_sort"
  static let title = "filter by range and prefix, sort, limit 100"
  static let start = Template.players
  private static let index = "CREATE INDEX Z_Player_age ON ZPLAYER (ZAGE COLLATE BINARY ASC)"
  let sample: Sample

  init(_ sample: Sample) { self.sample = sample }

  func raw(on path: String, _ watch: inout Stopwatch) -> UInt64 {
    var sum = Checksum()
    do {
      let database = RawDatabase(path)
      watch.time("scanned") { raw(database, sample.searches.prefix(sample.scale.scans), &sum) }
    }
    Self.addIndex(path)
    let database = RawDatabase(path)
    watch.time("indexed") { raw(database, sample.searches.prefix(sample.scale.searches), &sum) }
    return sum.value
  }

  private static func addIndex(_ path: String) { RawDatabase(path).execute(index) }

  private func raw(
    _ database: borrowing RawDatabase, _ searches: ArraySlice<Sample.Search>,
    _ sum: inout Checksum
  ) {
    // The prefix is a range of texts in byte order: cheaper than LIKE, and what BEGINSWITH means.
    let statement = database.prepare(
      RawPlayer.select + """
         WHERE ZAGE >= ?1 AND ZAGE < ?2 AND ZLASTNAME >= ?3 AND ZLASTNAME < ?4 \
        ORDER BY ZSCORE DESC LIMIT 100
        """)
    for search in searches {
      for player in Self.players(search, statement) {
        sum.add(player.lastName.utf8.count)
        sum.add(Int(player.id))
      }
    }
  }

  private static func players(
    _ search: Sample.Search, _ statement: borrowing RawStatement
  ) -> [RawPlayer] {
    statement.bind(1, search.ages.lowerBound)
    statement.bind(2, search.ages.upperBound)
    var (prefix, end) = (search.prefix, search.end)
    return prefix.withUTF8 { prefix in
      end.withUTF8 { end in
        unsafe statement.bind(3, prefix)
        unsafe statement.bind(4, end)
        return RawPlayer.all(statement)
      }
    }
  }
}

extension FilterAndSort {
  func ours(on path: String, _ watch: inout Stopwatch) throws -> UInt64 {
    var sum = Checksum()
    try ours(path, sample.searches.prefix(sample.scale.scans), "scanned", &sum, &watch)
    Self.addIndex(path)
    try ours(path, sample.searches.prefix(sample.scale.searches), "indexed", &sum, &watch)
    return sum.value
  }

  private func ours(
    _ path: String, _ searches: ArraySlice<Sample.Search>, _ part: String, _ sum: inout Checksum,
    _ watch: inout Stopwatch
  ) throws {
    let service = try openService(path)
    defer { try? service.close() }
    try watch.time(part) {
      try service.readValue { context in
        for search in searches {
          for player in try context.fetch(Player.self, Self.request(search)) {
            sum.add(player.lastName.utf8.count)
            sum.add(Int(player.objectID.key.primaryKey))
          }
        }
      }
    }
  }

  private static func request(_ search: Sample.Search) -> FetchRequest {
    FetchRequest(
      "Player",
      where: .compare("age", .greaterOrEqual, Int(search.ages.lowerBound))
        && .compare("age", .less, Int(search.ages.upperBound))
        && .compare("lastName", .beginsWith, search.prefix),
      sortedBy: [SortTerm("score", ascending: false)], limit: 100)
  }
}
