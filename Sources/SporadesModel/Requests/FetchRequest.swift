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
