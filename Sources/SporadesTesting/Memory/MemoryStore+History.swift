// SPDX-License-Identifier: MIT
public import SporadesStore

// The history of the store in memory.

extension MemoryStore: HistoryStore {
  public func history(
    _ range: HistoryRange
  ) throws(StoreError) -> [PersistentHistoryTransaction] {
    try withHistory { (history) throws(StoreError) in try history.read(range) }
  }

  public func historyEnds() throws(StoreError) -> HistoryEnds { try withHistory { $0.ends } }

  public func deleteHistory(before bound: HistoryBound) throws(StoreError) -> Int {
    try withHistory { $0.delete(before: bound) }
  }

  public func historyReaders() throws(StoreError) -> [HistoryReader] {
    try withHistory { $0.readers }
  }

  public func confirmHistory(_ reader: HistoryReader) throws(StoreError) {
    try withHistory { $0.confirm(reader) }
  }

  public func removeHistoryReader(named name: String) throws(StoreError) {
    try withHistory { $0.removeReader(named: name) }
  }
}
