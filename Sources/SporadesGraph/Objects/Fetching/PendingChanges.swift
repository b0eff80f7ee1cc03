// SPDX-License-Identifier: MIT
import SporadesModel
import SporadesStore

/// The unsaved changes that affect a fetch.
///
/// Rules:
/// 1. If no object of the fetched entities changed, the store answers the fetch alone.
/// 2. If only objects of the fetched entity changed, the store's answer is corrected: changed
///    objects are taken out, and put back if they satisfy the predicate now.
/// 3. If there are many changes, an index finds those that can satisfy the predicate.
/// 4. If the predicate or the order reads other entities with changes, the predicate is evaluated
///    in memory for every object of the entity.
struct PendingChanges {
  private let context: ManagedObjectContext
  /// Nil if there are few changes.
  private let index: PendingIndex?
  /// All changed objects if there are few; else empty.
  private let few: [ManagedObject]
  /// The key paths that a question reads; empty for other fetches.
  private let paths: [[String]]

  /// Collects the changes of the context. Nil if they affect neither the fetch nor the values at
  /// the ends of the key paths.
  init?(
    _ context: ManagedObjectContext, concerning fetch: StoreFetch, reading paths: [[String]] = []
  ) {
    self.context = context
    self.paths = paths
    index = context.indexedChanges()
    few = index == nil ? context.changes.listed.filter(\.isRowChanged) : []
    if index == nil && few.isEmpty { return nil }
    guard touches(fetch) || looksElsewhere(fetch) else { return nil }
  }

  func objects(_ fetch: StoreFetch) throws -> [ManagedObject] {
    let evaluator = try fetch.predicate.map {
      try PredicateEvaluator($0, in: fetch.entity, context.model)
    }
    let all = try candidates(fetch).filter { object in
      try Cancellation.check()
      guard !object.isDeleted, fetch.family.contains(object.home.shape.number),
        context.isAffected(object, fetch)
      else { return false }
      return try evaluator?.matches(ObjectSubject(object: object)) ?? true
    }
    let sorted = try sort(all, fetch)
    let end = min(sorted.count, fetch.end)
    return Array(sorted[min(fetch.offset, end)..<end])
  }

  func answer(_ question: TableQuestion) throws -> TableAnswer {
    let prepared = try PreparedQuestion(question, context.model)
    let subjects = try objects(question.fetch).lazy.map { ObjectSubject(object: $0) }
    return try TableAnswer(prepared.answers(over: subjects))
  }

  // MARK: - Which objects to ask

  private func candidates(_ fetch: StoreFetch) throws -> [ManagedObject] {
    var wider = fetch
    wider.limit = nil
    wider.offset = 0
    wider.sortTerms = []
    if looksElsewhere(fetch) { wider.predicate = nil }
    let stored = try context.storedObjects(wider)
    let known = Set(stored.map(ObjectIdentifier.init))
    let changed = index?.candidates(for: wider) ?? few
    return stored + changed.filter { !known.contains(ObjectIdentifier($0)) }
  }

  private func touches(_ fetch: StoreFetch) -> Bool {
    if let index { return index.touches(fetch.family, ofRoot: fetch.entity.rootNumber) }
    return few.contains { fetch.family.contains($0.home.shape.number) }
  }

  /// Whether the predicate or the order reads other trees that have changes.
  private func looksElsewhere(_ fetch: StoreFetch) -> Bool {
    let trees = lookedAt(fetch)
    guard !trees.isEmpty else { return false }
    return !trees.isDisjoint(with: index?.roots ?? Set(few.map(\.home.shape.rootNumber)))
  }

  /// The trees that the key paths of the fetch lead through.
  private func lookedAt(_ fetch: StoreFetch) -> Set<Int> {
    var trees: Set<Int> = []
    func follow(_ path: [String]) {
      var shape = fetch.entity
      for name in path {
        guard case .relationship(let relationship)? = shape[name] else { return }
        shape = context.model.shape(numbered: relationship.destination)
        trees.insert(shape.rootNumber)
      }
    }
    fetch.predicate?.forEachKeyPath(follow)
    for term in fetch.sortTerms { follow(term.keyPath) }
    for path in paths { follow(path) }
    return trees
  }

  private func sort(_ objects: [ManagedObject], _ fetch: StoreFetch) throws -> [ManagedObject] {
    let order = try SubjectOrder(fetch.sortTerms, in: fetch.entity, context.model)
    let keyed = try objects.map {
      (keys: try order.keys(of: ObjectSubject(object: $0)), object: $0)
    }
    return keyed.sorted { left, right in
      let result = order.compare(left.keys, right.keys)
      return result != 0 ? result < 0 : left.object.key.comesBefore(right.object.key)
    }.map(\.object)
  }
}

extension RowKey {
  /// Orders stored rows by key, and new objects behind them by creation.
  fileprivate func comesBefore(_ other: RowKey) -> Bool {
    if isTemporary != other.isTemporary { return other.isTemporary }
    return isTemporary ? primaryKey > other.primaryKey : self < other
  }
}
