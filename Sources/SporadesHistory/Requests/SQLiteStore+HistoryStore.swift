// SPDX-License-Identifier: MIT
public import SporadesSQLite
public import SporadesStore

// The conformance stands here, so that a program without this module does not link what it needs.
extension SQLiteStore: HistoryStore {
  /// Returns the committed transactions of a part of the history, each with all its changes.
  public func history(
    _ range: HistoryRange
  ) throws(StoreError) -> [PersistentHistoryTransaction] { try transactions(range) }

  public func deleteHistory(before bound: HistoryBound) throws(StoreError) -> Int {
    try shortenHistory(before: bound)
  }

  public func historyReaders() throws(StoreError) -> [HistoryReader] { try namedReaders() }

  public func confirmHistory(_ reader: HistoryReader) throws(StoreError) {
    try keepPlace(of: reader)
  }

  public func removeHistoryReader(named name: String) throws(StoreError) {
    try forgetReader(named: name)
  }
}
