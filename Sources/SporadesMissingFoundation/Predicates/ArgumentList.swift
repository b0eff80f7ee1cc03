// SPDX-License-Identifier: MIT
import Foundation
import SporadesModel

/// The arguments of a format. Expressions among them take their places after the format has been read.
struct ArgumentList {
  /// The values for the parser.
  let values: [Any?]
  /// The expressions, by the mark that stands for each of them.
  private let expressions: [UUID: FetchExpression]

  init(_ arguments: [Any?]) {
    var expressions: [UUID: FetchExpression] = [:]
    values = arguments.map { argument in
      // Most arguments are texts, and casts to protocols look for conformances.
      if argument.map({ type(of: $0) == String.self }) == true { return argument }
      guard let expression = argument as? any ExpressionHolder else {
        return PlainValue.of(argument)
      }
      let mark = UUID()
      expressions[mark] = expression.held
      return mark
    }
    self.expressions = expressions
  }

  /// The condition with expressions in the places of their marks.
  func placed(in condition: FetchPredicate) -> FetchPredicate {
    expressions.isEmpty ? condition : condition.replacing(expression)
  }

  /// The expression with expressions in the places of their marks.
  func placed(in value: FetchExpression) -> FetchExpression {
    expressions.isEmpty ? value : value.replacing(expression)
  }

  private func expression(_ part: FetchExpression) -> FetchExpression? {
    if case .constant(.uuid(let mark)) = part { expressions[mark] } else { nil }
  }
}
