// SPDX-License-Identifier: MIT
import SporadesModel
import SporadesPostgreSQL
import SporadesSQL
import SporadesSearch
import SporadesStore

extension ServerSearchIndex: SearchKeeper {
  func prepare() throws(StoreError) {
    for table in try allTables() { try requireUpToDate(table) }
  }

  private func requireUpToDate(_ table: ServerIndexTable) throws(StoreError) {
    guard try bringUpToDate(table, committingAccepted: true) else {
      throw StoreError(
        .busy,
        "The search index of \(table.name) could not be made: the user may make no tables or triggers in the schema, the database "
          + "has another encoding than UTF8, or others keep the table for themselves. Correct that, or try again."
      )
    }
  }

  func rebuild(_ progress: (Double) throws -> Void) throws(StoreError) {
    let tables = try allTables()
    for (done, table) in tables.enumerated() {
      let upkeep = IndexUpkeep(store, table)
      try upkeep.empty()
      let key = table.dialect.quoted(table.search.key)
      let largest = try store.onPrimary { (connection) throws(StoreError) in
        try connection.run("SELECT max(\(key)) FROM \(table.dialect.quoted(table.name))")
          .integer(0, 0)
      }
      _ = try withoutActuallyEscaping(progress) { (progress) throws(StoreError) in
        try upkeep.bringUpToDate(
          committingAccepted: true,
          IndexProgress(progress, done: done, of: tables.count, lastKey: largest ?? 0))
      }
      try requireUpToDate(table)
    }
  }

  /// The names of all tables of indexes, also those of former models.
  private static let ownTables = """
    SELECT relname::text FROM pg_class WHERE relnamespace = current_schema()::regnamespace AND relkind = 'r' \
    AND (relname = 'sporades_search' OR relname LIKE 'sporades\\_search\\_%' OR relname LIKE 'sporades\\_changed\\_%')
    """

  func remove() throws(StoreError) {
    stopKeeping()
    try store.commit(.eventual)
    try store.onPrimary { (connection) throws(StoreError) in
      connection.keepsStatements = false
      defer { connection.keepsStatements = true }
      try connection.transact { () throws(StoreError) in
        try connection.run("SELECT set_config('lock_timeout', '10s', true)")
        try connection.takeTurn(store.options.schema)
        try connection.run("DROP FUNCTION IF EXISTS \(ServerLayout.noting) CASCADE")
        let names = try connection.run(Self.ownTables)
        for row in 0..<names.count {
          guard let name = names.text(row, 0) else { continue }
          try connection.run("DROP TABLE \(store.plan.dialect.quoted(name))")
        }
      }
    }
    store.noteSeen()
  }

  // MARK: - Words

  func suggestions(
    for beginning: String, in entity: EntityShape, limit: Int
  ) throws(StoreError) -> [String] {
    let table = try table(of: entity)
    guard table.search.form == .words else { throw StoreError(refusing: .noWords(entity)) }
    guard limit > 0, let word = SearchTokens.tokens(of: beginning, form: .words).last?.text,
      word.utf8.count <= TextVector.longestWord
    else { return [] }
    try requireUpToDate(table)
    return try store.onPrimary { (connection) throws(StoreError) in
      let answer = try connection.run(
        "SELECT word FROM ts_stat($1) WHERE starts_with(word, $2) ORDER BY ndoc DESC, word COLLATE \"C\" LIMIT $3",
        [.text(table.vectors(beginningWith: word)), .text(word), .int8(Int64(limit))])
      return (0..<answer.count).compactMap { answer.text($0, 0) }
    }
  }

  func statistics(of search: UnderstoodSearch) throws(StoreError) -> SearchStatistics? {
    let table = try table(of: search.entity)
    guard try bringUpToDate(table, committingAccepted: false) else { return nil }
    let query = WordQuery(table.search, search)
    return try store.onPrimary { (connection) throws(StoreError) -> SearchStatistics? in
      let totals = try connection.run(
        "SELECT rows, tokens FROM \(ServerIndexTable.states) WHERE name = $1", [.text(table.name)])
      guard let rows = totals.integer(0, 0), let tokens = totals.integer(0, 1), rows > 0 else {
        return nil
      }
      let counts = try connection.pipelined { (connection) throws(StoreError) in
        for phrase in query.phrases {
          let count: SQLFragment =
            "SELECT count(*) FROM \(name: table.index) WHERE \(query.condition(ofPhrase: phrase))"
          try connection.send(count.rendered(in: table.dialect))
        }
      }
      return SearchStatistics(
        rows: Int(rows), averageLength: Double(tokens) / Double(rows),
        found: counts.map { Int($0.integer(0, 0) ?? 0) })
    }
  }
}

extension ServerIndexTable {
  /// Selects the vectors of rows with a word that begins so.
  fileprivate func vectors(beginningWith word: String) -> String {
    let query = dialect.literal("'\(word)':*")
    let conditions = columns.map { "\($0) @@ \(query)::tsquery" }.joined(separator: " OR ")
    return
      "SELECT \(columns.joined(separator: " || ")) FROM \(dialect.quoted(index)) WHERE \(conditions)"
  }
}
