// SPDX-License-Identifier: MIT
public import Foundation
import SporadesHistory
import SporadesModel
import SporadesStore

/// The form of the result of a request for histories.
public enum NSPersistentHistoryResultType: Int, Sendable {
  /// Whether there is anything.
  case statusOnly = 0
  /// The ids of the changed objects, each once.
  case objectIDs = 1
  /// The number of transactions, or of changes.
  case count = 2
  /// Transactions without their changes.
  case transactionsOnly = 3
  /// Changes, each with its transaction.
  case changesOnly = 4
  /// Transactions with their changes.
  case transactionsAndChanges = 5
}

/// A request for the history of stores: what was saved after a place, or the deletion of what was saved before it.
public final class NSPersistentHistoryChangeRequest: NSPersistentStoreRequest {
  /// The action of the request.
  enum Work {
    case fetch(Place)
    case delete(Place)
  }

  /// Where a history begins or ends.
  enum Place {
    case nowhere
    case date(Date)
    case token(NSPersistentHistoryToken)
    case transaction(NSPersistentHistoryTransaction)
  }

  let work: Work
  /// The form of the result.
  public var resultType: NSPersistentHistoryResultType
  /// The transactions or changes that the request is about. A deletion ends before the first transaction that does not satisfy the
  /// predicate, because a history has no gaps.
  public var fetchRequest: NSFetchRequest<any NSFetchRequestResult>?
  /// The place at which the request begins or ends; nil without one.
  public var token: NSPersistentHistoryToken? {
    switch work {
    case .fetch(.token(let token)), .delete(.token(let token)): token
    case .fetch(.transaction(let transaction)), .delete(.transaction(let transaction)):
      transaction.token
    default: nil
    }
  }

  private init(_ work: Work) {
    self.work = work
    resultType = if case .fetch = work { .transactionsAndChanges } else { .statusOnly }
    super.init()
  }

  private static func place(_ token: NSPersistentHistoryToken?) -> Place {
    token.map { .token($0) } ?? .nowhere
  }
  private static func place(_ transaction: NSPersistentHistoryTransaction?) -> Place {
    transaction.map { .transaction($0) } ?? .nowhere
  }

  // MARK: - Fetching

  /// Asks for everything that was saved after a moment.
  public class func fetchHistory(after date: Date) -> NSPersistentHistoryChangeRequest {
    NSPersistentHistoryChangeRequest(.fetch(.date(date)))
  }

  /// Asks for everything after the transactions that a token names; nil stands for the beginning.
  public class func fetchHistory(after token: NSPersistentHistoryToken?)
    -> NSPersistentHistoryChangeRequest
  {
    NSPersistentHistoryChangeRequest(.fetch(place(token)))
  }

  /// Asks for everything after a transaction, in its store; nil stands for the beginning.
  public class func fetchHistory(after transaction: NSPersistentHistoryTransaction?)
    -> NSPersistentHistoryChangeRequest
  {
    NSPersistentHistoryChangeRequest(.fetch(place(transaction)))
  }

  /// Asks for the transactions or changes that a fetch describes.
  public class func fetchHistory(withFetch fetchRequest: NSFetchRequest<any NSFetchRequestResult>)
    -> NSPersistentHistoryChangeRequest
  {
    let request = NSPersistentHistoryChangeRequest(.fetch(.nowhere))
    request.fetchRequest = fetchRequest
    return request
  }

  // MARK: - Deleting

  /// Deletes the transactions before the first one that was not made before a moment.
  public class func deleteHistory(before date: Date) -> NSPersistentHistoryChangeRequest {
    NSPersistentHistoryChangeRequest(.delete(.date(date)))
  }

  /// Deletes the transactions before those that a token names.
  public class func deleteHistory(before token: NSPersistentHistoryToken?)
    -> NSPersistentHistoryChangeRequest
  {
    NSPersistentHistoryChangeRequest(.delete(place(token)))
  }

  /// Deletes the transactions before another one, in its store.
  public class func deleteHistory(before transaction: NSPersistentHistoryTransaction?)
    -> NSPersistentHistoryChangeRequest
  {
    NSPersistentHistoryChangeRequest(.delete(place(transaction)))
  }

  public override var requestType: NSPersistentStoreRequestType {
    if case .fetch = work { .fetchRequestType } else { .batchDeleteRequestType }
  }

  public override var description: String {
    if case .fetch = work { "request for a history" } else { "deletion of a history" }
  }
}

/// The answer to a request for histories.
open class NSPersistentHistoryResult: NSPersistentStoreResult {
  /// A truth value, a number, or a list of ids, transactions or changes.
  public let result: Any?
  /// The form of the result.
  public let resultType: NSPersistentHistoryResultType

  init(_ result: Any?, _ resultType: NSPersistentHistoryResultType) {
    self.result = result
    self.resultType = resultType
  }
}
