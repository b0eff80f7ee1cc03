// SPDX-License-Identifier: MIT
package import FoundationEssentials

extension FetchPredicate {
  /// The predicate with a date in place of `now()`; nil if it does not ask for the moment.
  package func substitutingMoment(_ moment: Date) -> FetchPredicate? {
    var asks = false
    let pinned = mappingOperands { operand in
      guard case .function(.now, []) = operand else { return operand }
      asks = true
      return .constant(.date(moment))
    }
    return asks ? pinned : nil
  }
}
