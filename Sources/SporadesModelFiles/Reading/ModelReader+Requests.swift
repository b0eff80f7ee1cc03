// SPDX-License-Identifier: MIT
import SporadesModel

// Fetch requests: templates of the model, and the requests of fetched properties.
extension ModelReader {
  mutating func readFetchedProperty(
    _ element: ModelElement, entity: String
  ) -> FetchedPropertyDescription? {
    let name = readPropertyName(element, entity: entity)
    let location = Location(element, entity: entity, property: name)
    warnOfUnknown(in: element, ["fetchRequest", "userInfo"], location)
    guard let child = element.children("fetchRequest").first else {
      warn(.malformedFile, location, "has no fetch request. The fetched property is left out.")
      return nil
    }
    guard
      let request = readFetchRequest(child, location, orElse: "The fetched property is left out.")
    else { return nil }
    var fetched = FetchedPropertyDescription(
      name, request, isOptional: readFlag("optional", of: element, location))
    fetched.userInfo = readUserInfo(element, location)
    return fetched
  }

  /// Reads a fetch request. If a part cannot be read without changing the results, the reader adds a
  /// warning and returns nil.
  mutating func readFetchRequest(
    _ element: ModelElement, _ location: Location, orElse remedy: String
  ) -> FetchRequest? {
    warnOfUnknown(in: element, ["userInfo"], location)
    guard let entity = element["entity"] else {
      warn(.malformedFile, location, "fetches no entity. \(remedy)")
      return nil
    }
    var request = FetchRequest(entity)
    if let text = element["predicateString"] {
      guard let predicate = readPredicate(from: text, location, orElse: remedy) else { return nil }
      request.predicate = predicate
    }
    request.fetchLimit = readBound("fetchLimit", of: element, location)
    request.fetchOffset = readCount("fetchOffset", of: element, location) ?? 0
    request.fetchBatchSize = readBound("fetchBatchSize", of: element, location)
    request.includesSubentities = readFlag(
      "includeSubentities", of: element, location, default: request.includesSubentities)
    request.includesPropertyValues = readFlag(
      "includePropertyValues", of: element, location, default: request.includesPropertyValues)
    request.includesPendingChanges = readFlag(
      "includesPendingChanges", of: element, location, default: request.includesPendingChanges)
    request.returnsObjectsAsFaults = readFlag(
      "returnObjectsAsFaults", of: element, location, default: request.returnsObjectsAsFaults)
    request.returnsDistinctResults = readFlag(
      "returnDistinctResults", of: element, location, default: request.returnsDistinctResults)
    request.resultType = readResultType(element, location)
    return request
  }

  /// Reads a limit or a batch size. In a file, as in Core Data, 0 means none.
  private mutating func readBound(
    _ name: String, of element: ModelElement, _ location: Location
  ) -> Int? {
    let count = readCount(name, of: element, location)
    return count == 0 ? nil : count
  }

  private mutating func readResultType(
    _ element: ModelElement, _ location: Location
  ) -> FetchRequest.ResultType {
    guard let number = readCount("resultType", of: element, location) else { return .managedObject }
    if let type = FetchRequest.ResultType(rawValue: number) { return type }
    warn(
      .malformedFile, location,
      "has the result type \(number), which is not 0 for objects, 1 for ids, 2 for dictionaries or"
        + " 4 for a count. It is read as 0.")
    return .managedObject
  }

  /// Reads a predicate. If the text cannot be read, the reader adds a warning and returns nil.
  mutating func readPredicate(
    from text: String, _ location: Location, orElse remedy: String
  ) -> FetchPredicate? {
    do throws(FetchPredicateError) {
      return try FetchPredicate(format: text)
    } catch {
      warn(
        .invalidPredicate, location, "has a predicate that cannot be read: \(error) \(remedy)")
      return nil
    }
  }
}
