// SPDX-License-Identifier: MIT
import SporadesChain
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
    return try historyRoot.answer(request)
  }

  /// The context under all parents, which knows the stores.
  private var historyRoot: RootContext {
    switch parent {
    case .store(let root): root
    case .generation(let generation): generation.root
    case .context(let source): source.root
    }
  }

  /// Merges the changes of a transaction, which another process or context saved. The values come from the store.
  public func mergeChanges(from transaction: PersistentHistoryTransaction) throws {
    checkQueue()
    try mergeChanges(fromRemote: transaction.objectIDNotification())
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
