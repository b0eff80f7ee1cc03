// SPDX-License-Identifier: MIT
public import FoundationEssentials

/// One save in the history of a store: who made it, when, and what it changed.
public struct PersistentHistoryTransaction: Sendable {
  /// The facts of a transaction, which it shares with its changes.
  public final class Facts: Sendable {
    /// The number of the transaction in its store. Later transactions have larger numbers.
    public let number: Int64
    /// The moment of the save.
    public let timestamp: Date
    /// The identifier of the store.
    public let storeID: String
    /// The author that the context named.
    public let author: String?
    /// The name of the context.
    public let contextName: String?
    /// The identifier of the program's bundle.
    public let bundleID: String?
    /// The name of the process.
    public let processID: String?

    /// Collects the facts of a transaction.
    public init(
      number: Int64, timestamp: Date, storeID: String, author: String? = nil,
      contextName: String? = nil, bundleID: String? = nil, processID: String? = nil
    ) {
      self.number = number
      self.timestamp = timestamp
      self.storeID = storeID
      self.author = author
      self.contextName = contextName
      self.bundleID = bundleID
      self.processID = processID
    }
  }

  /// The facts, which the changes share.
  public let facts: Facts
  /// The changed objects, in the order in which the store wrote them; nil if the request did not ask for them.
  public let changes: [PersistentHistoryChange]?

  /// Puts a transaction together.
  public init(_ facts: Facts, changes: [PersistentHistoryChange]?) {
    self.facts = facts
    self.changes = changes
  }

  /// The number of the transaction in its store. Later transactions have larger numbers.
  public var transactionNumber: Int64 { facts.number }
  /// The moment of the save.
  public var timestamp: Date { facts.timestamp }
  /// The identifier of the store.
  public var storeID: String { facts.storeID }
  /// The author that the context named.
  public var author: String? { facts.author }
  /// The name of the context.
  public var contextName: String? { facts.contextName }
  /// The identifier of the program's bundle.
  public var bundleID: String? { facts.bundleID }
  /// The name of the process.
  public var processID: String? { facts.processID }
  /// The place in the store's history behind the transaction.
  public var token: PersistentHistoryToken { PersistentHistoryToken([storeID: transactionNumber]) }
}

extension PersistentHistoryTransaction: Hashable {
  public static func == (left: Self, right: Self) -> Bool {
    left.transactionNumber == right.transactionNumber && left.storeID == right.storeID
      && left.changes?.count == right.changes?.count
  }

  public func hash(into hasher: inout Hasher) {
    hasher.combine(transactionNumber)
    hasher.combine(storeID)
  }
}

extension PersistentHistoryTransaction: CustomStringConvertible {
  public var description: String {
    let what = changes.map { ", \($0.count) changes" } ?? ""
    return "transaction \(transactionNumber)\(author.map { " by \($0)" } ?? "")\(what)"
  }
}
