// SPDX-License-Identifier: MIT
import SporadesModel

// Apple's frameworks write truth values as the numbers 1 and 0, to which they are equal.

extension FetchPredicate {
  /// The condition in the format language, as Apple's frameworks write it.
  var shownFormat: String { withTruthAsNumbers.predicateFormat }

  /// The condition with the numbers 1 and 0 for truth values. Predicates are equal if these conditions are.
  var withTruthAsNumbers: FetchPredicate { replacing(\.truthAsNumber) }
}

extension FetchExpression {
  /// The expression with the numbers 1 and 0 for truth values.
  var withTruthAsNumbers: FetchExpression { replacing(\.truthAsNumber) }

  /// The constant in which a number stands for each truth value; nil for other expressions.
  fileprivate var truthAsNumber: FetchExpression? {
    guard case .constant(let value) = self else { return nil }
    return .constant(value.truthAsNumber)
  }
}

extension Value {
  fileprivate var truthAsNumber: Value {
    switch self {
    case .boolean(let truth): .integer(truth ? 1 : 0)
    case .list(let items): .list(items.map(\.truthAsNumber))
    default: self
    }
  }
}
