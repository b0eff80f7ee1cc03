// SPDX-License-Identifier: MIT
import FoundationEssentials
package import SporadesModel

/// A fetch without its constants. Two fetches of one store that have equal forms differ only in constants of equal
/// kinds, and in the numbers of their limits and offsets.
///
/// A check of one fetch therefore serves all fetches of its form, and so does a statement whose parameters are the
/// constants in their order.
package struct FetchForm: Hashable, Sendable {
  /// The parts of the fetch one after the other. Each begins with a mark or a number, and each list with its length,
  /// so that different forms have different bytes.
  private var bytes: [UInt8] = []

  /// The form of a fetch. Nil for a fetch with other conditions than plain comparisons, where a constant can decide
  /// what the statement looks like.
  package init?(_ fetch: StoreFetch) {
    bytes.reserveCapacity(96)
    append(fetch.entity.number)
    append(
      (fetch.includesSubentities ? 1 : 0) | (fetch.limit == nil ? 0 : 2)
        | (fetch.offset > 0 ? 4 : 0))
    append(fetch.sortTerms.count)
    for term in fetch.sortTerms {
      // The order of keys has no names.
      guard let keyPath = term.expression == .subject ? [] : term.keyPath else { return nil }
      // The locale is a value of the statement, and a form knows none beside the constants of the predicate.
      guard term.collation == nil else { return nil }
      append((term.ascending ? 1 : 0) | (term.nils.map { $0 == .first ? 2 : 4 } ?? 0))
      append(term.options.rawValue)
      append(names: keyPath)
    }
    guard let predicate = fetch.predicate else { return }
    guard append(predicate, depth: 0) else { return nil }
  }

  // MARK: - Conditions

  private static let largestDepth = 8
  private static let longestList = 32

  /// Appends a condition. False if it has no form.
  private mutating func append(_ predicate: FetchPredicate, depth: Int) -> Bool {
    guard depth <= Self.largestDepth else { return false }
    switch predicate {
    case .constant(let answer):
      append(answer ? 1 : 2)
      return true
    case .comparison(let comparison): return append(comparison)
    case .not(let inner):
      append(4)
      return append(inner, depth: depth + 1)
    case .and(let parts):
      append(5)
      return append(parts, depth: depth + 1)
    case .or(let parts):
      append(6)
      return append(parts, depth: depth + 1)
    case .open: return false
    }
  }

  private mutating func append(_ parts: [FetchPredicate], depth: Int) -> Bool {
    guard parts.count <= Self.longestList else { return false }
    append(parts.count)
    for part in parts where !append(part, depth: depth) { return false }
    return true
  }

  private mutating func append(_ comparison: FetchPredicate.Comparison) -> Bool {
    guard comparison.quantifier == .direct, comparison.options.isEmpty,
      let comparator = Self.number(of: comparison.comparator)
    else { return false }
    append(3)
    append(comparator)
    return append(comparison.left) && append(comparison.right)
  }

  private static func number(of comparator: FetchPredicate.Comparator) -> Int? {
    switch comparator {
    case .equal: 1
    case .notEqual: 2
    case .less: 3
    case .lessOrEqual: 4
    case .greater: 5
    case .greaterOrEqual: 6
    case .isIn, .between, .contains, .beginsWith, .endsWith, .like, .matches: nil
    }
  }

  private mutating func append(_ expression: FetchExpression) -> Bool {
    switch expression {
    case .subject:
      append(1)
      return true
    case .keyPath(let names):
      append(2)
      append(names: names)
      return true
    case .constant(let value): return append(value)
    case .indexed, .variable, .list, .count, .aggregate, .arithmetic, .function, .conditional,
      .cast,
      .element, .collection, .combined, .refused:
      return false
    }
  }

  /// Appends the kind of a constant. An object's id brings its store and its entity, which decide what it can be
  /// compared with. NaN equals nil, and nil needs another statement.
  private mutating func append(_ value: Value) -> Bool {
    switch value {
    case .boolean: append(3)
    case .integer: append(4)
    case .double(let number) where !number.isNaN: append(5)
    case .string: append(6)
    case .date(let date) where !date.timeIntervalSinceReferenceDate.isNaN: append(7)
    case .uuid: append(8)
    case .objectID(let id) where !id.isTemporaryID:
      append(9)
      append(Int(id.scope.number))
      append(id.key.entity)
    case .null, .double, .decimal, .date, .data, .url, .objectID, .list: return false
    }
    return true
  }

  // MARK: - Bytes

  private mutating func append(_ number: Int) {
    guard number >= 0xFF || number < 0 else { return bytes.append(UInt8(number)) }
    bytes.append(0xFF)
    for place in 0..<8 { bytes.append(UInt8(truncatingIfNeeded: number >> (place * 8))) }
  }

  private mutating func append(names: [String]) {
    append(names.count)
    for name in names {
      append(name.utf8.count)
      bytes.append(contentsOf: name.utf8)
    }
  }
}

extension FetchPredicate {
  /// Calls `body` with each constant, from left to right, of a predicate that has a form.
  package func visitConstants(_ body: (Value) -> Void) {
    switch self {
    case .constant, .open: return
    case .comparison(let comparison):
      if case .constant(let value) = comparison.left { body(value) }
      if case .constant(let value) = comparison.right { body(value) }
    case .not(let inner): inner.visitConstants(body)
    case .and(let parts), .or(let parts): for part in parts { part.visitConstants(body) }
    }
  }
}

/// The forms of the fetches that passed a check, the last few dozen of them. All contexts of a stack share it.
package final class CheckedFetches: Sendable {
  private struct State {
    var forms: [FetchForm] = []
    var next = 0
  }
  private let state = Guarded(State())
  private static let most = 32

  package init() {}

  /// Refuses a fetch that does not fit the entity, unless a fetch of the same form has fitted. `more` checks its ids.
  package func check(
    _ fetch: inout StoreFetch, _ model: ManagedObjectModel,
    _ more: () throws -> Void = {}
  ) throws {
    guard let form = fetch.form else {
      try fetch.check(model)
      return try more()
    }
    if !state.withLock({ $0.forms.contains(form) }) {
      try fetch.check(model)
      try more()
      add(form)
    }
    fetch.noteCheck(form: form)
  }

  private func add(_ form: FetchForm) {
    state.withLock { state in
      if state.forms.count < Self.most {
        state.forms.append(form)
      } else {
        state.forms[state.next] = form
        state.next = (state.next + 1) % Self.most
      }
    }
  }
}
