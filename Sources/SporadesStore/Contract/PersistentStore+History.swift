// SPDX-License-Identifier: MIT

// Stores without a history.
extension PersistentStore {
  public var keepsHistory: Bool { false }

  public func historyEnds() throws(StoreError) -> HistoryEnds { throw lackOfHistory }

  /// The error of a store that keeps no history.
  public var lackOfHistory: StoreError {
    StoreError(
      .unsupported,
      "The store \(placeText) keeps no history. Open it with persistentHistory = .on in its options."
    )
  }
}
