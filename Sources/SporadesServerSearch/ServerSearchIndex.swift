// SPDX-License-Identifier: MIT
import SporadesModel
import SporadesPostgreSQL
import SporadesSQL
import SporadesSearch
import SporadesStore

/// The indexes of one store on a server.
///
/// Rules:
/// 1. Triggers note the key of each row whose texts change, in the writer's transaction, whoever writes.
/// 2. Before an answer, what is noted is indexed, under a lock, some thousand rows in a transaction.
/// 3. Keys that are noted in the state which an answer reads, and rows of which the index does not know all words, are candidates
///    whatever their texts are, and memory decides about them. So an answer is right in each state, how far the index may be.
/// 4. An index whose triggers, tables or definition are others than expected is made again before the first answer.
struct ServerSearchIndex: ServerCompanion {
  let store: PostgreSQLStore
  private let indexes: ServerIndexes

  init(of store: PostgreSQLStore) {
    self.store = store
    indexes = store.remembered {
      ServerIndexes(tables: SearchTables(store.plan.layout, store.plan.model))
    }
  }

  // MARK: - Tables

  func table(of entity: EntityShape) throws(StoreError) -> ServerIndexTable {
    table(try indexes.tables.table(of: entity))
  }

  /// The indexes in the order of the roots' numbers.
  func allTables() throws(StoreError) -> [ServerIndexTable] {
    try indexes.tables.all().map(table)
  }

  private func table(_ search: SearchTable) -> ServerIndexTable {
    let dialect = store.plan.dialect
    return ServerIndexTable(search, in: dialect.quoted(store.options.schema), dialect)
  }

  /// Brings an index up to date; false where this user or server does not allow it, or accepted changes do not, and searches
  /// read the texts.
  func bringUpToDate(
    _ table: ServerIndexTable, committingAccepted: Bool
  ) throws(StoreError) -> Bool {
    let isKept = try IndexUpkeep(store, table).bringUpToDate(
      committingAccepted: committingAccepted)
    indexes.kept.withLock { kept in
      if isKept { kept.insert(table.name) } else { kept.remove(table.name) }
    }
    return isKept
  }

  /// Searches look into the texts until an index was looked after again.
  func stopKeeping() { indexes.kept.withLock { $0 = [] } }

  // MARK: - Fetches

  func prepare(for fetch: StoreFetch) throws(StoreError) {
    var names: Set<String> = []
    _ = try mappingSearches(of: fetch) { (meaning, understood) throws(StoreError) in
      let table = try table(of: understood.entity)
      if names.insert(table.name).inserted {
        _ = try bringUpToDate(table, committingAccepted: false)
      }
      return meaning
    }
  }

  func bound(
    _ fetch: StoreFetch, on connection: ServerConnection, isOneState: Bool
  ) throws(StoreError) -> StoreFetch {
    var seen: [String: SeenIndex] = [:]
    return try mappingSearches(of: fetch) { (meaning, understood) throws(StoreError) in
      let table = try table(of: understood.entity)
      guard indexes.kept.withLock({ $0.contains(table.name) }) else { return meaning }
      let known = seen[table.name]
      let index = if let known { known } else { try SeenIndex(table, connection) }
      seen[table.name] = index
      guard index.isMade else { return meaning }
      let query = WordQuery(table.search, understood)
      guard !query.isEmpty else {
        return meaning.placed(amongKeys: "SELECT NULL::bigint WHERE FALSE", isExact: true)
      }
      let isExact = isOneState && index.isExact(for: query)
      return meaning.placed(
        amongKeys: table.keys(query.condition(isExact: isExact), isExact: isExact),
        isExact: isExact)
    }
  }

  private func mappingSearches(
    of fetch: StoreFetch,
    _ body: (SearchMeaning, UnderstoodSearch) throws(StoreError) -> SearchMeaning
  ) throws(StoreError) -> StoreFetch {
    try fetch.mappingMeanings(in: store.model) { (meaning) throws(StoreError) in
      guard let search = meaning as? SearchMeaning, let understood = search.understood else {
        return meaning
      }
      return try body(search, understood)
    }
  }
}

/// The indexes of a store, and those of them that its searches use.
struct ServerIndexes: Sendable {
  let tables: SearchTables
  /// The names of the tables whose indexes were looked after.
  let kept = Guarded<Set<String>>([])
}
