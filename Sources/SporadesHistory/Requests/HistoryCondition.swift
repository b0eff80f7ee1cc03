// SPDX-License-Identifier: MIT
import SporadesModel
import SporadesStore

/// Decides which transactions and changes a request fetches.
struct HistoryCondition {
  /// Whether the condition is one of changes.
  let isOfChanges: Bool
  private let evaluator: PredicateEvaluator?
  let order: SubjectOrder
  /// The part of the results that the request asks for.
  let shown: ShownPart
  /// The results have the order of the history, and no bounds.
  var isUnarranged: Bool { order.isEmpty && shown.isWhole }
  /// The condition or the order reads the changes of transactions.
  let readsChanges: Bool

  init(_ request: FetchRequest?) throws(StoreError) {
    let request = request ?? PersistentHistoryTransaction.fetchRequest()
    guard let shape = HistoryForm.shape(named: request.entityName) else {
      throw StoreError(
        .unsupported,
        "A history has no \(request.entityName). Make the fetch with PersistentHistoryTransaction.fetchRequest(…) or "
          + "PersistentHistoryChange.fetchRequest(…).")
    }
    if let wrong = request.describeWrongBound() {
      throw StoreError(.unsupported, "The fetch of a history \(wrong).")
    }
    isOfChanges = request.entityName == HistoryForm.change
    shown = ShownPart(offset: request.fetchOffset, limit: request.fetchLimit)
    var paths: [[String]] = []
    request.predicate?.forEachKeyPath { paths.append($0) }
    for term in request.sortTerms { term.expression.forEachKeyPath { paths.append($0) } }
    readsChanges = isOfChanges || paths.contains { $0.contains("changes") }
    do throws(FetchPredicateError) {
      evaluator = try request.predicate.map { predicate throws(FetchPredicateError) in
        try PredicateEvaluator(
          predicate.replacingIDs(HistoryForm.object), in: shape, HistoryForm.model)
      }
      order = try SubjectOrder(request.sortTerms, in: shape, HistoryForm.model)
    } catch { throw StoreError(refusing: error) }
  }

  /// The part of a transaction that satisfies the condition; nil if there is none.
  func part(
    of transaction: PersistentHistoryTransaction
  ) throws(StoreError) -> PersistentHistoryTransaction? {
    guard let evaluator else {
      return isOfChanges && transaction.changes?.isEmpty != false ? nil : transaction
    }
    do throws(FetchPredicateError) {
      guard isOfChanges else {
        return try evaluator.matches(HistorySubject.transaction(transaction)) ? transaction : nil
      }
      var changes: [PersistentHistoryChange] = []
      for change in transaction.changes ?? []
      where try evaluator.matches(HistorySubject.change(change)) { changes.append(change) }
      return changes.isEmpty
        ? nil : PersistentHistoryTransaction(transaction.facts, changes: changes)
    } catch { throw StoreError(refusing: error) }
  }

  // MARK: - Order and bounds

  func arranged(
    _ transactions: [PersistentHistoryTransaction]
  ) throws(StoreError) -> [PersistentHistoryTransaction] {
    try arranged(transactions) { .transaction($0) }
  }

  func arranged(
    _ changes: [PersistentHistoryChange]
  ) throws(StoreError) -> [PersistentHistoryChange] { try arranged(changes) { .change($0) } }

  private func arranged<Element>(
    _ all: [Element], _ subject: (Element) -> HistorySubject
  ) throws(StoreError) -> [Element] {
    var all = all
    if !order.isEmpty { all = try sorted(all, subject) }
    return shown.isWhole ? all : Array(shown.elements(of: all))
  }

  /// Elements that are equal by all terms stay in the order of the history.
  private func sorted<Element>(
    _ all: [Element], _ subject: (Element) -> HistorySubject
  ) throws(StoreError) -> [Element] {
    do throws(FetchPredicateError) {
      var keyed: [(place: Int, keys: [Value])] = []
      for (place, element) in all.enumerated() {
        keyed.append((place, try order.keys(of: subject(element))))
      }
      keyed.sort { left, right in
        let result = order.compare(left.keys, right.keys)
        return result == 0 ? left.place < right.place : result < 0
      }
      return keyed.map { all[$0.place] }
    } catch { throw StoreError(refusing: error) }
  }
}
