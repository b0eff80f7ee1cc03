// SPDX-License-Identifier: MIT
import Foundation
import SporadesGraph
import SporadesHistory
import SporadesMissingFoundation
import SporadesModel
import SporadesStore

extension NSPersistentHistoryChangeRequest: ExecutableRequest {
  func execute(in context: NSManagedObjectContext) throws -> NSPersistentStoreResult {
    try context.work { context in
      switch work {
      case .fetch(let start): return answer(try context.execute(try request(after: start)))
      case .delete(let end):
        let count = try delete(before: end, in: context)
        let result = resultType == .statusOnly ? NSNumber(value: count > 0) : NSNumber(value: count)
        return NSPersistentHistoryResult(result, resultType)
      }
    }
  }

  // MARK: - Fetching

  private func request(after start: Place) throws -> PersistentHistoryChangeRequest {
    var request =
      switch start {
      case .nowhere:
        PersistentHistoryChangeRequest.fetchHistory(after: nil as PersistentHistoryToken?)
      case .date(let date): PersistentHistoryChangeRequest.fetchHistory(after: date)
      case .token(let token): PersistentHistoryChangeRequest.fetchHistory(after: token.token)
      case .transaction(let transaction):
        PersistentHistoryChangeRequest.fetchHistory(after: transaction.transaction)
      }
    if let form = PersistentHistoryChangeRequest.ResultType(rawValue: resultType.rawValue) {
      request.resultType = form
    }
    request.fetchRequest = try condition()
    if let affectedStores { request.affectedStores = Set(affectedStores.compactMap(\.identifier)) }
    return request
  }

  /// The fetch of the request. A condition of tokens becomes one of the numbers of transactions.
  private func condition() throws -> FetchRequest? {
    guard var request = try fetchRequest?.request() else { return nil }
    request.predicate = request.predicate?.mappingOperands { operand in
      guard case .keyPath(let path) = operand, path.last == "token" else { return operand }
      return .keyPath(path.dropLast() + ["transactionNumber"])
    }
    return request
  }

  private func answer(_ result: PersistentHistoryResult) -> NSPersistentHistoryResult {
    let answer: Any =
      switch resultType {
      case .statusOnly: NSNumber(value: result.status)
      case .count: NSNumber(value: result.count)
      case .objectIDs: result.objectIDs
      case .changesOnly: result.changes.map { NSPersistentHistoryChange($0) }
      case .transactionsOnly, .transactionsAndChanges:
        result.transactions.map { NSPersistentHistoryTransaction($0) }
      }
    return NSPersistentHistoryResult(answer, resultType)
  }

  // MARK: - Deleting

  /// Returns the number of deleted transactions.
  private func delete(before end: Place, in context: ManagedObjectContext) throws -> Int {
    var request: PersistentHistoryChangeRequest
    switch end {
    case .nowhere: return 0
    case .date(let date): request = .deleteHistory(before: date)
    case .token(let token): request = .deleteHistory(before: token.token)
    case .transaction(let transaction):
      request = .deleteHistory(before: transaction.transaction)
      request.affectedStores = [transaction.storeID]
    }
    if let affectedStores { request.affectedStores = Set(affectedStores.compactMap(\.identifier)) }
    guard let condition = try condition(), condition.predicate != nil else {
      return try context.execute(request).count
    }
    var count = 0
    for (store, last) in try ends(of: condition, end, request.affectedStores, in: context) {
      var own = last.map { .deleteHistory(before: PersistentHistoryToken([store: $0])) } ?? request
      own.affectedStores = [store]
      count += try context.execute(own).count
    }
    return count
  }

  /// For each store, the number of the first transaction before the end that does not satisfy the condition; nil if all satisfy it.
  private func ends(
    of condition: FetchRequest, _ end: Place, _ stores: Set<String>?,
    in context: ManagedObjectContext
  ) throws -> [(store: String, last: Int64?)] {
    var request = PersistentHistoryChangeRequest.fetchHistory(after: nil as PersistentHistoryToken?)
    request.resultType = .transactionsOnly
    request.affectedStores = stores
    let all = try context.execute(request).transactions.filter(end.isBehind)
    request.fetchRequest = condition
    let passing = Set(try context.execute(request).transactions)
    var first: [String: Int64?] = [:]
    for transaction in all {
      let known = first[transaction.storeID] ?? nil
      let number = passing.contains(transaction) ? nil : transaction.transactionNumber
      first[transaction.storeID] = .some(known ?? number)
    }
    return first.map { (store: $0.key, last: $0.value) }
  }
}

extension NSPersistentHistoryChangeRequest.Place {
  /// Whether the place is behind a transaction, so that a deletion reaches it.
  fileprivate func isBehind(_ transaction: PersistentHistoryTransaction) -> Bool {
    switch self {
    case .nowhere: false
    case .date(let date): transaction.timestamp < date
    case .token(let token): transaction.isBefore(token.token)
    case .transaction(let other): transaction.isBefore(other.transaction.token)
    }
  }
}

extension PersistentHistoryTransaction {
  fileprivate func isBefore(_ token: PersistentHistoryToken) -> Bool {
    token[storeID].map { transactionNumber < $0 } ?? false
  }
}
