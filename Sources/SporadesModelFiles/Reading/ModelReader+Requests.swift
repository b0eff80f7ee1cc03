// SPDX-License-Identifier: MIT
import SporadesModel

/// Fetch requests, by name in the model or inside fetched properties.
extension ModelReader {
  mutating func fetchedProperty(
    _ element: ModelElement, entity: String
  ) -> FetchedPropertyDescription? {
    let name = propertyName(element, entity: entity)
    let place = Place(element, entity: entity, property: name)
    refuseUnknown(in: element, ["fetchRequest", "userInfo"], place)
    guard let child = element.children("fetchRequest").first else {
      report(.malformedFile, place, "has no fetch request, which it needs; add one.")
      return nil
    }
    guard let request = fetchRequest(child, place) else { return nil }
    var fetched = FetchedPropertyDescription(
      name, request, isOptional: flag("optional", of: element, place))
    fetched.userInfo = userInfo(element, place)
    return fetched
  }

  mutating func fetchRequest(_ element: ModelElement, _ place: Place) -> FetchRequest? {
    refuseUnknown(in: element, ["userInfo"], place)
    guard let entity = required("entity", of: element, place) else { return nil }
    var request = FetchRequest(entity)
    request.predicate = element["predicateString"].flatMap { predicate(from: $0, place) }
    request.fetchLimit = count("fetchLimit", of: element, place) ?? 0
    request.fetchOffset = count("fetchOffset", of: element, place) ?? 0
    request.fetchBatchSize = count("fetchBatchSize", of: element, place) ?? 0
    request.includesSubentities = flag(
      "includeSubentities", of: element, place, default: request.includesSubentities)
    request.includesPropertyValues = flag(
      "includePropertyValues", of: element, place, default: request.includesPropertyValues)
    request.includesPendingChanges = flag(
      "includesPendingChanges", of: element, place, default: request.includesPendingChanges)
    request.returnsObjectsAsFaults = flag(
      "returnObjectsAsFaults", of: element, place, default: request.returnsObjectsAsFaults)
    request.returnsDistinctResults = flag(
      "returnDistinctResults", of: element, place, default: request.returnsDistinctResults)
    request.resultType = resultType(element, place)
    return request
  }

  private mutating func resultType(
    _ element: ModelElement, _ place: Place
  ) -> FetchRequest.ResultType {
    guard let number = count("resultType", of: element, place) else { return .managedObject }
    if let type = FetchRequest.ResultType(rawValue: number) { return type }
    report(
      .malformedFile, place,
      "has the result type \(number); write 0 for objects, 1 for ids, 2 for dictionaries or 4 for a"
        + " count.")
    return .managedObject
  }

  /// A predicate that cannot be read is a problem of the model: without it the request would fetch
  /// what it was made to leave out.
  mutating func predicate(from text: String, _ place: Place) -> FetchPredicate? {
    do throws(FetchPredicateError) {
      return try FetchPredicate(format: text)
    } catch {
      report(
        .invalidPredicate, place,
        "has a predicate that cannot be read: \(error) Correct the predicate.")
      return nil
    }
  }
}
