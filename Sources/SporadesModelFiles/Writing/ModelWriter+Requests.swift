// SPDX-License-Identifier: MIT
import SporadesModel

// Fetch requests: templates of the model, and the requests of fetched properties.
extension ModelWriter {
  mutating func element(
    of fetched: FetchedPropertyDescription, _ entity: EntityDescription
  ) -> WrittenElement? {
    // Xcode gives each of these requests this name.
    let request = element(
      of: fetched.request, named: "fetchedPropertyFetchRequest", entity.name, fetched.name)
    guard let request else { return nil }
    var element = WrittenElement("fetchedProperty")
    element.set("name", fetched.name)
    element.setFlag("optional", fetched.isOptional)
    element.children = [request] + userInfo(fetched.userInfo)
    return element
  }

  /// The element of a request; nil, and reported, if a part of it has no place in a file.
  mutating func element(
    of request: FetchRequest, named name: String, _ entity: String?, _ owner: String
  ) -> WrittenElement? {
    let predicate = request.predicate?.readableFormat
    guard request.isWritable, request.predicate == nil || predicate != nil else {
      omit(
        .misplacedOption, entity, owner,
        "has a fetch request with a part that model files cannot hold: an order, prefetching, a limit of"
          + " 0, stores, values of dictionaries, or a condition without a text. It is left out.")
      return nil
    }
    var element = WrittenElement("fetchRequest")
    element.set("name", name)
    element.set("entity", request.entityName)
    element.set("predicateString", predicate)
    element.set("fetchLimit", request.fetchLimit.map { "\($0)" })
    if request.fetchOffset != 0 { element.set("fetchOffset", "\(request.fetchOffset)") }
    element.set("fetchBatchSize", request.fetchBatchSize.map { "\($0)" })
    if !request.includesSubentities { element.set("includeSubentities", "NO") }
    if !request.includesPropertyValues { element.set("includePropertyValues", "NO") }
    if !request.includesPendingChanges { element.set("includesPendingChanges", "NO") }
    if !request.returnsObjectsAsFaults { element.set("returnObjectsAsFaults", "NO") }
    element.setFlag("returnDistinctResults", request.returnsDistinctResults)
    if request.resultType != .managedObject {
      element.set("resultType", "\(request.resultType.rawValue)")
    }
    return element
  }
}

extension FetchRequest {
  /// A limit of 0 would mean no limit in a file.
  fileprivate var isWritable: Bool {
    fetchLimit != 0 && sortTerms.isEmpty && !shouldRefreshRefetchedObjects
      && relationshipKeyPathsForPrefetching.isEmpty && affectedStores == nil
      && propertiesToFetch.isEmpty && propertiesToGroupBy.isEmpty && havingPredicate == nil
  }
}

extension FetchPredicate {
  /// The text from which an equal predicate is read; nil if there is none.
  var readableFormat: String? {
    let text = predicateFormat
    // `try?`, because an unreadable text is the answer nil.
    return (try? FetchPredicate(format: text)) == self ? text : nil
  }
}
