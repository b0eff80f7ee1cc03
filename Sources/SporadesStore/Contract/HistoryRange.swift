// SPDX-License-Identifier: MIT
public import FoundationEssentials

/// The part of a history that a store reads at once.
public struct HistoryRange: Hashable, Sendable {
  /// The number of the last transaction that the reader knows; nil for a reader that takes what is there.
  public var after: Int64?
  /// The largest number of a transaction; nil for no bound.
  public var through: Int64?
  /// The moment after which the transactions were made; nil for any time.
  public var since: Date?
  /// The transactions come with their changes.
  public var includesChanges: Bool
  /// The number of changes after which the part ends, with the transaction in which it reaches them. Without changes,
  /// the number of transactions.
  public var limit: Int

  /// Asks for the transactions after a number.
  public init(
    after: Int64? = nil, through: Int64? = nil, since: Date? = nil, includesChanges: Bool = true,
    limit: Int = 10_000
  ) {
    self.after = after
    self.through = through
    self.since = since
    self.includesChanges = includesChanges
    self.limit = limit
  }
}

/// The place up to which transactions are deleted.
public enum HistoryBound: Hashable, Sendable {
  /// All transactions with smaller numbers.
  case number(Int64)
  /// All transactions before the first one that was not made before the moment.
  case date(Date)
}

/// The first and the last place of a history.
public struct HistoryEnds: Hashable, Sendable {
  /// The number of the last deleted transaction; 0 if the history is whole. A reader that knows fewer transactions has
  /// missed some.
  public let deleted: Int64
  /// The number of the last transaction; 0 if there was none.
  public let last: Int64

  /// Describes a history by its ends.
  public init(deleted: Int64, last: Int64) {
    self.deleted = deleted
    self.last = last
  }

  /// Refuses a reader whose last transaction has the number, if the history lacks transactions after it.
  public func check(_ number: Int64, of store: String) throws(StoreError) {
    guard number < deleted || number > last else { return }
    throw StoreError(
      .historyExpired,
      number < deleted
        ? "The history of the store \(store) begins after transaction \(deleted), and the reader knows it up to "
          + "\(number) only. Read the objects anew, and the history after the current token."
        : "The history of the store \(store) ends with transaction \(last), before transaction \(number) of the "
          + "reader's token. The file is an older copy. Read the objects anew, and the history after the current token."
    )
  }
}

/// A named reader of a store's history, and how far it has come.
public struct HistoryReader: Hashable, Sendable {
  /// The name of the reader.
  public let name: String
  /// The number of the last transaction that the reader has confirmed.
  public let number: Int64
  /// The moment of the last confirmation.
  public let confirmedAt: Date

  /// Describes a reader.
  public init(name: String, number: Int64, confirmedAt: Date) {
    self.name = name
    self.number = number
    self.confirmedAt = confirmedAt
  }
}
