// SPDX-License-Identifier: MIT
import SporadesModel

// Fetch requests: templates of the model, and the requests of fetched properties.
extension ModelUnarchiver {
  /// The flags of a request whose options are the usual ones. Real archives show no other value, so the
  /// meaning of the single flags is not known.
  private static let usualFlags: Int64 = 30

  /// Reads a fetch request. If a part cannot be read without changing the results, the reader adds a
  /// warning and returns nil.
  mutating func read(
    request: ArchivedValue, _ entity: String?, _ name: String, orElse remedy: String
  ) throws(PropertyListError) -> FetchRequest? {
    guard let fetched = try fetchedEntity(request) else {
      warn(.malformedFile, entity, name, "fetches no entity. \(remedy)")
      return nil
    }
    var description = FetchRequest(fetched)
    if let predicate = try request["NSPredicate"] {
      description.predicate = try readPredicate(predicate, entity, name, orElse: remedy)
      guard description.predicate != nil else { return nil }
    }
    for term in try Self.items(request["NSSortDescriptors"]) {
      guard let term = try read(sortTerm: term) else {
        warn(
          .malformedFile, entity, name,
          "sorts by a comparison that only the program knows. \(remedy)")
        return nil
      }
      description.sortTerms.append(term)
    }
    // An archive's 0 is no bound.
    let limit = try Self.integer(request["NSFetchLimit"], orElse: 0)
    description.fetchLimit = limit == 0 ? nil : limit
    let batch = try Self.integer(request["NSBatchSize"], orElse: 0)
    description.fetchBatchSize = batch == 0 ? nil : batch
    description.fetchOffset = try Self.integer(request["NSFetchOffset"], orElse: 0)
    description.relationshipKeyPathsForPrefetching = try Self.texts(
      request["NSRelationshipKeyPathsForPrefetching"])
    if try Self.flag(request["NSHasFetchRequestFlags"]),
      try Self.integer(request["NSFetchRequestFlags"], orElse: Self.usualFlags) != Self.usualFlags
    {
      warn(
        .misplacedOption, entity, name,
        "has options in a form that is not known. The request has the usual options.")
    }
    let type = try Self.integer(request["NSResultType"], orElse: 0)
    if let type = FetchRequest.ResultType(rawValue: type) {
      description.resultType = type
    } else {
      warn(.malformedFile, entity, name, "has the result type \(type). It is read as 0.")
    }
    return description
  }

  private func fetchedEntity(_ request: ArchivedValue) throws(PropertyListError) -> String? {
    guard let entity = try request["NSEntity"] else { return nil }
    return try Self.text(entity["NSEntityName"] ?? entity)
  }

  /// Reads a sort descriptor; nil if it compares in a way that no store knows.
  private func read(sortTerm: ArchivedValue) throws(PropertyListError) -> SortTerm? {
    let ascending = try Self.flag(sortTerm["NSAscending"])
    guard let key = try Self.optionalText(sortTerm["NSKey"]) else { return nil }
    switch try Self.optionalText(sortTerm["NSSelector"]) {
    case nil, "compare:": return SortTerm(key, ascending: ascending)
    case "caseInsensitiveCompare:":
      return SortTerm(key, ascending: ascending, options: .caseInsensitive)
    case let selector?:
      return TextCollation.Comparison(selector: selector).map { comparison in
        SortTerm(key, ascending: ascending, collation: TextCollation(comparison))
      }
    }
  }
}
