// SPDX-License-Identifier: MIT
import FoundationEssentials
import SporadesHistory
import SporadesModel
import SporadesStore

/// Compares the place of an index with a store.
struct PlaceCheck {
  let source: HistorySource
  /// The name of the index among the readers of the history.
  let name: String
  let contents: IndexContents

  /// The history goes on from the place: the index has the entities, and no transaction between is gone. The store is not
  /// another one, nor a copy that was made before the last transaction that the index has seen.
  func goesOn(from place: IndexPlace) throws(StoreError) -> Bool {
    let store = try source.store.tellingHistory()
    let ends = try store.historyEnds()
    guard place.storeID == store.identifier, place.contents == contents, place.edition > 0,
      place.changesOfNext >= 0, place.newest.number >= place.transactionNumber,
      ends.deleted...ends.last ~= place.transactionNumber, place.newest.number <= ends.last
    else { return false }
    if let cursor = place.cursor {
      guard contents.entities.contains(cursor.entity),
        0...RowKey.largestPrimaryKey ~= cursor.key
      else { return false }
    }
    guard try isKnown(place.newest, store) else { return false }
    return try fits(place)
  }

  /// The store has the transaction that the index has seen, and not another one of its number.
  private func isKnown(
    _ seen: SeenTransaction, _ store: any HistoryStore
  ) throws(StoreError) -> Bool {
    let now = try SeenTransaction(seen.number, of: source)
    if let before = seen.moment, let now = now.moment { return before == now }
    // A transaction that the reader has confirmed, in this very store, may be gone.
    let confirmed = try store.historyReaders().first(where: { $0.name == name })?.number
    return seen.number == 0 || (confirmed ?? -1) >= seen.number
  }

  /// The next transaction has the changes that the index knows.
  private func fits(_ place: IndexPlace) throws(StoreError) -> Bool {
    guard place.changesOfNext > 0 else { return true }
    let next = try source.history(HistoryRange(after: place.transactionNumber, limit: 1)).first
    return place.changesOfNext < next?.changes?.count ?? 0
  }
}

extension SeenTransaction {
  /// Looks a transaction up in a history.
  init(_ number: Int64, of source: HistorySource) throws(StoreError) {
    let ends = try source.store.historyEnds()
    guard number > 0, number > ends.deleted, number <= ends.last else {
      self.init(number: number, moment: nil)
      return
    }
    let range = HistoryRange(after: number - 1, includesChanges: false, limit: 1)
    let found = try source.history(range).first
    self.init(
      number: number,
      moment: found?.transactionNumber == number
        ? found?.timestamp.timeIntervalSinceReferenceDate.bitPattern : nil)
  }

  /// The last transaction of a history.
  static func newest(of source: HistorySource) throws(StoreError) -> SeenTransaction {
    try SeenTransaction(source.store.historyEnds().last, of: source)
  }
}
