// SPDX-License-Identifier: MIT
public import SporadesModel
import SporadesSQL
public import SporadesSQLite
public import SporadesStore

extension SQLiteStore {
  /// Makes the search indexes that are missing or out of date, and keeps them in step from now on.
  ///
  /// The first search does the same. A server calls this when it starts, so that no request waits.
  public func prepareSearch() throws(StoreError) {
    let index = SearchIndex.of(self)
    for table in try index.tables.all() where !isReadOnly {
      try index.bringUpToDate(table, in: self, committingAccepted: true)
    }
  }

  /// Makes the search indexes anew, some thousand rows in a transaction, so that other writes go on. `progress` gets the part
  /// that is done, from 0 to 1, and ends the work by an error: the next search goes on with it.
  public func rebuildSearchIndex(
    _ progress: (Double) throws -> Void = { _ in }
  ) throws(StoreError) {
    let index = SearchIndex.of(self)
    let tables = try index.tables.all()
    for (done, table) in tables.enumerated() {
      let last = try examine(.accepted) { (connection) throws(StoreError) in
        try connection.rows(table.largestKey).first?.first?.integer ?? 0
      }
      try index.makeAnew(table, in: self, committingAccepted: true)
      try withoutActuallyEscaping(progress) { (progress) throws(StoreError) in
        try index.bringUpToDate(
          table, in: self, committingAccepted: true,
          IndexProgress(progress, done: done, of: tables.count, lastKey: last))
      }
    }
  }

  /// Compares the search indexes with the rows; an empty result means that both agree.
  public func searchIndexProblems() throws(StoreError) -> [String] {
    var problems: [String] = []
    let index = SearchIndex.of(self)
    for table in try index.tables.all() {
      if !isReadOnly {
        try index.bringUpToDate(table, in: self, committingAccepted: true)
      } else if try !index.isReady(table, in: self, .accepted, committingAccepted: false) {
        problems.append(Self.outOfDate(table.table.name))
        continue
      }
      problems += try examine(.accepted) { (connection) throws(StoreError) in
        try IndexComparison(table, connection).problems()
      }
      guard !isReadOnly else { continue }
      problems += try maintain { (connection) throws(StoreError) in
        try IndexComparison(table, connection).damage()
      }
    }
    return problems
  }

  /// Removes the search indexes with all their tables and triggers. The schema is then as if there had never been one. The
  /// next search makes them again.
  public func removeSearchIndex() throws(StoreError) {
    let index = SearchIndex.of(self)
    index.stopKeeping()
    try rearrange(committingAccepted: true) { (connection) throws(StoreError) in
      try IndexRemoval(connection).removeAll()
    }
  }

  /// The words in searchable texts of an entity that begin with a text, those in most rows first, without case and marks.
  public func searchSuggestions(
    for beginning: String, in entity: EntityShape, limit: Int = 10
  ) throws(StoreError) -> [String] {
    let index = SearchIndex.of(self)
    let table = try index.tables.table(of: entity)
    guard table.form == .words else { throw StoreError(refusing: .noWords(entity)) }
    guard let word = SearchTokens.tokens(of: beginning, form: .words).last?.text, limit > 0 else {
      return []
    }
    return try mending { () throws(StoreError) in
      guard try index.isReady(table, in: self, .accepted, committingAccepted: true) else {
        throw StoreError(.readOnly, Self.outOfDate(entity.name))
      }
      return try examine(.accepted) { (connection) throws(StoreError) in
        try connection.run(table.vocabulary)
        return try connection.rows(table.words(from: word, limit: limit)).compactMap { $0[0].text }
      }
    }
  }
}

extension SQLiteStore {
  private static func outOfDate(_ name: String) -> String {
    "The search index of \(name) is missing or out of date. Open the store for writing, and search once."
  }
}

extension SearchTable {
  fileprivate var largestKey: SQLStatement {
    ("SELECT max(\(name: key)) FROM \(name: table.name)" as SQLFragment).sqlite
  }

  private var vocabularyName: String { "\(index)_WORDS" }

  /// The list of the index's words, which a connection has for itself.
  fileprivate var vocabulary: SQLStatement {
    ("CREATE VIRTUAL TABLE IF NOT EXISTS temp.\(name: vocabularyName) USING fts5vocab(main, \(name: index), row)"
      as SQLFragment).sqlite
  }

  fileprivate func words(from beginning: String, limit: Int) -> SQLStatement {
    // No scalar comes behind the last one, so that all words with the beginning come before this text.
    let end = beginning + "\u{10FFFF}"
    return
      ("""
    SELECT term FROM temp.\(name: vocabularyName) WHERE term >= \(.text(beginning)) AND term < \(.text(end)) \
    ORDER BY doc DESC, term LIMIT \(.integer(Int64(limit)))
    """ as SQLFragment).sqlite
  }
}
