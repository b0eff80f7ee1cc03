// SPDX-License-Identifier: MIT
import SporadesModel

/// Tells whether a predicate leaves an open range of an indexed attribute: `age > 3`, `name <= "m"`.
///
/// Without statistics, SQLite expects a quarter of the rows in an open range. It then prefers a scan in the order
/// of the keys to the index, because rows that the index finds must be sorted. The range is often much
/// smaller, and a scan costs the same for ten rows as for all.
struct IndexedRange {
  private let entity: EntityShape
  private let model: ManagedObjectModel

  init(of entity: EntityShape, _ model: ManagedObjectModel) {
    self.entity = entity
    self.model = model
  }

  /// Each found row lies in such a range.
  func isNeeded(by predicate: FetchPredicate) -> Bool {
    switch predicate {
    case .and(let parts): parts.contains { isNeeded(by: $0) }
    case .comparison(let comparison) where comparison.quantifier == .direct:
      isOpenRange(comparison.left, comparison.comparator, comparison.right)
        || comparison.comparator.turned.map {
          isOpenRange(comparison.right, $0, comparison.left)
        } ?? false
    case .comparison, .or, .not, .constant, .open: false
    }
  }

  private func isOpenRange(
    _ left: FetchExpression, _ comparator: FetchPredicate.Comparator, _ right: FetchExpression
  ) -> Bool {
    guard [.less, .lessOrEqual, .greater, .greaterOrEqual].contains(comparator),
      case .keyPath(let names) = left, names.count == 1, case .constant = right,
      case .attribute(let attribute)? = entity[names[0]], attribute.type.isOrderedAsStored
    else { return false }
    return entity.hasIndex(beginningWith: names[0], in: model)
  }
}

extension EntityShape {
  /// An index of all rows begins with the property: one that the model declares, or that of a uniqueness constraint.
  func hasIndex(beginningWith name: String, in model: ManagedObjectModel) -> Bool {
    let declared = description.indexes.contains { index in
      index.partialIndexPredicate == nil && index.elements.first?.property == name
        && index.elements.first?.collation == .binary
    }
    if declared || description.uniquenessConstraints.contains(where: { $0.first == name }) {
      return true
    }
    guard superNumber > 0 else { return false }
    return model.shape(numbered: superNumber).hasIndex(beginningWith: name, in: model)
  }
}

extension AttributeType {
  /// The order of the values is that of their columns, so that an index of the column serves a range.
  fileprivate var isOrderedAsStored: Bool {
    switch self {
    case .integer16, .integer32, .integer64, .double, .float, .date, .string: true
    default: false
    }
  }
}
