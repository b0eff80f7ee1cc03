// SPDX-License-Identifier: MIT

/// A question to a context or store: which objects of one entity, in which order, how many.
public struct FetchRequest: Hashable, Sendable {
  /// The name of the entity whose objects the fetch returns.
  public var entityName: String
  /// The condition that the objects satisfy; nil fetches all of them.
  public var predicate: FetchPredicate?
  /// The order of the results, the most significant term first. Terms of dictionaries may name values of
  /// ``propertiesToFetch``.
  public var sortTerms: [SortTerm]
  /// The largest number of results; nil means no limit, and 0 means no results.
  public var fetchLimit: Int?
  /// The number of results that the fetch leaves out at the beginning.
  public var fetchOffset: Int
  /// The number of objects that `fetchInBatches` holds at a time; nil lets the context choose.
  ///
  /// A plain fetch with a batch size reads only ids. Its objects are faults, and the first use of one
  /// reads the values of a whole batch.
  public var fetchBatchSize: Int?
  /// The fetch also returns objects of entities that inherit from the entity.
  public var includesSubentities: Bool
  /// The fetch reads values. Without values it reads only ids, and its objects are faults.
  public var includesPropertyValues: Bool
  /// The fetch considers changes that the context has not saved.
  public var includesPendingChanges: Bool
  /// The fetch may return faults.
  ///
  /// False makes the fetch read values even where ``fetchBatchSize`` or ``includesPropertyValues``
  /// postpone them. A fetch without those two options reads values anyway and returns no faults.
  public var returnsObjectsAsFaults: Bool
  /// Objects with unsaved changes take the store's values for the properties that they did not
  /// change. Objects without changes always take the store's values.
  public var shouldRefreshRefetchedObjects: Bool
  /// A fetch of dictionaries leaves out repeated ones. Objects, ids and counts never repeat.
  public var returnsDistinctResults: Bool
  /// The values of each dictionary; empty for all attributes and to-one relationships of the entity.
  ///
  /// A key path leads through to-one relationships to an attribute or an object, whose id is the value.
  public var propertiesToFetch: [ExpressionDescription]
  /// The values by which a fetch of dictionaries groups the objects; empty for no groups.
  ///
  /// There is one dictionary for each combination of these values. Its other values are computed over the
  /// group, such as ``FetchExpression/max(of:)-(String)``. A name of ``propertiesToFetch`` stands for its expression.
  public var propertiesToGroupBy: [ExpressionDescription]
  /// The condition that a group satisfies. A variable with a name of ``propertiesToFetch`` stands for its
  /// expression: `"$oldest > 30"`.
  public var havingPredicate: FetchPredicate?
  /// Key paths of relationships whose objects the fetch reads together with the results.
  public var relationshipKeyPathsForPrefetching: [String]
  /// The form of the results.
  public var resultType: ResultType
  /// The identifiers of the stores that the fetch reads; nil means all stores with the entity.
  public var affectedStores: Set<String>?
  /// The longest time that the fetch may take; nil lets the context decide, by its `fetchTimeout`. A fetch that takes
  /// longer is stopped and throws.
  public var timeout: Duration?

  /// The form of a fetch's results.
  public enum ResultType: Int, Hashable, Sendable {
    /// Objects.
    case managedObject = 0
    /// Ids of objects.
    case managedObjectID = 1
    /// Values by the names of properties.
    case dictionary = 2
    /// The number of objects.
    case count = 4
  }

  /// Asks for the objects of an entity and its subentities, with their values.
  public init(
    _ entityName: String, where predicate: FetchPredicate? = nil, sortedBy terms: [SortTerm] = [],
    limit: Int? = nil, offset: Int = 0
  ) {
    self.entityName = entityName
    self.predicate = predicate
    sortTerms = terms
    fetchLimit = limit
    fetchOffset = offset
    fetchBatchSize = nil
    includesSubentities = true
    includesPropertyValues = true
    includesPendingChanges = true
    returnsObjectsAsFaults = true
    shouldRefreshRefetchedObjects = false
    returnsDistinctResults = false
    propertiesToFetch = []
    propertiesToGroupBy = []
    havingPredicate = nil
    relationshipKeyPathsForPrefetching = []
    resultType = .managedObject
    affectedStores = nil
    timeout = nil
  }
}

extension FetchRequest {
  /// Describes a limit, offset or batch size that no fetch can have, with the remedy; nil if all fit.
  package func describeWrongBound() -> String? {
    if let fetchLimit, fetchLimit < 0 {
      return "has the fetchLimit \(fetchLimit); write nil for no limit, or 0 for no results"
    }
    if fetchOffset < 0 {
      return "has the fetchOffset \(fetchOffset); write 0 to leave out no results"
    }
    if let fetchBatchSize, fetchBatchSize < 1 {
      return "has the fetchBatchSize \(fetchBatchSize); write nil for no batches, or at least 1"
    }
    if let timeout, timeout < .zero {
      return "has the timeout \(timeout); write nil for none"
    }
    return nil
  }
}
