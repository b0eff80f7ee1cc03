// SPDX-License-Identifier: MIT
import SporadesModel

/// Decides whether the members of a relationship are found first, and their owners by them.
///
/// `ANY pets.name == "Rex"` is `EXISTS (SELECT 1 FROM pet t1 WHERE t1.owner = t0.id AND t1.name = ?)`, which a database
/// asks for each owner. Where an index finds the members, few of them lead to their owners:
/// `t0.id IN (SELECT t1.owner FROM pet t1 WHERE t1.name = ?)`. Where another condition finds the owners by an index, only
/// their members are asked.
struct SoughtMembers {
  private let entity: EntityShape
  private let model: ManagedObjectModel

  init(of entity: EntityShape, _ model: ManagedObjectModel) {
    self.entity = entity
    self.model = model
  }

  /// The places of the conditions whose members are found first. All conditions must hold.
  func places(among conditions: [PreparedPredicate]) -> Set<Int> {
    guard !conditions.contains(where: findsOwners) else { return [] }
    return Set(conditions.indices.filter { findsMembers(conditions[$0]) })
  }

  // MARK: - Conditions

  /// An index finds the fetched objects themselves.
  private func findsOwners(_ condition: PreparedPredicate) -> Bool {
    guard case .comparison(let comparison) = condition, comparison.quantifier == .direct,
      comparison.folding.isEmpty
    else { return false }
    switch comparison.comparator {
    case .equal:
      return comparison.right.isConstant && isIndexed(comparison.left, from: .subject)
        || comparison.left.isConstant && isIndexed(comparison.right, from: .subject)
    case .isIn: return comparison.right.isConstant && isIndexed(comparison.left, from: .subject)
    default: return false
    }
  }

  /// An index finds the members, and nothing but constants decides about them.
  private func findsMembers(_ condition: PreparedPredicate) -> Bool {
    guard case .comparison(let comparison) = condition, comparison.folding.isEmpty else {
      return false
    }
    if let collection = comparison.existence(is: true) {
      guard let inner = collection.condition, collection.start == .subject else { return false }
      let parts = inner.conjuncts
      return parts.allSatisfy(decidesAlone) && parts.contains { findsMember($0, collection.member) }
    }
    switch (comparison.quantifier, comparison.comparator) {
    case (.any, .equal), (.any, .isIn):
      return comparison.right.isConstant && isIndexedPath(comparison.left)
    case (.direct, .isIn):
      return comparison.left.isConstant && comparison.right.isMany
        && isIndexedPath(comparison.right)
    default: return false
    }
  }

  /// The condition on a member compares its own values with constants.
  private func decidesAlone(_ condition: PreparedPredicate) -> Bool {
    switch condition {
    case .comparison(let comparison):
      comparison.quantifier == .direct && comparison.left.isOfMember && comparison.right.isOfMember
    case .not(let inner): decidesAlone(inner)
    case .and(let parts), .or(let parts): parts.allSatisfy(decidesAlone)
    case .constant: true
    case .open: false
    }
  }

  private func findsMember(_ condition: PreparedPredicate, _ member: EntityShape) -> Bool {
    guard case .comparison(let comparison) = condition, comparison.folding.isEmpty,
      comparison.comparator == .equal || comparison.comparator == .isIn,
      comparison.right.isConstant, case .path(let path) = comparison.left
    else { return false }
    return !path.shape.isToMany && isIndexed(path.shape, in: member)
  }

  // MARK: - Indexes

  private func isIndexedPath(_ term: PreparedPredicate.Term) -> Bool {
    guard case .path(let path) = term, path.start == .subject, path.shape.isToMany else {
      return false
    }
    return isIndexed(path.shape, in: entity)
  }

  private func isIndexed(
    _ term: PreparedPredicate.Term, from start: PreparedPredicate.Start
  ) -> Bool {
    switch term {
    case .subject(let subject): return subject == start
    case .path(let path):
      return path.start == start && !path.shape.isToMany && isIndexed(path.shape, in: entity)
    default: return false
    }
  }

  /// An index finds the end of a key path. Each relationship has one.
  private func isIndexed(_ path: KeyPathShape, in entity: EntityShape) -> Bool {
    guard let attribute = path.attribute else { return true }
    let owner = path.relationships.last.map { model.shape(numbered: $0.destination) } ?? entity
    return attribute.type.isComparedAsStored
      && owner.hasIndex(beginningWith: attribute.name, in: model)
  }
}

extension PreparedPredicate {
  /// The conditions that must all hold.
  var conjuncts: [PreparedPredicate] {
    if case .and(let parts) = self { parts.flatMap(\.conjuncts) } else { [self] }
  }
}

extension PreparedPredicate.Comparison {
  /// The members that exist, or do not exist, where the comparison of their number holds: `pets.@count > 0`.
  func existence(is expected: Bool) -> PreparedPredicate.Collection? {
    guard quantifier == .direct, case .collection(let collection) = left,
      collection.question == .count, collection.union == .all,
      case .constant(.integer(let number)) = right, tellsExistence(number) == expected
    else { return nil }
    return collection
  }

  /// A number of members compares with a constant as it compares with zero: whether there are some, or none.
  func tellsExistence(_ number: Int64) -> Bool? {
    switch (comparator, number) {
    case (.greater, 0), (.greaterOrEqual, 1), (.notEqual, 0): true
    case (.equal, 0), (.less, 1), (.lessOrEqual, 0): false
    default: nil
    }
  }
}

extension PreparedPredicate.Term {
  /// A value other than nil, or a list of such values.
  fileprivate var isConstant: Bool {
    switch self {
    case .constant(.list(let values)): !values.contains(where: ValueOrder.isNil)
    case .constant(let value): !ValueOrder.isNil(value)
    default: false
    }
  }

  /// A constant, or a value of the member of one subquery and of no other object.
  fileprivate var isOfMember: Bool {
    switch self {
    case .constant: true
    case .path(let path): path.start == .member(0) && !path.shape.isToMany
    case .subject(let start): start == .member(0)
    default: false
    }
  }
}

extension AttributeType {
  /// The values are compared as their columns, so that an index of the column finds them.
  fileprivate var isComparedAsStored: Bool {
    switch self {
    case .integer16, .integer32, .integer64, .double, .float, .date, .string, .uuid, .boolean: true
    default: false
    }
  }
}
