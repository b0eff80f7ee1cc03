// SPDX-License-Identifier: MIT
package import SporadesModel
import SporadesStore

/// Decides which objects a fetch returns and in which order, with the unsaved changes of their
/// context.
///
/// The bounds of the fetch play no part. All answers of one value share the moment of `now()` and the
/// budget of patterns, so each round of questions takes a new value.
package struct FetchMembership {
  /// The place of an object in the order of a fetch.
  package struct Place {
    let keys: [Value]
    let key: RowKey
  }

  private let context: ManagedObjectContext
  private let fetch: StoreFetch
  private let evaluator: PredicateEvaluator?
  private let order: SubjectOrder

  init(_ fetch: StoreFetch, in context: ManagedObjectContext) throws {
    self.context = context
    self.fetch = fetch
    evaluator = try fetch.predicate.map {
      try PredicateEvaluator($0, in: fetch.entity, context.model)
    }
    order = try SubjectOrder(fetch.sortTerms, in: fetch.entity, context.model)
  }

  /// Checks the request as a fetch would.
  package init(_ request: FetchRequest, in context: ManagedObjectContext) throws {
    try self.init(context.storeFetch(request), in: context)
  }

  /// The fetched entity.
  package var entity: EntityShape { fetch.entity }

  /// Each fetch draws its order anew.
  package var isRandom: Bool { order.isRandom }

  /// Every key path that the predicate and the order read.
  package var keyPaths: [[String]] {
    var paths: [[String]] = []
    fetch.predicate?.forEachKeyPath { paths.append($0) }
    for term in fetch.sortTerms { term.expression.forEachKeyPath { paths.append($0) } }
    return paths
  }

  /// The numbers of the entities whose objects the fetch returns.
  package var family: ClosedRange<Int> { fetch.family }

  /// Reads the values of the objects that are faults together, if the fetch compares values.
  package func read(_ objects: some Sequence<ManagedObject>) throws {
    guard evaluator != nil || !order.isEmpty else { return }
    try context.fulfil(
      faultsAmong: objects.filter {
        $0.isPresent && $0.home.context === context
          && fetch.family.contains($0.home.shape.number)
      })
  }

  /// The fetch returns the object.
  package func includes(_ object: ManagedObject) throws -> Bool {
    try Cancellation.check()
    guard isCandidate(object) else { return false }
    return try evaluator?.matches(ObjectSubject(object: object)) ?? true
  }

  /// The fetch returns a row that its store found, or an object of the context.
  func includes(_ subject: RowSubject) throws -> Bool {
    guard subject.object.map(isCandidate) ?? true else { return false }
    try Cancellation.check()
    return try evaluator?.matches(subject) ?? true
  }

  private func isCandidate(_ object: ManagedObject) -> Bool {
    object.isPresent && fetch.family.contains(object.home.shape.number)
      && context.isAffected(object, fetch)
  }

  /// Reads the place of an object.
  package func place(of object: ManagedObject) throws -> Place {
    Place(keys: try order.keys(of: ObjectSubject(object: object)), key: object.key)
  }

  /// The first place comes before the second. Stored objects that are equal in all terms have the
  /// order of their keys, and new objects follow them in the order of their creation.
  package func precedes(_ left: Place, _ right: Place) -> Bool {
    let result = order.compare(left.keys, right.keys)
    return result != 0 ? result < 0 : left.key.comesBefore(right.key)
  }

  /// The objects in the order of the fetch.
  package func sorted(_ objects: [ManagedObject]) throws -> [ManagedObject] {
    let placed = try objects.map { (place: try place(of: $0), object: $0) }
    return placed.sorted { precedes($0.place, $1.place) }.map(\.object)
  }

  /// The rows in the order of the fetch.
  func sorted(_ subjects: [RowSubject]) throws -> [RowSubject] {
    let placed = try subjects.map { subject in
      (place: Place(keys: try order.keys(of: subject), key: subject.key), subject: subject)
    }
    return placed.sorted { precedes($0.place, $1.place) }.map(\.subject)
  }
}

extension ManagedObject {
  /// The object is neither deleted nor gone.
  package final var isPresent: Bool { state.isDisjoint(with: [.deleted, .gone]) }

  /// The object is one of the context's, whatever became of its row.
  package final func isMade(by context: ManagedObjectContext) -> Bool { home.context === context }

  /// The number of the object's entity.
  package final var entityNumber: Int { home.shape.number }

  /// The objects that the relationship leads to.
  package final func related(by relationship: RelationshipShape) -> [ManagedObject] {
    objects(of: relationship)
  }
}

extension RowKey {
  /// Orders stored rows by key, and new objects behind them by creation.
  fileprivate func comesBefore(_ other: RowKey) -> Bool {
    if isTemporary != other.isTemporary { return other.isTemporary }
    return isTemporary ? primaryKey > other.primaryKey : self < other
  }
}

/// Reads the value at the end of a key path of to-one steps, with the unsaved changes of the context.
package struct AttributeReader {
  private let order: SubjectOrder

  /// Finds the attribute, and refuses a key path that leads to no attribute with an order.
  package init(
    _ path: [String], in entity: EntityShape, _ model: ManagedObjectModel
  ) throws(FetchPredicateError) {
    order = try SubjectOrder([SortTerm(path)], in: entity, model)
  }

  /// The value for the object; null if a step has no object.
  package func value(of object: ManagedObject) throws -> Value {
    // The order has one term, and so one key.
    try order.keys(of: ObjectSubject(object: object))[0]
  }
}
