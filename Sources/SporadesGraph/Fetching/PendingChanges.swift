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

  /// The objects that satisfy the fetch, in its order and within its bounds.
  func objects(_ fetch: StoreFetch) throws -> [ManagedObject] {
    guard !looksElsewhere(fetch) else {
      let rows = LinkedRows(context)
      return try subjects(fetch, rows).map(rows.object)
    }
    let membership = try FetchMembership(fetch, in: context)
    return bounded(try membership.sorted(found(fetch, membership)), fetch)
  }

  /// The rows that satisfy the fetch, in its order and within its bounds. No object is made.
  func subjects(_ fetch: StoreFetch) throws -> [RowSubject] {
    try subjects(fetch, LinkedRows(context))
  }

  private func subjects(_ fetch: StoreFetch, _ rows: LinkedRows) throws -> [RowSubject] {
    let membership = try FetchMembership(fetch, in: context)
    return bounded(try membership.sorted(found(fetch, membership, rows)), fetch)
  }

  private func bounded<Element>(_ sorted: [Element], _ fetch: StoreFetch) -> [Element] {
    Array(fetch.shown.elements(of: sorted))
  }

  // MARK: - Questions

  func answer(_ question: TableQuestion) throws -> TableAnswer {
    let prepared = try PreparedQuestion(question, context.model)
    if let answer = try combined(question, prepared) { return answer }
    return try prepared.answer(over: subjects(question.fetch))
  }

  /// The groups of the objects that did not change, as the parent answers, together with the changed objects. Nil if
  /// these do not make the answer.
  private func combined(
    _ question: TableQuestion, _ prepared: PreparedQuestion
  ) throws -> TableAnswer? {
    guard case .groups(let groups) = prepared.kind, !looksElsewhere(question.fetch),
      question.fetch.limit == nil, question.fetch.offset == 0
    else { return nil }
    let changed = candidates(for: wider(question.fetch, isWidened: true)).filter {
      question.fetch.family.contains($0.home.shape.number)
    }
    var rest = question
    rest.fetch.sortTerms = []
    rest.fetch.exclude(changed.filter { !$0.key.isTemporary }.map(\.objectID))
    var table = try unchanged(rest, groups)
    let membership = try FetchMembership(question.fetch, in: context)
    let subjects = try LinkedRows(context).subjects(of: changed).filter(membership.includes)
    try prepared.add(subjects, to: &table, groups)
    return try table.answer(to: question)
  }

  /// The groups of the rows that did not change: as the parent answers, or of the single values that it reads.
  private func unchanged(
    _ question: TableQuestion, _ groups: PreparedQuestion.Groups
  ) throws(StoreError) -> GroupTable {
    if let part = GroupTable.part(of: question, groups) {
      do {
        var table = GroupTable(groups)
        table.add(part: try context.source.answer(part))
        if !table.hasRoundedParts { return table }
      } catch  where error.underlying is AggregateShape.Overflow {
        // The sum with the changes may be one that fits.
      }
    }
    var table = GroupTable(groups)
    table.add(values: try context.source.answer(GroupTable.values(of: question, groups)))
    return table
  }

  // MARK: - Which objects to ask

  /// The fetch without its order and bounds, and without its predicate if that must be asked in memory.
  private func wider(_ fetch: StoreFetch, isWidened: Bool) -> StoreFetch {
    var wider = fetch
    (wider.limit, wider.offset, wider.sortTerms) = (nil, 0, [])
    if isWidened { wider.predicate = nil }
    return wider
  }

  /// The changed objects of the fetched tree that may satisfy the fetch.
  private func candidates(for fetch: StoreFetch) -> [ManagedObject] {
    index?.candidates(for: fetch, context.model)
      ?? few.filter { $0.home.shape.rootNumber == fetch.entity.rootNumber }
  }

  /// The objects that satisfy a predicate that reads no changes of other entities, in no order.
  private func found(
    _ fetch: StoreFetch, _ membership: FetchMembership
  ) throws -> [ManagedObject] {
    let wider = wider(fetch, isWidened: false)
    let stored = try context.storedObjects(wider)
    let changed = candidates(for: wider)
    // The parent has asked the predicate for objects that did not change.
    let unchanged = stored.filter { !$0.isRowChanged && !$0.isDeleted }
    let known = Set(changed.map(ObjectIdentifier.init))
    let others = stored.filter { $0.isRowChanged && !known.contains(ObjectIdentifier($0)) }
    return try unchanged + (changed + others).filter(membership.includes)
  }

  /// The rows that satisfy the predicate, in no order.
  private func found(
    _ fetch: StoreFetch, _ membership: FetchMembership, _ rows: LinkedRows
  ) throws -> [RowSubject] {
    let isWidened = looksElsewhere(fetch)
    let wider = wider(fetch, isWidened: isWidened)
    let stored = rows.subjects(of: try context.source.rows(wider))
    let changed = candidates(for: wider)
    let known = Set(changed.map(ObjectIdentifier.init))
    let others = stored.filter { $0.object.map { !known.contains(ObjectIdentifier($0)) } ?? true }
    let asked = rows.subjects(of: changed)
    guard !isWidened else { return try (others + asked).filter(membership.includes) }
    // The parent has asked the predicate for objects that did not change.
    return try others.filter { subject in
      guard let object = subject.object else { return true }
      return try object.isRowChanged ? membership.includes(subject) : !object.isDeleted
    } + asked.filter(membership.includes)
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
