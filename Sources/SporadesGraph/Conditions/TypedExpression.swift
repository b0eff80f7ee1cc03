// SPDX-License-Identifier: MIT
public import SporadesModel

/// A value that a store computes of the objects of one class: `\.price * 2`, `(\User.name).lowercased`.
///
/// It can be compared with values, with properties and with other expressions. An expression of a missing value is
/// missing, and satisfies no bound.
public struct TypedExpression<Object: ManagedObject, Result>: Hashable, Sendable {
  /// The expression without the class.
  public let expression: FetchExpression

  /// Makes an expression whose result has the type.
  public init(_ expression: FetchExpression) { self.expression = expression }

  /// Makes the expression of a property's value.
  public init(_ keyPath: KeyPath<Object, Result>) { expression = FetchExpression(of: keyPath) }

  static func arithmetic(
    _ operation: ArithmeticOperator, _ left: FetchExpression, _ right: FetchExpression
  ) -> Self { Self(.arithmetic(operation, left, right)) }

  func compare(
    _ comparator: FetchPredicate.Comparator, _ right: FetchExpression,
    _ options: FetchPredicate.TextOptions = []
  ) -> TypedPredicate<Object> {
    TypedPredicate(
      .comparison(FetchPredicate.Comparison(expression, comparator, right, options: options)))
  }
}

extension FetchExpression {
  /// The value at the end of a key path. A key path that no store can follow makes the fetch fail.
  package init<Object: ManagedObject>(of keyPath: PartialKeyPath<Object>) {
    do throws(FetchPredicateError) {
      let path = try KeyPathNames.path(of: keyPath)
      switch path.member {
      case nil: self = .keyPath(path.names)
      case .id: self = path.names.isEmpty ? .subject : .keyPath(path.names)
      case .count: self = .count(path.names)
      case .isEmpty, .isEmptyText:
        throw FetchPredicateError(
          .wrongOperands,
          "isEmpty of \(path.names.joined(separator: ".")) is a condition, and no value. Compare it by == or !=, or ask "
            + "for the count or the text.")
      }
    } catch {
      self = .refused(error)
    }
  }
}
