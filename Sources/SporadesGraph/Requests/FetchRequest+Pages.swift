// SPDX-License-Identifier: MIT
import FoundationEssentials
import SporadesModel

extension SortTerm {
  /// The order of keys, which decides where no other term does.
  static let key = SortTerm(.subject)

  /// Objects without a value come behind all others.
  var nilsAreLast: Bool { nils.map { $0 == .last } ?? !ascending }
}

extension PageCursor {
  /// The place behind an object in the order of a request, whose last term is the key.
  init(
    after object: ManagedObject, _ request: FetchRequest, _ context: ManagedObjectContext
  ) throws {
    let id = object.objectID
    guard !id.isTemporaryID else {
      throw ContextError.unsupportedRequest(
        "The last object of a page of \(request.entityName) is new, and a cursor needs its permanent id. Save the "
          + "context before you ask for pages.")
    }
    guard id.key.store == 0 else {
      throw ContextError.unsupportedRequest(
        "A page of \(request.entityName) comes from several stores, whose keys have no common order. Fetch with limit "
          + "and offset.")
    }
    guard !request.sortTerms.contains(.random) else {
      throw ContextError.unsupportedRequest(
        "A request for pages of \(request.entityName) has a random order, which each page would draw anew. Sort by an "
          + "attribute.")
    }
    try request.requireOrderOfPages()
    let terms = request.sortTerms.filter { $0 != .key }
    let shape = try context.shape(for: type(of: object))
    let order = try SubjectOrder(terms, in: shape, context.model)
    self.init(
      order: Self.mark(ofOrder: terms, of: request.entityName),
      values: try order.keys(of: ObjectSubject(object: object)), key: id.key.primaryKey)
  }
}

extension FetchRequest {
  /// Refuses an order by a language: its place in the order is no condition that a store could ask for.
  func requireOrderOfPages() throws {
    guard let term = sortTerms.first(where: { $0.collation != nil }) else { return }
    throw ContextError.unsupportedRequest(
      "A request for pages of \(entityName) sorts \(term.spelling) by a language, and no condition says what comes "
        + "behind a text there. Fetch with limit and offset, or sort pages by [cd].")
  }

  /// Leaves out the objects up to the cursor's place.
  mutating func begin(after cursor: PageCursor, in context: ManagedObjectContext) throws {
    try requireOrderOfPages()
    guard cursor.order == PageCursor.mark(ofOrder: sortTerms, of: entityName),
      cursor.values.count == sortTerms.count, 1...RowKey.largestPrimaryKey ~= cursor.key,
      let shape = context.model.shape(named: entityName)
    else {
      throw FetchPredicateError(
        .arguments,
        "The cursor belongs to another order than that of the request for \(entityName). Begin with the first page."
      )
    }
    let key = RowKey(entity: shape.number, primaryKey: cursor.key)
    let id = ManagedObjectID(key: key, scope: context.stack.scope)
    let behind = FetchPredicate.comparison(
      FetchPredicate.Comparison(.subject, .greater, .constant(.objectID(id))))
    let condition = zip(sortTerms, cursor.values).reversed().reduce(behind) { rest, step in
      step.0.condition(behind: step.1, or: rest)
    }
    predicate = predicate.map { $0 && condition } ?? condition
    sortTerms.append(.key)
  }
}

extension SortTerm {
  /// The condition that an object comes behind a value in the order of the term, or agrees with the
  /// value and satisfies the rest.
  ///
  /// `name >= "Doe" AND (name > "Doe" OR rest)`: the first comparison alone lets an index begin at the
  /// value.
  fileprivate func condition(behind value: Value, or rest: FetchPredicate) -> FetchPredicate {
    let isNil = compare(.equal, .null)
    guard !value.isMissing else {
      return nilsAreLast ? isNil && rest : compare(.notEqual, .null) || (isNil && rest)
    }
    let (behind, from): (FetchPredicate.Comparator, FetchPredicate.Comparator) =
      ascending ? (.greater, .greaterOrEqual) : (.less, .lessOrEqual)
    let present = compare(from, value) && (compare(behind, value) || rest)
    return nilsAreLast ? present || isNil : present
  }

  private func compare(
    _ comparator: FetchPredicate.Comparator, _ value: Value
  ) -> FetchPredicate {
    .comparison(
      FetchPredicate.Comparison(expression, comparator, .constant(value), options: options))
  }
}

extension Value {
  /// The value counts as nil in orders: nil, or NaN.
  fileprivate var isMissing: Bool {
    switch self {
    case .null: true
    case .double(let number): number.isNaN
    case .decimal(let number): number.isNaN
    case .date(let date): date.timeIntervalSinceReferenceDate.isNaN
    default: false
    }
  }
}
