// SPDX-License-Identifier: MIT
import SporadesModel
import SporadesStore

extension PersistentHistoryToken {
  /// Refuses a token that names none of the stores, because their whole history would look new.
  func requireStore(among sources: [HistorySource]) throws(StoreError) {
    let own = sources.map(\.store.identifier)
    guard !numbers.isEmpty, !sources.isEmpty, !own.contains(where: { self[$0] != nil }) else {
      return
    }
    throw StoreError(
      .historyExpired,
      "The token belongs to another store: it names \(numbers.keys.inOrder().joined(separator: ", ")), and the store here is "
        + "\(own.joined(separator: ", ")). Read the objects anew, and the history after the current token."
    )
  }
}

extension PersistentHistoryChangeRequest {
  /// The token at which the request begins or ends; nil without one.
  var token: PersistentHistoryToken? {
    switch work {
    case .fetch(.token(let token)), .delete(.token(let token)): token
    default: nil
    }
  }
}
