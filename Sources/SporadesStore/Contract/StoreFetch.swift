// SPDX-License-Identifier: MIT
public import SporadesModel

/// A fetch as a store is asked for it: names resolved, variables substituted.
public struct StoreFetch: Sendable {
  public var entity: EntityShape { didSet { isChecked = false } }
  public var includesSubentities: Bool
  public var predicate: FetchPredicate? { didSet { isChecked = false } }
  public var sortTerms: [SortTerm] { didSet { isChecked = false } }
  /// The largest number of rows; 0 means no bound.
  public var limit: Int
  public var offset: Int
  /// The identifiers of the stores of a coordinator to look in; nil means all.
  public var affectedStores: Set<String>?
  private var isChecked = false

  public init(
    _ entity: EntityShape, includesSubentities: Bool = true, where predicate: FetchPredicate? = nil,
    sortedBy terms: [SortTerm] = [], limit: Int = 0, offset: Int = 0
  ) {
    self.entity = entity
    self.includesSubentities = includesSubentities
    precondition(
      limit >= 0 && offset >= 0,
      "A fetch of \(entity.name) has a limit of \(limit) and an offset of \(offset); neither is "
        + "negative.")
    self.predicate = predicate
    sortTerms = terms
    self.limit = limit
    self.offset = offset
  }

  /// Refuses a predicate or an order that does not fit the entity.
  ///
  /// Contexts check a fetch before anything is asked, and stores before they answer; what was checked
  /// once is not checked again.
  package mutating func check(_ model: ManagedObjectModel) throws(FetchPredicateError) {
    guard !isChecked else { return }
    try predicate?.validate(in: entity, model)
    _ = try SubjectOrder(sortTerms, in: entity, model)
    isChecked = true
  }

  /// How many rows come before the end of those that the offset and the limit mean.
  package var end: Int {
    guard limit > 0 else { return .max }
    let (end, isOver) = offset.addingReportingOverflow(limit)
    return isOver ? .max : end
  }

  /// All rows are wanted, in the order of their keys.
  package var isUnbounded: Bool {
    predicate == nil && sortTerms.isEmpty && limit == 0 && offset == 0
  }

  /// The numbers of the entities whose rows are wanted.
  public var family: ClosedRange<Int> {
    includesSubentities ? entity.family : entity.number...entity.number
  }
}

/// Which writes a reader sees.
public enum StoreView: Hashable, Sendable {
  /// All that were executed, committed or not.
  case accepted
  /// Those a commit has made part of the store.
  case committed
  /// Those a commit had made part of the store when the generation was made.
  case generation(StoreGeneration)
}

/// What a commit promises.
public enum Durability: Hashable, Sendable {
  /// The changes survive the end of the process, however it comes.
  case eventual
  /// The changes are on the disk, and survive the loss of power too.
  case immediate
}

/// An object that a to-many relationship leads to, as read from the other end.
public struct StoredLink: Hashable, Sendable {
  public let owner: RowKey
  public let other: RowKey
  /// The place of `other` among the objects the owner is linked to, where that side is ordered.
  public let position: Int64?

  public init(owner: RowKey, other: RowKey, position: Int64? = nil) {
    self.owner = owner
    self.other = other
    self.position = position
  }
}
