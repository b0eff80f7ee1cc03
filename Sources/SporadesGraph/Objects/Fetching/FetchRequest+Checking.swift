// SPDX-License-Identifier: MIT
import SporadesModel

/// The kind of answer that a context executes a fetch request for.
enum FetchPurpose {
  case objects, ids, counts, aggregates

  /// The result types that a request for this purpose may have.
  fileprivate var resultTypes: [FetchRequest.ResultType] {
    switch self {
    case .objects, .aggregates: [.managedObject]
    case .ids: [.managedObject, .managedObjectID]
    case .counts: [.managedObject, .managedObjectID, .count]
    }
  }
}

extension FetchRequest {
  /// Throws for options that no context supports, so that none is ignored.
  func check(for purpose: FetchPurpose) throws(ContextError) {
    if !purpose.resultTypes.contains(resultType) {
      throw .unsupportedRequest(
        "A fetch request for \(entityName) has the result type .\(resultType), which \(remedy)")
    }
    if returnsDistinctResults {
      throw .unsupportedRequest(
        "A fetch request for \(entityName) asks for distinct results, but only dictionaries could "
          + "repeat, and no fetch returns dictionaries. Leave returnsDistinctResults false.")
    }
    if let mistake = describeWrongBound() {
      throw .unsupportedRequest("A fetch request for \(entityName) \(mistake).")
    }
  }

  private var remedy: String {
    switch resultType {
    case .managedObject: "does not fit here. Call fetch(_:)."
    case .managedObjectID: "fetchIDs(_:) answers. Call it, or set .managedObject."
    case .count: "count(_:) answers. Call it, or set .managedObject."
    case .dictionary: "does not exist. Fetch objects, ids, counts or aggregates."
    }
  }
}
