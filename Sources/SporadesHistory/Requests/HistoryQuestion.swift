// SPDX-License-Identifier: MIT
import SporadesModel
import SporadesStore

/// Carries out a request for histories, store after store. It reads one part of a history at a time, and keeps of it
/// what the result needs.
struct HistoryQuestion {
  private let request: PersistentHistoryChangeRequest
  private let condition: HistoryCondition
  private var collection: HistoryCollection
  private var token = PersistentHistoryToken()
  private var deleted = 0

  init(_ request: PersistentHistoryChangeRequest) throws(StoreError) {
    self.request = request
    condition = try HistoryCondition(request.fetchRequest)
    collection = HistoryCollection(request.resultType, condition)
  }

  /// Asks the stores that keep a history. Throws if none of them does.
  mutating func answer(
    from sources: [HistorySource]
  ) throws(StoreError) -> PersistentHistoryResult {
    let asked = sources.filter { request.affectedStores?.contains($0.store.identifier) ?? true }
    let keeping = asked.filter(\.store.keepsHistory)
    guard !keeping.isEmpty else { throw asked.first?.store.lackOfHistory ?? Self.lackOfStores }
    try request.token?.requireStore(among: sources)
    let hasWritable = keeping.contains { !$0.store.isReadOnly }
    for source in keeping where !(request.isDeletion && hasWritable && source.store.isReadOnly) {
      switch request.work {
      case .fetch(let start): try fetch(start, from: source)
      case .delete(let end): try delete(before: end, in: source)
      }
    }
    var result = try collection.finish()
    result.token = token
    result.count += deleted
    return result
  }

  private static var lackOfStores: StoreError {
    StoreError(
      .noStore,
      "The request for a history names no store of the stack. Name one, or leave affectedStores nil."
    )
  }

  // MARK: - Deleting

  private mutating func delete(
    before end: PersistentHistoryChangeRequest.End, in source: HistorySource
  ) throws(StoreError) {
    let bound: HistoryBound
    switch end {
    case .date(let date): bound = .date(date)
    case .token(let token):
      guard let number = token[source.store.identifier] else { return }
      bound = .number(number)
    }
    deleted += try source.change { store throws(StoreError) in
      try store.deleteHistory(before: bound)
    }
  }

  // MARK: - Fetching

  private mutating func fetch(
    _ start: PersistentHistoryChangeRequest.Start, from source: HistorySource
  ) throws(StoreError) {
    let store = source.store
    let ends = try store.historyEnds()
    var range = HistoryRange(through: ends.last, includesChanges: needsChanges)
    switch start {
    case .beginning: break
    case .date(let date): range.since = date
    case .token(let token): range.after = token[store.identifier]
    }
    if let after = range.after { try ends.check(after, of: store.identifier) }
    token[store.identifier] = range.after
    guard !collection.isComplete else { return }
    token[store.identifier] = ends.last
    while true {
      let part = try source.history(range)
      for transaction in part {
        guard try passes(transaction) else {
          if request.endsAtMismatch { return }
          continue
        }
        if let found = try condition.part(of: transaction) { collection.add(found) }
        guard collection.isComplete else { continue }
        // A fetch of changes may have left out the rest of this transaction.
        token[store.identifier] =
          condition.isOfChanges ? range.after : transaction.transactionNumber
        return
      }
      guard let last = part.last?.transactionNumber, last < ends.last else { return }
      range.after = last
    }
  }

  private func passes(_ transaction: PersistentHistoryTransaction) throws(StoreError) -> Bool {
    guard let filter = request.filter else { return true }
    do { return try filter(transaction) } catch {
      throw StoreError(
        .unsupported, "The condition failed for \(transaction): \(error)", underlying: error)
    }
  }

  private var needsChanges: Bool {
    switch request.resultType {
    case .objectIDs, .changesOnly, .transactionsAndChanges: true
    case .statusOnly, .count, .transactionsOnly: condition.readsChanges || request.filter != nil
    }
  }
}

/// The answer that a request has found so far.
struct HistoryCollection {
  private let condition: HistoryCondition
  private var result: PersistentHistoryResult
  /// The transactions whose order or bounds are not decided yet.
  private var undecided: [PersistentHistoryTransaction] = []
  /// The number of transactions or changes that were found.
  private var found = 0
  private var seen: Set<ManagedObjectID> = []

  init(
    _ resultType: PersistentHistoryChangeRequest.ResultType, _ condition: HistoryCondition
  ) {
    self.condition = condition
    result = PersistentHistoryResult(resultType: resultType)
  }

  /// Nothing that follows can change the result.
  var isComplete: Bool {
    if result.resultType == .statusOnly, result.count > 0 { return true }
    return condition.order.isEmpty && condition.shown.isFull(with: found)
  }

  mutating func add(_ transaction: PersistentHistoryTransaction) {
    found += condition.isOfChanges ? transaction.changes?.count ?? 0 : 1
    if condition.isUnarranged { take(transaction) } else { undecided.append(transaction) }
  }

  mutating func finish() throws(StoreError) -> PersistentHistoryResult {
    let arranged =
      condition.isOfChanges
      ? Self.transactions(of: try condition.arranged(undecided.flatMap { $0.changes ?? [] }))
      : try condition.arranged(undecided)
    for transaction in arranged { take(transaction) }
    return result
  }

  /// Puts changes together by their transactions, in the order of the first change of each.
  private static func transactions(
    of changes: [PersistentHistoryChange]
  ) -> [PersistentHistoryTransaction] {
    var places: [ObjectIdentifier: Int] = [:]
    var groups: [(facts: PersistentHistoryTransaction.Facts, changes: [PersistentHistoryChange])] =
      []
    for change in changes {
      if let place = places[ObjectIdentifier(change.facts)] {
        groups[place].changes.append(change)
      } else {
        places[ObjectIdentifier(change.facts)] = groups.count
        groups.append((change.facts, [change]))
      }
    }
    return groups.map { PersistentHistoryTransaction($0.facts, changes: $0.changes) }
  }

  private mutating func take(_ transaction: PersistentHistoryTransaction) {
    let changes = transaction.changes ?? []
    result.count += condition.isOfChanges ? changes.count : 1
    switch result.resultType {
    case .statusOnly, .count: break
    case .transactionsOnly:
      result.transactions.append(PersistentHistoryTransaction(transaction.facts, changes: nil))
    case .transactionsAndChanges: result.transactions.append(transaction)
    case .changesOnly: result.changes += changes
    case .objectIDs:
      for change in changes where seen.insert(change.changedObjectID).inserted {
        result.objectIDs.append(change.changedObjectID)
      }
    }
  }
}
