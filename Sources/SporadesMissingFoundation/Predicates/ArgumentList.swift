// SPDX-License-Identifier: MIT
import Foundation
import SporadesModel

/// The arguments of a format. Expressions among them, and objects that no store compares, take their places after the format has been
/// read.
struct ArgumentList {
  /// The values for the parser.
  let values: [Any?]
  /// The expressions, by the mark that stands for each of them.
  private let expressions: [UUID: any ExpressionHolder]
  /// A comparison with an argument asks objects in memory.
  private let needsMemory: Bool

  init(_ arguments: [Any?]) {
    var expressions: [UUID: any ExpressionHolder] = [:]
    var needsMemory = false
    values = arguments.map { argument in
      // Most arguments are texts, and casts to protocols look for conformances.
      if argument.map({ type(of: $0) == String.self }) == true { return argument }
      var holder = argument as? any ExpressionHolder
      let plain = holder == nil ? PlainValue.of(argument) : nil
      // The type is asked, because a cast makes an object of any number or text.
      if let object = plain, type(of: object) is NSObject.Type, Value(converting: object) == nil {
        holder = ComparisonMaker.any.constant(object)
        needsMemory = true
      }
      guard let holder else { return plain }
      let mark = UUID()
      expressions[mark] = holder
      return mark
    }
    self.expressions = expressions
    self.needsMemory = needsMemory
  }

  /// The predicate of a condition, with expressions in the places of their marks.
  func predicate(of condition: FetchPredicate) -> NSPredicate {
    guard needsMemory else {
      return NSPredicate.predicate(
        of: expressions.isEmpty ? condition : condition.replacing(expression))
    }
    return NSPredicate.predicate(of: condition) { comparison in
      var placed = comparison
      placed.left = self.placed(in: comparison.left)
      placed.right = self.placed(in: comparison.right)
      guard placed.left.isRefused || placed.right.isRefused else {
        return ComparisonMaker.any.make(placed)
      }
      return ComparisonMaker.any.make(
        placed, holder(comparison.left, placed.left), holder(comparison.right, placed.right))
    }
  }

  /// The expression with expressions in the places of their marks.
  func placed(in value: FetchExpression) -> FetchExpression {
    expressions.isEmpty ? value : value.replacing(expression)
  }

  private func holder(_ part: FetchExpression, _ placed: FetchExpression) -> any ExpressionHolder {
    given(part) ?? ComparisonMaker.any.expression(placed)
  }

  private func expression(_ part: FetchExpression) -> FetchExpression? { given(part)?.held }

  private func given(_ part: FetchExpression) -> (any ExpressionHolder)? {
    if case .constant(.uuid(let mark)) = part { expressions[mark] } else { nil }
  }
}
