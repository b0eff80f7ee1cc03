// SPDX-License-Identifier: MIT
package import SporadesStore

/// Why a save is not committed.
package enum CommitFailure: Sendable {
  /// A commit failed, and will be tried again.
  case notYet(StoreError)
  case lost(LostWrite)
}

/// What happens to saves after they were accepted.
package enum CommitEvent: Sendable {
  /// A commit failed that nobody waited for.
  case failed(StoreError)
  /// A save could not be kept.
  case lost(LostWrite, WriteReceipt?)
  /// A save that was reported as not durable was committed, or is lost.
  case settled(WriteReceipt)
}
