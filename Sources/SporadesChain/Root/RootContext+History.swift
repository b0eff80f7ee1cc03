// SPDX-License-Identifier: MIT
package import SporadesStore

extension RootContext {
  /// Answers a request for the histories of the stores, after a commit of the accepted saves. The histories thus have
  /// every save that the caller knows of.
  package func answer(
    _ request: PersistentHistoryChangeRequest
  ) throws(StoreError) -> PersistentHistoryResult {
    var question = try HistoryQuestion(request)
    try commitExecuted()
    return try question.answer(from: store.historySources)
  }

  /// The place behind the last transaction of each store that keeps a history; nil if none does.
  package func historyToken(
    of stores: [any PersistentStore]
  ) throws(StoreError) -> PersistentHistoryToken? {
    try commitExecuted()
    var token = PersistentHistoryToken()
    for store in stores where store.keepsHistory {
      token[store.identifier] = try store.historyEnds().last
    }
    return token.numbers.isEmpty ? nil : token
  }
}
