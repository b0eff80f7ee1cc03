// SPDX-License-Identifier: MIT
import SporadesHistory
import SporadesStore

/// The history behind a place, change by change. A part of it is in memory.
struct UnindexedHistory: Sendable {
  /// The number of the last transaction whose changes are all taken.
  private(set) var number: Int64
  /// The number of the next transaction's changes that are taken.
  private(set) var taken: Int
  private var waiting: ArraySlice<PersistentHistoryTransaction> = []
  /// The number of changes that are read at once.
  private static let limit = 1_000

  init(after place: IndexPlace) {
    number = place.transactionNumber
    taken = place.changesOfNext
  }

  /// Takes changes until so many of them are wanted, or until none is left. Changes that nobody wants are bounded, too.
  mutating func take(
    _ count: Int, from source: HistorySource, where isWanted: (PersistentHistoryChange) -> Bool
  ) throws(StoreError) -> [PersistentHistoryChange] {
    var wanted: [PersistentHistoryChange] = []
    var seen = 0
    while wanted.count < count, seen < Self.limit * 10 {
      guard let transaction = waiting.first else {
        waiting = try source.history(HistoryRange(after: number, limit: Self.limit))[...]
        if waiting.isEmpty { break }
        continue
      }
      let changes = transaction.changes ?? []
      while taken < changes.count, wanted.count < count {
        if isWanted(changes[taken]) { wanted.append(changes[taken]) }
        (taken, seen) = (taken + 1, seen + 1)
      }
      if taken >= changes.count {
        (number, taken) = (transaction.transactionNumber, 0)
        waiting.removeFirst()
        seen += 1
      }
    }
    return wanted
  }
}
