// SPDX-License-Identifier: MIT

/// A question to a context or store: which objects of one entity, in which order, how many.
public struct FetchRequest: Hashable, Sendable {
  public var entityName: String
  public var predicate: FetchPredicate?
  public var sortTerms: [SortTerm]
  /// The largest number of results; 0 means no bound.
  public var fetchLimit: Int
  public var fetchOffset: Int
  /// The number of objects a walk holds at a time, see `fetchInBatches`; 0 leaves it to the context.
  /// A plain fetch with a batch size reads ids alone: its objects are faults, which fire together.
  public var fetchBatchSize: Int
  public var includesSubentities: Bool
  /// False reads ids alone: the objects are faults until one of them is read.
  public var includesPropertyValues: Bool
  public var includesPendingChanges: Bool
  /// False reads the values at once even where ``fetchBatchSize`` or ``includesPropertyValues`` put
  /// it off. Rows that were read cost nothing more, so there are no faults without those two.
  public var returnsObjectsAsFaults: Bool
  /// Objects with unsaved changes take over what the store has in properties they did not change;
  /// those without changes always do.
  public var shouldRefreshRefetchedObjects: Bool
  public var returnsDistinctResults: Bool
  public var relationshipKeyPathsForPrefetching: [String]
  public var resultType: ResultType
  /// The identifiers of the stores to look in; nil means all that hold the entity.
  public var affectedStores: Set<String>?

  public enum ResultType: Int, Hashable, Sendable {
    case managedObject = 0
    case managedObjectID = 1
    case dictionary = 2
    case count = 4
  }

  public init(
    _ entityName: String, where predicate: FetchPredicate? = nil, sortedBy terms: [SortTerm] = [],
    limit: Int = 0, offset: Int = 0
  ) {
    self.entityName = entityName
    self.predicate = predicate
    sortTerms = terms
    fetchLimit = limit
    fetchOffset = offset
    fetchBatchSize = 0
    includesSubentities = true
    includesPropertyValues = true
    includesPendingChanges = true
    returnsObjectsAsFaults = true
    shouldRefreshRefetchedObjects = false
    returnsDistinctResults = false
    relationshipKeyPathsForPrefetching = []
    resultType = .managedObject
    affectedStores = nil
  }
}

/// One step of an order: a key path and a direction.
///
/// Written as text, terms are separated by commas and may carry their direction:
/// `"lastname:NO,firstname"` is `lastname` descending, then `firstname` ascending.
public struct SortTerm: Hashable, Sendable {
  public var keyPath: [String]
  public var ascending: Bool
  public var options: FetchPredicate.TextOptions

  public init(
    _ keyPath: String, ascending: Bool = true, options: FetchPredicate.TextOptions = []
  ) {
    self.keyPath = keyPath.split(separator: ".").map(String.init)
    self.ascending = ascending
    self.options = options
  }

  /// The terms of a text such as `"lastname:NO,firstname"`; `ascending` is the direction of those
  /// that carry none.
  public static func parse(_ text: String, ascending: Bool = true) -> [SortTerm] {
    text.split(separator: ",").compactMap { part in
      let halves = part.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
      let path = halves[0].filter { !$0.isWhitespace }
      guard !path.isEmpty else { return nil }
      let direction = halves.count > 1 ? halves[1].filter { !$0.isWhitespace } : ""
      return SortTerm(path, ascending: direction.isEmpty ? ascending : isTrue(direction))
    }
  }

  /// Reads a direction as Foundation reads a truth value from text: by its first letter or digit,
  /// after a sign and zeros.
  private static func isTrue(_ text: String) -> Bool {
    let unsigned = text.first.map { "+-".contains($0) } == true ? text.dropFirst() : text[...]
    return unsigned.drop { $0 == "0" }.first.map { "YyTt123456789".contains($0) } ?? false
  }
}
