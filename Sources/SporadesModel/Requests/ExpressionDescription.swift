// SPDX-License-Identifier: MIT

/// A value that a fetch of dictionaries returns: its name, and the expression that computes it.
///
/// A text literal is the key path of a property, which is also the name: `"team.name"`, `"pets.@count"`.
///
/// ```swift
/// request.propertiesToFetch = ["team.name", ExpressionDescription("oldest", .max(of: "age"))]
/// ```
public struct ExpressionDescription: Hashable, Sendable {
  /// The name of the value in each dictionary.
  public var name: String
  /// The expression that computes the value.
  public var expression: FetchExpression
  /// The type that the value is converted to; nil keeps the type that the expression gives.
  public var resultType: AttributeType?

  /// Names the value of an expression.
  public init(
    _ name: String, _ expression: FetchExpression, resultType: AttributeType? = nil
  ) {
    self.name = name
    self.expression = expression
    self.resultType = resultType
  }

  /// The value at the end of a key path, under the name of the key path.
  public init(_ keyPath: String) { self.init(keyPath, FetchExpression(keyPath: keyPath)) }
}

extension ExpressionDescription: ExpressibleByStringLiteral {
  public init(stringLiteral keyPath: String) { self.init(keyPath) }
}
