// SPDX-License-Identifier: MIT
import SporadesChain
import SporadesGraph
import SporadesModel
import SporadesSQL
import SporadesSQLite
import SporadesStore

/// A request whose results are ranked by its search.
struct RankedRequest {
  private let request: FetchRequest
  private let context: ManagedObjectContext
  private let fetch: StoreFetch
  private let understood: UnderstoodSearch
  /// The other conditions.
  private let others: FetchPredicate?

  init(_ request: FetchRequest, in context: ManagedObjectContext) throws {
    self.request = request
    self.context = context
    fetch = try context.checkedFetch(request)
    guard request.sortTerms.isEmpty else {
      throw SearchError(
        .notRanked,
        "The request for \(fetch.entity.name) has an order, and its results are in the order of their ranks. Leave the order out, "
          + "or fetch without ranks.")
    }
    let parts: [FetchPredicate] =
      switch fetch.predicate {
      case .and(let parts)?: parts
      case let predicate?: [predicate]
      case nil: []
      }
    var (searches, others) = ([SearchMeaning](), [FetchPredicate]())
    for part in parts {
      if case .open(let open) = part, let meaning = open.meaning as? SearchMeaning,
        open.operands.first == .subject
      {
        searches.append(meaning)
      } else {
        others.append(part)
      }
    }
    guard searches.count == 1, let understood = searches[0].understood else {
      throw SearchError(
        .notRanked,
        "The request for \(fetch.entity.name) has \(searches.count) searches that all results satisfy, and is ranked by one. "
          + "Begin with \(fetch.entity.name).search(…), and put other words into the same search.")
    }
    self.understood = understood
    self.others = others.isEmpty ? nil : others.count == 1 ? others[0] : .and(others)
  }

  func hits<Object: ManagedObject>() throws -> [SearchHit<Object>] {
    guard fetch.limit != 0 else { return [] }
    guard let (keys, scope) = try keysOfIndex() else { return try rankedInMemory() }
    let ids = keys.map { ManagedObjectID(key: $0.key, scope: scope) }
    let objects: [ManagedObjectID: Object] = try objects(ids)
    return zip(ids, keys).compactMap { id, key in objects[id].map { hit($0, key.rank) } }
  }

  private func hit<Object: ManagedObject>(_ object: Object, _ rank: Double) -> SearchHit<Object> {
    SearchHit(object: object, rank: -rank, query: understood.query)
  }

  /// The objects of ids, which one fetch reads.
  private func objects<Object: ManagedObject>(
    _ ids: [ManagedObjectID]
  ) throws -> [ManagedObjectID: Object] {
    guard !ids.isEmpty else { return [:] }
    var request = request
    request.predicate = .comparison(
      .init(.subject, .isIn, .constant(.list(ids.map { .objectID($0) }))))
    (request.sortTerms, request.fetchLimit, request.fetchOffset) = ([], nil, 0)
    let found = try context.fetch(Object.self, request)
    return Dictionary(found.map { ($0.objectID, $0) }) { first, _ in first }
  }

  // MARK: - By the index

  /// The keys of the results by the index of the only store; nil where unsaved changes or several stores take part.
  private func keysOfIndex() throws -> (keys: [(key: RowKey, rank: Double)], StoreScope)? {
    try context.readStore(within: request.timeout) {
      source, unsaved -> (keys: [(key: RowKey, rank: Double)], StoreScope)? in
      guard unsaved.isEmpty, let store = source.store as? SQLiteStore else { return nil }
      let view = try source.view
      let keys = try store.mending { () throws(StoreError) in try self.keys(in: store, view) }
      let scope = StoreScope(
        identifier: store.identifier, entityNames: store.model.shapes.map(\.name))
      return keys.map { ($0, scope) }
    }
  }

  private func keys(
    in store: SQLiteStore, _ view: StoreView
  ) throws(StoreError) -> [(key: RowKey, rank: Double)]? {
    let index = SearchIndex.of(store)
    let table = try index.tables.table(of: fetch.entity)
    guard try index.isReady(table, in: store, view, committingAccepted: false) else { return nil }
    guard let expression = table.expression(of: understood) else { return [] }
    var fetch = fetch
    (fetch.predicate, fetch.sortTerms) = (others, [])
    return try store.keys(
      fetch, foundIn: "\(name: table.index)",
      where: "\(name: table.index) MATCH \(.text(expression))",
      by: "\(name: table.index).rowid", rankedBy: "\(sql: table.rank)", in: view)
  }

  // MARK: - In memory

  /// The objects of so many results are in memory at once.
  private static let step = 500

  private func rankedInMemory<Object: ManagedObject>() throws -> [SearchHit<Object>] {
    var all = request
    (all.sortTerms, all.fetchLimit, all.fetchOffset) = ([], nil, 0)
    let found = try context.fetchIDs(all)
    let statistics = try self.statistics()
    let weights = try SearchColumn.all(of: fetch.entity, context.model).filter {
      understood.names.contains($0.name)
    }.map(\.weight)
    var ranks: [(id: ManagedObjectID, rank: Double)] = []
    for first in stride(from: 0, to: found.count, by: Self.step) {
      let some: [ManagedObjectID: Object] = try objects(
        Array(found[first..<min(first + Self.step, found.count)]))
      for (id, object) in some {
        let document = try document(of: object)
        ranks.append(
          (id, understood.query.score(document, weights: weights, statistics: statistics)))
      }
    }
    ranks.sort { ($0.rank, $0.id.key) < ($1.rank, $1.id.key) }
    let best = ranks.dropFirst(fetch.offset).prefix(fetch.limit ?? .max)
    let objects: [ManagedObjectID: Object] = try objects(best.map(\.id))
    return best.compactMap { id, rank in objects[id].map { hit($0, rank) } }
  }

  private func document(of object: ManagedObject) throws -> SearchDocument {
    let texts = try understood.names.map { name in
      (name: name, text: try value(at: name.propertyNames, of: object).text)
    }
    return SearchDocument(texts, form: understood.form)
  }

  private func value(at names: [String], of object: ManagedObject) throws -> Value {
    var value = object.value(forKey: names[0])
    for name in names.dropFirst() {
      guard case .objectID(let id) = value else { return .null }
      value = try context.existingObject(with: id).value(forKey: name)
    }
    return value
  }

  /// The numbers of the saved rows: those of the index, or those that all texts give.
  private func statistics() throws -> SearchStatistics {
    let ofIndex = try context.readStore(within: request.timeout) { source, _ -> SearchStatistics? in
      if let keeper = source.store.searchKeeper { return try keeper.statistics(of: understood) }
      guard let store = source.store as? SQLiteStore else { return nil }
      let view = try source.view
      return try store.mending { () throws(StoreError) in try self.statistics(of: store, view) }
    }
    if let ofIndex { return ofIndex }
    var question = TableQuestion(
      StoreFetch(fetch.entity), understood.names.map { FetchExpression.keyPath($0) })
    question.fetch.affectedStores = fetch.affectedStores
    let answer = try context.readStore(within: request.timeout) { source, _ in
      try source.store.answer(question, in: source.view)
    }
    let documents = (0..<answer.rowCount).lazy.map { row in
      SearchDocument(
        understood.names.enumerated().map { place, name in
          (name: name, text: answer[row, place].text)
        }, form: understood.form)
    }
    return understood.query.statistics(of: documents)
  }

  private func statistics(
    of store: SQLiteStore, _ view: StoreView
  ) throws(StoreError) -> SearchStatistics? {
    let index = SearchIndex.of(store)
    let table = try index.tables.table(of: fetch.entity)
    guard try index.isReady(table, in: store, view, committingAccepted: false) else { return nil }
    return try store.examine(view) { (connection) throws(StoreError) in
      try IndexStatistics(table, connection).statistics(of: understood)
    }
  }
}

extension SearchTable {
  /// The call of FTS5's function with the weights of the columns.
  var rank: String {
    "bm25(\"\(index)\", \(columns.map { "\($0.weight)" }.joined(separator: ", ")))"
  }
}
