// SPDX-License-Identifier: MIT

/// The capability of a store that tells its history, forgets the beginning of it, and keeps the places of named readers. It
/// throws what ``PersistentStore/lackOfHistory`` says while it keeps none.
public protocol HistoryStore: PersistentStore {
  /// The committed transactions of a part of the history, in the order of their numbers, each with all its changes.
  /// Empty if there are none. Throws ``StoreError/Code-swift.enum/historyExpired`` if transactions of the part are
  /// deleted.
  func history(_ range: HistoryRange) throws(StoreError) -> [PersistentHistoryTransaction]
  /// Deletes the transactions before a place, with their changes, and returns their number.
  func deleteHistory(before bound: HistoryBound) throws(StoreError) -> Int
  /// The named readers of the history, in the order of their names.
  func historyReaders() throws(StoreError) -> [HistoryReader]
  /// Keeps the place of a named reader. The next commit at the latest makes it permanent.
  func confirmHistory(_ reader: HistoryReader) throws(StoreError)
  /// Forgets a named reader.
  func removeHistoryReader(named name: String) throws(StoreError)
}
