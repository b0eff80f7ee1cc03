// SPDX-License-Identifier: MIT
import FoundationEssentials

/// A condition that every row of a result satisfies, in a form by which an index finds the rows of a result, or the results
/// of a row.
///
/// It may accept more rows than the predicate, and never fewer.
package enum RowGuard {
  /// The row has one of the keys.
  case keys([RowKey])
  /// The slot has one of the values.
  case values([ValueKey], in: Slot)
  /// The number or date in the slot lies between the bounds.
  case range(ClosedRange<Double>, in: Slot)

  /// A slot and the way in which its values are read.
  package struct Slot {
    package let number: Int
    /// Nil for the key of another row.
    package let type: AttributeType?
  }

  /// The narrowest guard that follows from a predicate; nil if none does.
  package init?(_ predicate: FetchPredicate, in entity: EntityShape, _ model: ManagedObjectModel) {
    guard let found = Self.find(predicate, entity, model) else { return nil }
    self = found
  }

  private static func find(
    _ predicate: FetchPredicate, _ entity: EntityShape, _ model: ManagedObjectModel
  ) -> RowGuard? {
    switch predicate {
    case .constant, .not, .open: return nil
    case .comparison(let comparison): return find(comparison, entity, model)
    case .and(let parts):
      let found = parts.compactMap { find($0, entity, model) }
      guard let first = found.first else { return nil }
      return found.dropFirst().reduce(first) { $0.narrowed(by: $1) }
    case .or(let parts):
      let found = parts.map { find($0, entity, model) }
      guard var all = found.first ?? nil else { return nil }
      for part in found.dropFirst() {
        guard let part, let both = all.widened(by: part) else { return nil }
        all = both
      }
      return all
    }
  }

  private static func find(
    _ comparison: FetchPredicate.Comparison, _ entity: EntityShape, _ model: ManagedObjectModel
  ) -> RowGuard? {
    guard comparison.quantifier == .direct, comparison.options.isEmpty else { return nil }
    var (path, comparator, other) = (comparison.left, comparison.comparator, comparison.right)
    if case .constant = path, let turned = comparator.turned {
      (path, comparator, other) = (other, turned, path)
    }
    guard let constants = constants(other) else { return nil }
    if case .subject = path {
      guard comparator == .equal || comparator == .isIn else { return nil }
      let keys = constants.compactMap { if case .objectID(let id) = $0 { id.key } else { nil } }
      // A key may name a superentity of the row's own entity, and an index of keys then finds nothing.
      let isExact = keys.allSatisfy { !model.shape(numbered: $0.entity).hasSubentities }
      return keys.count == constants.count && isExact ? .keys(keys) : nil
    }
    guard let slot = slot(path, entity, model), constants.allSatisfy(slot.hasKind) else {
      return nil
    }
    switch comparator {
    case .equal, .isIn: return .values(constants.map { ValueKey([$0]) }, in: slot)
    default: return range(comparator, constants).map { .range($0, in: slot) }
    }
  }

  private static func constants(_ expression: FetchExpression) -> [Value]? {
    switch expression {
    case .constant(.list(let values)): return values
    case .constant(let value): return [value]
    case .list(let items):
      let values = items.compactMap { if case .constant(let value) = $0 { value } else { nil } }
      return values.count == items.count ? values : nil
    default: return nil
    }
  }

  private static func slot(
    _ expression: FetchExpression, _ entity: EntityShape, _ model: ManagedObjectModel
  ) -> Slot? {
    switch expression {
    case .keyPath(let names), .indexed(let names, _): return Slot(names, in: entity, model)
    default: return nil
    }
  }

  private static func range(
    _ comparator: FetchPredicate.Comparator, _ constants: [Value]
  ) -> ClosedRange<Double>? {
    let numbers = constants.compactMap(\.approximateNumber)
    guard let first = numbers.first, numbers.count == constants.count else { return nil }
    switch comparator {
    case .less, .lessOrEqual: return -.infinity...first
    case .greater, .greaterOrEqual: return first...(.infinity)
    case .between:
      guard numbers.count == 2, first <= numbers[1] else { return nil }
      return first...numbers[1]
    default: return nil
    }
  }

  private func narrowed(by other: RowGuard) -> RowGuard {
    switch (self, other) {
    case (.keys, _): return self
    case (_, .keys): return other
    case (.values(let some, _), .values(let more, _)):
      return some.count <= more.count ? self : other
    case (.values, .range): return self
    case (.range, .values): return other
    case (.range(let one, let slot), .range(let two, let second)):
      guard slot.number == second.number else { return self }
      let (low, high) = (max(one.lowerBound, two.lowerBound), min(one.upperBound, two.upperBound))
      return low <= high ? .range(low...high, in: slot) : self
    }
  }

  private func widened(by other: RowGuard) -> RowGuard? {
    switch (self, other) {
    case (.keys(let some), .keys(let more)): return .keys(some + more)
    case (.values(let some, let slot), .values(let more, let second))
    where slot.number == second.number:
      return .values(some + more, in: slot)
    case (.range(let one, let slot), .range(let two, let second))
    where slot.number == second.number:
      return .range(
        min(one.lowerBound, two.lowerBound)...max(one.upperBound, two.upperBound), in: slot)
    default: return nil
    }
  }
}

extension RowGuard.Slot {
  /// The slot of the own row to which a key path leads; nil if it leads to another row, to several, or to a value that
  /// may lie in a file.
  package init?(_ names: [String], in entity: EntityShape, _ model: ManagedObjectModel) {
    // `try?`, because the check of the fetch has refused what the model lacks, with its sentence. What is left are key
    // paths of no single row.
    guard let path = try? KeyPathShape(names, in: entity, model) else { return nil }
    if let attribute = path.attribute {
      guard path.relationships.isEmpty, let number = attribute.slot, !path.isLarge else {
        return nil
      }
      self.init(number: number, type: attribute.type)
    } else {
      guard path.relationships.count == 1,
        case .reference(let number, _) = path.relationships[0].storage
      else { return nil }
      self.init(number: number, type: nil)
    }
  }

  /// The value is of the kind that the slot holds, so that equal values have equal keys.
  fileprivate func hasKind(_ value: Value) -> Bool {
    if value.isNull { return true }
    switch type {
    case nil: if case .objectID = value { return true }
    case .integer16, .integer32, .integer64, .boolean, .double, .float:
      switch value {
      case .integer, .boolean, .double: return true
      default: return false
      }
    case .date: if case .date = value { return true }
    case .string: if case .string = value { return true }
    case .uuid: if case .uuid = value { return true }
    case .uri: if case .url = value { return true }
    case .binary: if case .data = value { return true }
    default: return false
    }
    return false
  }

  /// The key of a row's value.
  package func key(of row: RowPlace, _ scope: StoreScope) -> ValueKey {
    guard let type else {
      let id = row.reference(number).map { Value.objectID(ManagedObjectID(key: $0, scope: scope)) }
      return ValueKey([id ?? .null])
    }
    return ValueKey([row.page.value(row.index, slot: number, as: type)])
  }

  /// The number of a row's value, rounded to a double; nil if there is none.
  package func number(of row: RowPlace) -> Double? {
    type.flatMap { row.page.value(row.index, slot: number, as: $0).approximateNumber }
  }
}

extension Value {
  /// The number or the seconds of the value. Rounding keeps the order, though it may make two numbers equal.
  fileprivate var approximateNumber: Double? {
    switch self {
    case .integer(let number): Double(number)
    case .boolean(let truth): truth ? 1 : 0
    case .double(let number): number.isNaN ? nil : number
    case .date(let date):
      date.timeIntervalSinceReferenceDate.isNaN ? nil : date.timeIntervalSinceReferenceDate
    default: nil
    }
  }
}
