// SPDX-License-Identifier: MIT
public import SporadesModel

/// The changes that other processes committed to a store since a place in its history.
public struct OthersChanges: Hashable, Sendable {
  /// The ids of the objects that they inserted, changed and deleted, and of the owners of changed links.
  public var ids: Set<ManagedObjectID> = []
  /// The ids of the objects that they inserted, which are among the others.
  public var inserted: Set<ManagedObjectID> = []
  /// The numbers of their transactions.
  public var transactions: Set<Int64> = []
  /// The number of the last transaction that this tells of.
  public var last: Int64

  /// Tells of nothing up to a transaction.
  public init(last: Int64) { self.last = last }

  /// Adds the changes of a transaction.
  public mutating func add(_ transaction: PersistentHistoryTransaction) {
    transactions.insert(transaction.transactionNumber)
    for change in transaction.changes ?? [] {
      ids.insert(change.changedObjectID)
      if change.changeType == .insert { inserted.insert(change.changedObjectID) }
    }
  }
}

extension PersistentStore {
  /// The commits of other processes behind a transaction; nil if the store keeps no history, or if
  /// there is too much of
  /// it to be worth telling. `isOwn` recognizes the transactions of this process.
  package func changesOfOthers(
    after number: Int64, where isOwn: (Int64) -> Bool
  ) throws(StoreError) -> OthersChanges? {
    guard keepsHistory else { return nil }
    let ends = try historyEnds()
    var changes = OthersChanges(last: ends.last)
    var range = HistoryRange(after: number, through: ends.last)
    while true {
      let part = try history(range)
      for transaction in part where !isOwn(transaction.transactionNumber) {
        changes.add(transaction)
      }
      guard changes.ids.count <= Self.mostIDsOfOthers else { return nil }
      guard let last = part.last?.transactionNumber, last < ends.last else { return changes }
      range.after = last
    }
  }

  /// With more rows, it costs less to read again what is in memory.
  private static var mostIDsOfOthers: Int { 10_000 }
}
