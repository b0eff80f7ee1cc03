// SPDX-License-Identifier: MIT
public import FoundationEssentials
public import SporadesModel
public import SporadesStore

/// A description of transactions in SwiftData's form.
///
/// ```swift
/// let descriptor = HistoryDescriptor(
///   predicate: #Predicate { $0.author != "widget" }, after: token)
/// for transaction in try context.fetchHistory(descriptor) { … }
/// ```
public struct HistoryDescriptor: Sendable {
  /// The condition that the transactions satisfy; nil for all.
  public var predicate: Predicate<PersistentHistoryTransaction>?
  /// The place behind which the transactions begin; nil for the beginning.
  public var token: PersistentHistoryToken?
  /// The order; the order of the history without terms.
  public var sortBy: [SortTerm]
  /// The largest number of transactions; nil for no bound.
  public var fetchLimit: Int?

  /// Describes transactions.
  public init(
    predicate: Predicate<PersistentHistoryTransaction>? = nil,
    after token: PersistentHistoryToken? = nil, sortBy: [SortTerm] = [], fetchLimit: Int? = nil
  ) {
    self.predicate = predicate
    self.token = token
    self.sortBy = sortBy
    self.fetchLimit = fetchLimit
  }

  var request: PersistentHistoryChangeRequest {
    var request = PersistentHistoryChangeRequest.fetchHistory(after: token)
    request.fetchRequest = PersistentHistoryTransaction.fetchRequest(
      sortedBy: sortBy, limit: fetchLimit)
    if let predicate { request.filter = { try predicate.evaluate($0) } }
    return request
  }
}
