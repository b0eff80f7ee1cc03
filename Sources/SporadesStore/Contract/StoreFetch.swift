// SPDX-License-Identifier: MIT
import FoundationEssentials
public import SporadesModel

/// A fetch for a store, with a resolved entity and without variables.
public struct StoreFetch: Sendable {
  /// The entity of the rows.
  public var entity: EntityShape {
    get { content.parts.entity }
    set { change { $0.entity = newValue } }
  }
  /// The fetch also returns rows of entities that inherit from the entity.
  public var includesSubentities: Bool {
    get { content.parts.includesSubentities }
    set { change { $0.includesSubentities = newValue } }
  }
  /// The condition that the rows satisfy; nil fetches all of them.
  public var predicate: FetchPredicate? {
    get { content.parts.predicate }
    set { change { $0.predicate = newValue } }
  }
  /// The order of the rows, the most significant term first.
  public var sortTerms: [SortTerm] {
    get { content.parts.sortTerms }
    set { change { $0.sortTerms = newValue } }
  }
  /// The largest number of rows; nil means no limit, and 0 means no rows.
  public var limit: Int? {
    get { content.parts.limit }
    set { changeBounds { $0.limit = newValue } }
  }
  /// The number of rows that the fetch leaves out at the beginning.
  public var offset: Int {
    get { content.parts.offset }
    set { changeBounds { $0.offset = newValue } }
  }
  /// The identifiers of the coordinator's stores that the fetch reads; nil means all stores.
  public var affectedStores: Set<String>? {
    get { content.parts.affectedStores }
    set { changeBounds { $0.affectedStores = newValue } }
  }
  private var content: Content

  // A fetch passes through many functions, and threads that count references to the same parts at once slow each
  // other down. A copy of the fetch therefore counts one reference.
  private final class Content: Sendable {
    let parts: Parts

    init(_ parts: Parts) { self.parts = parts }
  }

  private struct Parts: Sendable {
    var entity: EntityShape
    var includesSubentities: Bool
    var predicate: FetchPredicate?
    var sortTerms: [SortTerm]
    var limit: Int?
    var offset: Int
    var affectedStores: Set<String>?
    var isChecked = false
    var form: FetchForm?
  }

  /// Asks for rows of an entity.
  public init(
    _ entity: EntityShape, includesSubentities: Bool = true, where predicate: FetchPredicate? = nil,
    sortedBy terms: [SortTerm] = [], limit: Int? = nil, offset: Int = 0
  ) {
    content = Content(
      Parts(
        entity: entity, includesSubentities: includesSubentities, predicate: predicate,
        sortTerms: terms, limit: limit, offset: offset))
    requireBounds()
  }

  private mutating func change(_ change: (inout Parts) -> Void) {
    var parts = content.parts
    change(&parts)
    parts.isChecked = false
    parts.form = nil
    content = Content(parts)
  }

  /// Changes what no check looks at.
  private mutating func changeBounds(_ change: (inout Parts) -> Void) {
    var parts = content.parts
    change(&parts)
    parts.form = nil
    content = Content(parts)
    requireBounds()
  }

  private func requireBounds() {
    trap(
      unless: (limit ?? 0) >= 0,
      "A fetch of \(entity.name) has the limit \(limit ?? 0); use nil, 0 or more.")
    trap(unless: offset >= 0, "A fetch of \(entity.name) has the offset \(offset); use 0 or more.")
  }

  /// Refuses a predicate or an order that does not fit the entity.
  ///
  /// A context checks a fetch before it sends the fetch, and a store before it answers. The second check of a
  /// fetch does nothing. From the first check on, `now()` is one moment, and the current locale one locale, for all that answer the fetch.
  package mutating func check(_ model: ManagedObjectModel) throws(FetchPredicateError) {
    guard !content.parts.isChecked else { return }
    if let predicate, let pinned = predicate.substitutingMoment(Date()) { self.predicate = pinned }
    if let open = predicate, open.hasOpenConditions {
      predicate = try open.completed(in: entity, model)
    }
    try predicate?.validate(in: entity, model)
    if sortTerms.contains(where: { $0.collation != nil && $0.collation?.locale == nil }) {
      sortTerms = try sortTerms.map { term throws(FetchPredicateError) in try term.inLocale() }
    }
    _ = try SubjectOrder(sortTerms, in: entity, model)
    noteCheck(form: content.parts.form)
  }

  /// Notes that the fetch fits the entity, and its form.
  mutating func noteCheck(form: FetchForm?) {
    var parts = content.parts
    parts.isChecked = true
    parts.form = form
    content = Content(parts)
  }

  /// The form that the fetch has in common with those that differ from it in constants alone; nil
  /// if no other statement can
  /// serve it.
  package var form: FetchForm? { content.parts.form ?? FetchForm(self) }

  /// The part of its order that offset and limit include.
  package var shown: ShownPart { ShownPart(offset: offset, limit: limit) }

  /// The fetch asks for all rows, in the order of their keys.
  package var isUnbounded: Bool {
    predicate == nil && sortTerms.isEmpty && limit == nil && offset == 0
  }

  /// The numbers of the entities whose rows the fetch returns.
  public var family: ClosedRange<Int> {
    includesSubentities ? entity.family : entity.number...entity.number
  }
}

/// The changes that a reader sees.
public enum StoreView: Hashable, Sendable {
  /// All executed changes, committed or not.
  case accepted
  /// All committed changes.
  case committed
  /// The changes that were committed when the store made the generation.
  case generation(StoreGeneration)
}

/// The promise of a commit.
public enum Durability: Hashable, Sendable {
  /// The changes survive every end of the process, also a crash.
  case eventual
  /// The changes are on the disk, and also survive the loss of power.
  case immediate

  /// Refuses another name.
  @available(*, unavailable, renamed: "immediate")
  public static var sync: Durability { .immediate }
  /// Refuses another name.
  @available(*, unavailable, renamed: "eventual")
  public static var async: Durability { .eventual }
}

/// A link of a to-many relationship.
public struct StoredLink: Hashable, Sendable {
  /// The key of the object with the relationship.
  public let owner: RowKey
  /// The key of the linked object.
  public let other: RowKey
  /// The position of `other` among the owner's linked objects, if the relationship is ordered.
  public let position: Int64?

  /// Makes a link between two rows.
  public init(owner: RowKey, other: RowKey, position: Int64? = nil) {
    self.owner = owner
    self.other = other
    self.position = position
  }
}
