// SPDX-License-Identifier: MIT
import SporadesChain
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
  /// The question of which the fetch is a part.
  private let question: TableQuestion?

  /// Collects the changes of the context. Nil if they do not affect the fetch.
  init?(_ context: ManagedObjectContext, concerning fetch: StoreFetch) {
    self.init(context, fetch, nil)
  }

  /// Collects the changes of the context. Nil if they affect neither the fetch of the question nor the
  /// values that it reads.
  init?(_ context: ManagedObjectContext, concerning question: TableQuestion) {
    self.init(context, question.fetch, question)
  }

  private init?(
    _ context: ManagedObjectContext, _ fetch: StoreFetch, _ question: TableQuestion?
  ) {
    self.context = context
    self.question = question
    index = context.indexedChanges()
    few = index == nil ? context.changes.listed.filter(\.isRowChanged) : []
    if index == nil && few.isEmpty { return nil }
    guard touches(fetch) || looksElsewhere(fetch) else { return nil }
  }

  func objects(_ fetch: StoreFetch) throws -> [ManagedObject] {
    let sorted = try FetchMembership(fetch, in: context).sorted(found(fetch))
    let end = min(sorted.count, fetch.end)
    return Array(sorted[min(fetch.offset, end)..<end])
  }

  private func matches(
    among objects: [ManagedObject], _ fetch: StoreFetch
  ) throws -> [ManagedObject] {
    let membership = try FetchMembership(fetch, in: context)
    return try objects.filter(membership.includes)
  }

  func answer(_ question: TableQuestion) throws -> TableAnswer {
    let prepared = try PreparedQuestion(question, context.model)
    if let answer = try combined(question, prepared) { return answer }
    let subjects = try objects(question.fetch).lazy.map { ObjectSubject(object: $0) }
    return try prepared.answer(over: subjects)
  }

  /// The groups of the objects that did not change, as the parent answers, together with the changed objects. Nil if
  /// these do not make the answer.
  private func combined(
    _ question: TableQuestion, _ prepared: PreparedQuestion
  ) throws -> TableAnswer? {
    guard case .groups(let groups) = prepared.kind, !looksElsewhere(question.fetch),
      var part = GroupTable.part(of: question, groups)
    else { return nil }
    var wider = question.fetch
    wider.predicate = nil
    let changed = (index?.candidates(for: wider) ?? few).filter {
      wider.family.contains($0.home.shape.number)
    }
    part.fetch.exclude(changed.filter { !$0.key.isTemporary }.map(\.objectID))
    do {
      var table = GroupTable(groups)
      table.add(part: try context.source.answer(part))
      let subjects = try matches(among: changed, question.fetch)
        .map { ObjectSubject(object: $0) }
      try prepared.add(subjects, to: &table, groups)
      return try table.answer(to: question)
    } catch let error as StoreError where error.underlying is AggregateShape.Overflow {
      // The sum with the changes may be one that fits.
      return nil
    }
  }

  // MARK: - Which objects to ask

  /// The objects that satisfy the predicate, in no order.
  private func found(_ fetch: StoreFetch) throws -> [ManagedObject] {
    var wider = fetch
    wider.limit = nil
    wider.offset = 0
    wider.sortTerms = []
    let isWidened = looksElsewhere(fetch)
    if isWidened { wider.predicate = nil }
    let stored = try context.storedObjects(wider)
    let changed = index?.candidates(for: wider) ?? few
    if isWidened {
      let known = Set(stored.map(ObjectIdentifier.init))
      return try matches(
        among: stored + changed.filter { !known.contains(ObjectIdentifier($0)) }, fetch)
    }
    // The parent has asked the predicate for objects that did not change.
    let unchanged = stored.filter { !$0.isRowChanged && !$0.isDeleted }
    let known = Set(changed.map(ObjectIdentifier.init))
    let others = stored.filter { $0.isRowChanged && !known.contains(ObjectIdentifier($0)) }
    return try unchanged + matches(among: changed + others, fetch)
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
    for term in fetch.sortTerms { term.expression.forEachKeyPath(follow) }
    question?.forEachKeyPath(follow)
    return trees
  }
}

extension StoreFetch {
  /// Leaves out objects.
  fileprivate mutating func exclude(_ ids: [ManagedObjectID]) {
    guard !ids.isEmpty else { return }
    let isOneOfThem = FetchPredicate.comparison(
      .init(.subject, .isIn, .constant(.list(ids.map { .objectID($0) }))))
    predicate = predicate.map { $0 && !isOneOfThem } ?? !isOneOfThem
  }
}
