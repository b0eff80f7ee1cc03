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
    indexes = store.remembered { ServerIndexes(of: store) }
  }

  // MARK: - Tables

  func table(of entity: EntityShape) throws(StoreError) -> ServerIndexTable {
    try indexes.check()
    guard let table = indexes.tables[entity.rootNumber] else {
      let error = SearchError.notSearchable(entity)
      throw StoreError(.unsupported, error.description, underlying: error)
    }
    return table
  }

  /// The indexes in the order of the roots' numbers.
  func allTables() throws(StoreError) -> [ServerIndexTable] {
    try indexes.check()
    return indexes.tables.keys.sorted().compactMap { indexes.tables[$0] }
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
    var mapped = fetch
    var failure: StoreError?
    do throws(FetchPredicateError) {
      try mapped.check(store.model)
      mapped.predicate = try mapped.predicate?.mappingConditions {
        (condition, _) throws(FetchPredicateError) in
        guard let meaning = condition.meaning as? SearchMeaning,
          let understood = meaning.understood
        else { return condition }
        var condition = condition
        do throws(StoreError) { condition.meaning = try body(meaning, understood) } catch {
          failure = error
          throw FetchPredicateError(.unsupported, error.detail)
        }
        return condition
      }
    } catch {
      throw failure ?? StoreError(refusing: error)
    }
    return mapped
  }
}

/// What a store remembers of its indexes.
struct ServerIndexes: Sendable {
  /// The indexes by the numbers of the root entities.
  let tables: [Int: ServerIndexTable]
  private let mistake: SearchError?
  /// The names of the tables whose indexes were looked after.
  let kept = Guarded<Set<String>>([])

  init(of store: PostgreSQLStore) {
    let (plan, schema) = (store.plan, store.plan.dialect.quoted(store.options.schema))
    var tables: [Int: ServerIndexTable] = [:]
    do throws(SearchError) {
      for table in plan.layout.tables {
        guard let search = try SearchTable(table, plan.layout, plan.model) else { continue }
        tables[table.rootEntity] = ServerIndexTable(search, in: schema, plan.dialect)
      }
      mistake = nil
    } catch { mistake = error }
    self.tables = tables
  }

  func check() throws(StoreError) {
    if let mistake { throw StoreError(.unsupported, mistake.description, underlying: mistake) }
  }
}
