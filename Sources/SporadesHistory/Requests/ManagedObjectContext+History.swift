// SPDX-License-Identifier: MIT
import SporadesChain
public import SporadesGraph
import SporadesModel
public import SporadesStore

extension ManagedObjectContext {
  /// Answers a request for the history of the stores, or shortens the history.
  ///
  /// The history has every save that reached the stores before the call, also one that a pinned context does not show.
  /// Changes that are not saved are not in it.
  @discardableResult
  public func execute(
    _ request: PersistentHistoryChangeRequest
  ) throws -> PersistentHistoryResult {
    checkQueue()
    var question = try HistoryQuestion(request)
    let root = rootBelowParents
    // The histories then have every save that the caller knows of.
    try root.commitExecuted()
    return try question.answer(from: root.store.historySources)
  }
}

extension ManagedObjectContext {
  /// Fetches the transactions that a descriptor describes, each with its changes.
  public func fetchHistory(
    _ descriptor: HistoryDescriptor = HistoryDescriptor()
  ) throws -> [PersistentHistoryTransaction] { try execute(descriptor.request).transactions }

  /// Deletes the transactions at the beginning of the history that satisfy the condition of a descriptor, and returns
  /// their number. The first transaction that does not satisfy it stays, and so do all after it: a history has no gaps.
  @discardableResult
  public func deleteHistory(_ descriptor: HistoryDescriptor) throws -> Int {
    var request = descriptor.request
    request.resultType = .transactionsOnly
    request.fetchRequest = nil
    request.endsAtMismatch = true
    let found = try execute(request)
    var last: [String: PersistentHistoryTransaction] = [:]
    for transaction in found.transactions { last[transaction.storeID] = transaction }
    var count = 0
    for transaction in last.values {
      let next = PersistentHistoryToken([
        transaction.storeID: transaction.transactionNumber + 1
      ])
      count += try execute(.deleteHistory(before: next)).count
    }
    return count
  }
}

extension ReportingContext {
  /// Answers a request for the history of the stores, or shortens the history.
  @discardableResult
  public func execute(
    _ request: PersistentHistoryChangeRequest
  ) throws -> PersistentHistoryResult { try managedObjectContext.execute(request) }
}
