// SPDX-License-Identifier: MIT
import SporadesChain
public import SporadesGraph
public import SporadesStore

extension DataStack {
  /// Returns the place behind the last transaction of the stack's stores, or of some of them. Nil if no store keeps a
  /// history.
  public func currentPersistentHistoryToken(
    fromStores stores: [any PersistentStore]? = nil
  ) throws(StoreError) -> PersistentHistoryToken? {
    try root.commitExecuted()
    var token = PersistentHistoryToken()
    for store in stores ?? persistentStores where store.keepsHistory {
      token[store.identifier] = try store.historyEnds().last
    }
    return token.numbers.isEmpty ? nil : token
  }
}
