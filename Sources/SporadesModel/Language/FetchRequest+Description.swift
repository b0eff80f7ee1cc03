// SPDX-License-Identifier: MIT

extension FetchRequest: CustomStringConvertible {
  /// The request as a sentence: `Book where pages > 300, sorted by title, limit 10`.
  public var description: String { description(ofEntity: entityName) }

  /// The sentence with another name for the entity.
  package func description(ofEntity name: String) -> String {
    ([name + (predicate.map { " where \($0)" } ?? "")] + bounds + columns + exceptions)
      .joined(separator: ", ")
  }

  private var bounds: [String] {
    var parts: [String] = []
    if !sortTerms.isEmpty { parts.append("sorted by \(Self.list(sortTerms))") }
    if let fetchLimit { parts.append("limit \(fetchLimit)") }
    if fetchOffset != 0 { parts.append("offset \(fetchOffset)") }
    if let fetchBatchSize { parts.append("in batches of \(fetchBatchSize)") }
    return parts
  }

  private var columns: [String] {
    var parts: [String] = []
    if returnsDistinctResults { parts.append("distinct") }
    if !propertiesToFetch.isEmpty { parts.append("fetching \(Self.list(propertiesToFetch))") }
    if !propertiesToGroupBy.isEmpty {
      parts.append("grouped by \(Self.list(propertiesToGroupBy))")
    }
    if let havingPredicate { parts.append("having \(havingPredicate)") }
    if !relationshipKeyPathsForPrefetching.isEmpty {
      parts.append("prefetching \(relationshipKeyPathsForPrefetching.joined(separator: ", "))")
    }
    return parts
  }

  private var exceptions: [String] {
    var parts: [String] = []
    if resultType != .managedObject { parts.append("as \(resultType)") }
    if !includesSubentities { parts.append("without subentities") }
    if !includesPendingChanges { parts.append("without unsaved changes") }
    if let affectedStores {
      parts.append("in the stores \(affectedStores.inOrder().joined(separator: ", "))")
    }
    if let timeout { parts.append("within \(timeout)") }
    return parts
  }

  private static func list(_ parts: [some CustomStringConvertible]) -> String {
    parts.map(\.description).joined(separator: ", ")
  }
}

extension SortTerm: CustomStringConvertible {
  /// The term as texts of terms have it: `lastname[cd] desc nils last`.
  public var description: String {
    let rules = collation.map { "[\($0.comparison.rawValue)]" } ?? options.format
    let place = nils.map { $0 == .first ? " nils first" : " nils last" } ?? ""
    return "\(spelling)\(rules)\(ascending ? "" : " desc")\(place)"
  }
}

extension ExpressionDescription: CustomStringConvertible {
  /// The expression, and its name where that is another: `pages.@max as longest`.
  public var description: String {
    let text = "\(expression)"
    return text == name ? text : "\(text) as \(name)"
  }
}
