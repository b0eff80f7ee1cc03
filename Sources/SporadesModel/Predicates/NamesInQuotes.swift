// SPDX-License-Identifier: MIT

/// Refuses a condition that asks no property, and compares the name of one as a text: `"%@ == %@"` with a name, where
/// `%K` is meant. It holds for all objects or for none.
///
/// A condition that asks a property beside such a comparison is not refused, because the text may come from a user.
struct NamesInQuotes {
  private let entity: EntityShape

  init(_ entity: EntityShape) { self.entity = entity }

  func check(_ predicate: FetchPredicate) throws(FetchPredicateError) {
    guard let name = name(in: predicate), asksNothing(predicate) else { return }
    throw FetchPredicateError(
      .wrongOperands,
      "The condition compares the text \(name), and asks no property. For the property \(name) of \(entity.name) write %K, "
        + "or its name without quotes.")
  }

  /// A name of a property on the left side of a comparison with a constant.
  private func name(in predicate: FetchPredicate) -> String? {
    switch predicate {
    case .constant, .block: nil
    case .comparison(let comparison):
      if case .constant(.string(let text)) = comparison.left, entity[text] != nil {
        text
      } else {
        nil
      }
    case .not(let inner): name(in: inner)
    case .and(let parts), .or(let parts): parts.lazy.compactMap { name(in: $0) }.first
    }
  }

  private func asksNothing(_ predicate: FetchPredicate) -> Bool {
    switch predicate {
    case .constant: true
    case .block: false
    case .comparison(let comparison): isConstant(comparison.left) && isConstant(comparison.right)
    case .not(let inner): asksNothing(inner)
    case .and(let parts), .or(let parts): parts.allSatisfy { asksNothing($0) }
    }
  }

  private func isConstant(_ expression: FetchExpression) -> Bool {
    switch expression {
    case .constant: true
    case .list(let items): items.allSatisfy { isConstant($0) }
    default: false
    }
  }
}
