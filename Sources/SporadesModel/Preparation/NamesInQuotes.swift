// SPDX-License-Identifier: MIT

/// Refuses a condition that asks no property, and compares the name of one as a text: `"%@ == %@"` with a name, where
/// `%K` is meant. It holds for all objects or for none.
///
/// A condition that asks a property beside such a comparison is not refused, because the text may come from a user.
struct NamesInQuotes {
  private let entity: EntityShape

  init(_ entity: EntityShape) { self.entity = entity }

  func check(_ predicate: FetchPredicate) throws(FetchPredicateError) {
    guard let name = name(in: predicate) else { return }
    throw FetchPredicateError(
      .wrongOperands,
      "The condition compares the text \(name), and asks no property. For the property \(name) of \(entity.name) write %K, "
        + "or its name without quotes.")
  }

  /// The first name of a property on the left side of a comparison; nil if there is none, or if the condition asks a
  /// property. Goes through a list and not by recursion, because nobody has checked yet how deep the condition is.
  private func name(in predicate: FetchPredicate) -> String? {
    var rest = [predicate]
    var name: String?
    while let next = rest.popLast() {
      switch next {
      case .constant: break
      case .open: return nil
      case .comparison(let comparison):
        guard areConstant([comparison.left, comparison.right]) else { return nil }
        if case .constant(.string(let text)) = comparison.left, entity[text] != nil { name = text }
      case .not(let inner): rest.append(inner)
      case .and(let parts), .or(let parts): rest += parts
      }
    }
    return name
  }

  private func areConstant(_ expressions: [FetchExpression]) -> Bool {
    var rest = expressions
    while let next = rest.popLast() {
      switch next {
      case .constant: break
      case .list(let items): rest += items
      default: return false
      }
    }
    return true
  }
}
