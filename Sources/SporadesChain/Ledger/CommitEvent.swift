// SPDX-License-Identifier: MIT
package import SporadesStore

/// The reason why a save is not committed.
package enum CommitFailure: Sendable {
  /// A commit failed. The root tries it again.
  case notYet(StoreError)
  /// The store cannot keep the save.
  case lost(LostWrite)
}

/// An event in the life of an accepted save.
package enum CommitEvent: Sendable {
  /// A background commit failed.
  case failed(StoreError)
  /// The store cannot keep a save.
  case lost(LostWrite, WriteReceipt?)
  /// A save that was reported as not durable is now committed or lost.
  case settled(WriteReceipt)
}
