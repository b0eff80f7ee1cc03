// SPDX-License-Identifier: MIT

extension FetchExpression {
  /// A constant for an argument that has no static type. If the argument is no value, the expression
  /// makes the fetch fail.
  package static func constant(converting argument: Any?) -> FetchExpression {
    Value(converting: argument).map { .constant($0) }
      ?? .refused(FetchPredicateError(.arguments, describeRefusal(of: argument)))
  }

  /// The sentence for an argument that is no value. It names the type and not the value.
  static func describeRefusal(of argument: Any?) -> String {
    if let items = argument as? [Any?],
      let wrong = items.first(where: { Value(converting: $0) == nil })
    {
      return describeRefusal(of: wrong)
    }
    let type = argument.map { "\(Swift.type(of: $0))" } ?? "nil"
    if argument is any BinaryInteger {
      return
        "A predicate can not compare a value of type \(type) that lies outside the range from \(Int64.min) to "
        + "\(Int64.max). Pass it as a Decimal."
    }
    return
      "A predicate can not compare a value of type \(type). Pass a text, number, date, UUID, URL, "
      + "data, an object or its id, a case of an enum with raw values, or an array or set of these."
  }
}
