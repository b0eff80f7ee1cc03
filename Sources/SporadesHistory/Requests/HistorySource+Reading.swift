// SPDX-License-Identifier: MIT
package import SporadesStore

extension PersistentStore {
  /// The store as one that tells its history. Throws if it keeps none.
  package func tellingHistory() throws(StoreError) -> any HistoryStore {
    guard keepsHistory, let store = self as? any HistoryStore else { throw lackOfHistory }
    return store
  }
}

extension HistorySource {
  /// Reads a part of the store's history.
  package func history(
    _ range: HistoryRange
  ) throws(StoreError) -> [PersistentHistoryTransaction] {
    let part = try store.tellingHistory().history(range)
    guard let shared else { return part }
    return part.map { transaction in
      PersistentHistoryTransaction(
        transaction.facts,
        changes: transaction.changes?.map { $0.moved(to: shared($0.changedObjectID)) })
    }
  }

  /// Runs `body`, which changes the store's history. The store commits what it has accepted before that, so the other
  /// stores of a coordinator commit their parts of it, too.
  package func change<Output>(
    _ body: (any HistoryStore) throws(StoreError) -> Output
  ) throws(StoreError) -> Output {
    let store = try store.tellingHistory()
    guard let settling else { return try body(store) }
    var output: Output?
    try settling { () throws(StoreError) in output = try body(store) }
    guard let output else { preconditionFailure("The coordinator did not run the change.") }
    return output
  }
}
