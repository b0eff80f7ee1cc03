// SPDX-License-Identifier: MIT
public import SporadesModel

/// The reason why a ``FetchedResultsController`` cannot show its results.
public enum FetchedResultsError: DescribedError, Hashable, Sendable {
  /// An object belongs to a section that ended before it, because the order of the request does not
  /// keep the members of a section together.
  case sectionsOutOfOrder(section: String, object: ManagedObjectID)
  /// The request has an option that no results can follow; the text names it.
  case unsupportedRequest(String)
  /// The delegate of the controller called `performFetch()` while it was told of changes.
  case fetchedWhileReporting
  /// The cache with the name holds the sections of another request.
  case cacheOfAnotherRequest(name: String)
  /// The file of the cache with the name could not be read, written or removed.
  case cacheFailed(name: String, reason: String)
}

extension FetchedResultsError {
  public var description: String {
    switch self {
    case .sectionsOutOfOrder(_, let object):
      "\(object) belongs to a section that ended before it. Make the first sort term of the request the one that "
        + "keeps the members of a section together."
    case .unsupportedRequest(let reason): reason
    case .fetchedWhileReporting:
      "performFetch() was called while the delegate is told of changes. Call it after controllerDidChangeContent(_:)."
    case .cacheOfAnotherRequest(let name):
      "The cache \(name) holds the sections of another request. Give each request a cache name of its own, or call "
        + "deleteCache(withName:) before you change the request."
    case .cacheFailed(let name, let reason): "The cache \(name) failed: \(reason)"
    }
  }
}
