// SPDX-License-Identifier: MIT
import SporadesModel

/// The kind of answer that a context executes a fetch request for.
enum FetchPurpose {
  case objects, ids, counts, aggregates, dictionaries

  /// The result types that a request for this purpose may have.
  fileprivate var resultTypes: [FetchRequest.ResultType] {
    switch self {
    case .objects, .aggregates: [.managedObject]
    case .ids: [.managedObject, .managedObjectID]
    case .counts: [.managedObject, .managedObjectID, .count, .dictionary]
    case .dictionaries: [.managedObject, .dictionary]
    }
  }
}

extension FetchRequest {
  /// Throws for options that no context supports, so that none is ignored.
  func check(for purpose: FetchPurpose) throws(ContextError) {
    if !purpose.resultTypes.contains(resultType) {
      throw refusal("has the result type .\(resultType), which \(remedy)")
    }
    if let mistake = describeWrongBound() { throw refusal("\(mistake).") }
    try purpose == .dictionaries ? checkForDictionaries() : checkForObjects(purpose)
  }

  private func checkForObjects(_ purpose: FetchPurpose) throws(ContextError) {
    guard resultType != .dictionary else { return }
    guard propertiesToFetch.isEmpty, propertiesToGroupBy.isEmpty, havingPredicate == nil else {
      throw refusal(
        "has values to fetch or to group by, which only dictionaries have. Call fetchDictionaries(_:), or leave out "
          + "propertiesToFetch, propertiesToGroupBy and havingPredicate.")
    }
  }

  private func checkForDictionaries() throws(ContextError) {
    let options: [(name: String, isSet: Bool)] = [
      ("relationshipKeyPathsForPrefetching", !relationshipKeyPathsForPrefetching.isEmpty),
      ("fetchBatchSize", fetchBatchSize != nil),
      ("shouldRefreshRefetchedObjects", shouldRefreshRefetchedObjects),
      ("includesPropertyValues = false", !includesPropertyValues),
      ("returnsObjectsAsFaults = false", !returnsObjectsAsFaults),
    ]
    guard let option = options.first(where: \.isSet) else { return }
    throw refusal(
      "for dictionaries has the option \(option.name), which concerns objects. Leave it out, or fetch objects."
    )
  }

  private func refusal(_ reason: String) -> ContextError {
    .unsupportedRequest("A fetch request for \(entityName) \(reason)")
  }

  private var remedy: String {
    switch resultType {
    case .managedObject: "does not fit here. Call fetch(_:)."
    case .managedObjectID: "fetchIDs(_:) answers. Call it, or set .managedObject."
    case .count: "count(_:) answers. Call it, or set .managedObject."
    case .dictionary: "fetchDictionaries(_:) answers. Call it, or set .managedObject."
    }
  }
}
