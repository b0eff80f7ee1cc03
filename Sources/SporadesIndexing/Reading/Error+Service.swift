// SPDX-License-Identifier: MIT
import SporadesDAL
import SporadesStore

extension Error {
  /// The error that a block of the service threw, or the store's own.
  var withoutService: any Error {
    guard let error = self as? DALError else { return self }
    switch error.code {
    case .block(let cause): return cause
    case .store(let cause): return cause
    default: return error
    }
  }

  /// Transactions are gone from the history that the reader has not seen.
  var isExpiry: Bool { (withoutService as? StoreError)?.code == .historyExpired }
}
