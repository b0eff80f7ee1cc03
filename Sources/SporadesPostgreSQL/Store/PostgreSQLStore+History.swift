// SPDX-License-Identifier: MIT
import SporadesModel
import SporadesSQL
public import SporadesStore

extension PostgreSQLStore: HistoryStore {
  /// Whether the store records its change sets, as it was when it was opened.
  public var keepsHistory: Bool { plan.history != nil }

  /// Runs `body` on a connection, after the transactions that are committed by now have their numbers.
  private func readHistory<Output: Sendable>(
    asOne isOne: Bool = false, _ body: (HistoryReading) throws(StoreError) -> Output
  ) throws(StoreError) -> Output {
    guard keepsHistory else { throw lackOfHistory }
    // The numbers are a transaction of their own, which no cancellation stops half-way, and which only the primary takes.
    try onPrimary { (connection) throws(StoreError) in
      try HistoryReading(connection: connection, plan: plan).settle()
    }
    return try onPrimary { (connection) throws(StoreError) in
      let reading = ServerReading(connection: connection, plan: plan)
      return try isOne
        ? reading.asOne { (_) throws(StoreError) in
          try body(HistoryReading(connection: connection, plan: plan))
        } : body(HistoryReading(connection: connection, plan: plan))
    }
  }

  public func historyEnds() throws(StoreError) -> HistoryEnds {
    try readHistory { (history) throws(StoreError) in try history.ends() }
  }

  /// Returns the committed transactions of a part of the history, each with all its changes.
  public func history(
    _ range: HistoryRange
  ) throws(StoreError) -> [PersistentHistoryTransaction] {
    try readHistory(asOne: true) { (history) throws(StoreError) in
      if let after = range.after { try history.check(after) }
      return try history.transactions(range)
    }
  }

  /// Returns the commits of other writers behind the transaction with the number, also of those in this process; nil if the
  /// store keeps no history.
  public func changesOfOthers(after number: Int64) throws(StoreError) -> OthersChanges? {
    guard keepsHistory else { return nil }
    return try readHistory(asOne: true) { (history) throws(StoreError) in
      try history.check(number)
      return try history.changes(after: number, notBy: source.promises.client)
    }
  }

  // MARK: - Deleting

  /// Deletes the transactions before a place, and returns their number. Accepted changes are committed first.
  public func deleteHistory(before bound: HistoryBound) throws(StoreError) -> Int {
    guard keepsHistory else { throw lackOfHistory }
    try commit(.eventual)
    return try readHistory { (history) throws(StoreError) in
      try Cancellation.shielding { () throws(StoreError) in try history.delete(before: bound) }
    }
  }

  // MARK: - Readers

  public func historyReaders() throws(StoreError) -> [HistoryReader] {
    try readHistory { (history) throws(StoreError) in try history.readers() }
  }

  /// Keeps the place of a named reader. In an open transaction, it is committed with the transaction; if that is lost, the
  /// reader has its former place.
  public func confirmHistory(_ reader: HistoryReader) throws(StoreError) {
    guard keepsHistory else { throw lackOfHistory }
    let values: [ServerValue] = [
      .text(reader.name), .int8(reader.number), try HistoryReading.moment(reader.confirmedAt),
    ]
    try write { (writer) throws(StoreError) in
      try writer.note(HistoryTables.confirmation, values)
    }
  }

  public func removeHistoryReader(named name: String) throws(StoreError) {
    guard keepsHistory else { throw lackOfHistory }
    try commit(.eventual)
    try write { (writer) throws(StoreError) in
      try writer.note(HistoryTables.removalOfReader, [.text(name)])
    }
  }
}
