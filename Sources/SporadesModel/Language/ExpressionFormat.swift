// SPDX-License-Identifier: MIT

extension FetchExpression {
  /// Parses a value in Core Data's predicate language, for a column of dictionaries or a term of an order.
  ///
  /// ```swift
  /// try FetchExpression(format: "price * quantity")
  /// try FetchExpression(format: "sum:(TERNARY(owner.city == %@, price, 0))", "Kiel")
  /// ```
  public init(format: String, _ arguments: Any?...) throws(FetchPredicateError) {
    try self.init(format: format, argumentArray: arguments)
  }

  /// Parses a value, with the arguments of its placeholders in an array.
  public init(format: String, argumentArray: [Any?]) throws(FetchPredicateError) {
    try self.init(format: format, argumentArray: argumentArray, mayBeMore: false)
  }

  /// Parses a value. Core Data ignores arguments without a placeholder.
  package init(
    format: String, argumentArray: [Any?], mayBeMore: Bool
  ) throws(FetchPredicateError) {
    do throws(FetchPredicateError) {
      var parser = try PredicateParser(
        format, PredicateArguments(argumentArray, mayBeMore: mayBeMore))
      self = try parser.parseValue()
    } catch {
      throw error.showing(format)
    }
  }
}

extension ExpressionDescription {
  /// Names the value of an expression in Core Data's predicate language:
  /// `ExpressionDescription("total", format: "sum:(price * quantity)")`.
  public init(
    _ name: String, format: String, _ arguments: Any?..., resultType: AttributeType? = nil
  ) throws(FetchPredicateError) {
    self.init(
      name, try FetchExpression(format: format, argumentArray: arguments), resultType: resultType)
  }
}
