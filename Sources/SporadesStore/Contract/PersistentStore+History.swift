// SPDX-License-Identifier: MIT

// Stores without a history.
extension PersistentStore {
  public var keepsHistory: Bool { false }

  public func history(
    _ range: HistoryRange
  ) throws(StoreError) -> [PersistentHistoryTransaction] { throw lackOfHistory }

  public func historyEnds() throws(StoreError) -> HistoryEnds { throw lackOfHistory }

  public func deleteHistory(before bound: HistoryBound) throws(StoreError) -> Int {
    throw lackOfHistory
  }

  public func historyReaders() throws(StoreError) -> [HistoryReader] { throw lackOfHistory }

  public func confirmHistory(_ reader: HistoryReader) throws(StoreError) { throw lackOfHistory }

  public func removeHistoryReader(named name: String) throws(StoreError) { throw lackOfHistory }

  /// The error of a store that keeps no history.
  package var lackOfHistory: StoreError {
    StoreError(
      .unsupported,
      "The store \(placeText) keeps no history. Open it with persistentHistory = .on in its options."
    )
  }
}
