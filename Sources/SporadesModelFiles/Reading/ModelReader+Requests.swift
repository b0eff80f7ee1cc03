// SPDX-License-Identifier: MIT
import SporadesModel

/// Fetch requests, by name in the model or inside fetched properties.
extension ModelReader {
  mutating func fetchedProperty(
    _ element: ModelElement, entity: String
  ) -> FetchedPropertyDescription? {
    let name = propertyName(element, entity: entity)
    let place = Place(element, entity: entity, property: name)
    passOverUnknown(in: element, ["fetchRequest", "userInfo"], place)
    guard let child = element.children("fetchRequest").first else {
      warn(.malformedFile, place, "has no fetch request. The fetched property is left out.")
      return nil
    }
    guard let request = fetchRequest(child, place, orElse: "The fetched property is left out.")
    else { return nil }
    var fetched = FetchedPropertyDescription(
      name, request, isOptional: flag("optional", of: element, place))
    fetched.userInfo = userInfo(element, place)
    return fetched
  }

  /// Nil where the request would fetch something else than it was made for, which is a warning.
  mutating func fetchRequest(
    _ element: ModelElement, _ place: Place, orElse remedy: String
  ) -> FetchRequest? {
    passOverUnknown(in: element, ["userInfo"], place)
    guard let entity = element["entity"] else {
      warn(.malformedFile, place, "fetches no entity. \(remedy)")
      return nil
    }
    var request = FetchRequest(entity)
    if let text = element["predicateString"] {
      guard let predicate = predicate(from: text, place, orElse: remedy) else { return nil }
      request.predicate = predicate
    }
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
    warn(
      .malformedFile, place,
      "has the result type \(number), which is none of 0 for objects, 1 for ids, 2 for dictionaries"
        + " and 4 for a count. It is read as 0.")
    return .managedObject
  }

  /// Nil where the text is no predicate that can be read, which is a warning.
  mutating func predicate(
    from text: String, _ place: Place, orElse remedy: String
  ) -> FetchPredicate? {
    do throws(FetchPredicateError) {
      return try FetchPredicate(format: text)
    } catch {
      warn(
        .invalidPredicate, place, "has a predicate that cannot be read: \(error) \(remedy)")
      return nil
    }
  }
}
