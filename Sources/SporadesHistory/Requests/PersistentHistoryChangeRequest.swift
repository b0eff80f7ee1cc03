// SPDX-License-Identifier: MIT
public import FoundationEssentials
public import SporadesModel
public import SporadesStore

/// A request for the history of stores: what was saved after a place, or the deletion of what was saved before it.
///
/// ```swift
/// var request = PersistentHistoryChangeRequest.fetchHistory(after: token)
/// request.fetchRequest = PersistentHistoryTransaction.fetchRequest(where: try FetchPredicate(format: "author != %@", "widget"))
/// let result = try context.execute(request)
/// for transaction in result.transactions { print(transaction.changes ?? []) }
/// ```
public struct PersistentHistoryChangeRequest: Sendable {
  /// The form of a request's results.
  public enum ResultType: Int, Hashable, Sendable, CaseIterable {
    /// Whether there is anything.
    case statusOnly = 0
    /// The ids of the changed objects, each once.
    case objectIDs = 1
    /// The number of transactions; of changes, if the fetch is one of changes.
    case count = 2
    /// Transactions without their changes.
    case transactionsOnly = 3
    /// Changes, each with its transaction.
    case changesOnly = 4
    /// Transactions with their changes.
    case transactionsAndChanges = 5
  }

  /// The work of the request.
  enum Work: Sendable {
    case fetch(Start)
    case delete(End)
  }

  /// Where the fetched history begins.
  enum Start: Sendable {
    case beginning
    case token(PersistentHistoryToken)
    case date(Date)
  }

  /// Where the deleted history ends.
  enum End: Sendable {
    case token(PersistentHistoryToken)
    case date(Date)
  }

  let work: Work
  var isDeletion: Bool { if case .delete = work { true } else { false } }
  /// The form of the results. A deletion gives its number of transactions.
  public var resultType: ResultType
  /// The condition, the order and the bounds of the results; nil fetches all. Its entity is that of
  /// `PersistentHistoryTransaction.fetchRequest(where:sortedBy:limit:offset:)` or of
  /// `PersistentHistoryChange.fetchRequest(where:sortedBy:limit:offset:)`. A condition of changes leaves the other
  /// changes out of their transactions, and transactions without changes out of the results.
  public var fetchRequest: FetchRequest?
  /// The identifiers of the stores that the request asks; nil means all stores that keep a history.
  public var affectedStores: Set<String>?

  /// A further condition of transactions, beside that of the fetch.
  var filter: (@Sendable (PersistentHistoryTransaction) throws -> Bool)?
  /// The fetch ends in each store at the first transaction that does not satisfy the filter.
  var endsAtMismatch = false

  private init(_ work: Work, _ resultType: ResultType) {
    self.work = work
    self.resultType = resultType
  }

  // MARK: - Fetching

  /// Asks for everything after the transactions that a token names. Without a token, and in stores that it does not
  /// name, the history is fetched from its beginning.
  public static func fetchHistory(after token: PersistentHistoryToken?) -> Self {
    Self(.fetch(token.map(Start.token) ?? .beginning), .transactionsAndChanges)
  }

  /// Asks for everything that was saved after a moment.
  public static func fetchHistory(after date: Date) -> Self {
    Self(.fetch(.date(date)), .transactionsAndChanges)
  }

  /// Asks for everything after a transaction, in its store.
  public static func fetchHistory(after transaction: PersistentHistoryTransaction) -> Self {
    var request = fetchHistory(after: transaction.token)
    request.affectedStores = [transaction.storeID]
    return request
  }

  /// Asks for the transactions or changes that a fetch describes.
  public static func fetchHistory(withFetch fetchRequest: FetchRequest) -> Self {
    var request = fetchHistory(after: nil as PersistentHistoryToken?)
    request.fetchRequest = fetchRequest
    return request
  }

  // MARK: - Deleting

  /// Deletes the transactions before those that a token names. Stores that it does not name keep their history, and so do
  /// stores for reading only beside others.
  public static func deleteHistory(before token: PersistentHistoryToken) -> Self {
    Self(.delete(.token(token)), .count)
  }

  /// Deletes the transactions before the first one that was not made before a moment.
  public static func deleteHistory(before date: Date) -> Self {
    Self(.delete(.date(date)), .count)
  }

  /// Deletes the transactions before another one, in its store.
  public static func deleteHistory(before transaction: PersistentHistoryTransaction) -> Self {
    deleteHistory(before: transaction.token)
  }
}

extension PersistentHistoryTransaction {
  /// Describes which transactions a request fetches, and in which order. Predicates and terms name `transactionNumber`,
  /// `timestamp`, `storeID`, `author`, `contextName`, `bundleID`, `processID` and `changes`.
  public static func fetchRequest(
    where predicate: FetchPredicate? = nil, sortedBy terms: [SortTerm] = [], limit: Int? = nil,
    offset: Int = 0
  ) -> FetchRequest {
    FetchRequest(
      HistoryForm.transaction, where: predicate, sortedBy: terms, limit: limit, offset: offset)
  }
}

extension PersistentHistoryChange {
  /// Describes which changes a request fetches, and in which order. Predicates and terms name `changeID`, `changeType`
  /// (a ``ChangeType``), `changedObjectID`, `changedEntity` (the name of the entity) and `transaction`.
  public static func fetchRequest(
    where predicate: FetchPredicate? = nil, sortedBy terms: [SortTerm] = [], limit: Int? = nil,
    offset: Int = 0
  ) -> FetchRequest {
    FetchRequest(
      HistoryForm.change, where: predicate, sortedBy: terms, limit: limit, offset: offset)
  }
}

/// The answer to a ``PersistentHistoryChangeRequest``.
public struct PersistentHistoryResult: Sendable {
  /// The form of the results.
  public let resultType: PersistentHistoryChangeRequest.ResultType
  /// The transactions, if the request asks for them.
  public internal(set) var transactions: [PersistentHistoryTransaction] = []
  /// The changes, if the request asks for changes only.
  public internal(set) var changes: [PersistentHistoryChange] = []
  /// The ids of the changed objects, if the request asks for them, in the order of their first change.
  public internal(set) var objectIDs: [ManagedObjectID] = []
  /// The number of the results, or of the deleted transactions.
  public internal(set) var count = 0
  /// Something was found or deleted.
  public var status: Bool { count > 0 }
  /// The place behind everything that the request looked at, for the next request.
  public internal(set) var token = PersistentHistoryToken()
}
