// SPDX-License-Identifier: MIT

/// An object whose values the key path behind a variable reads: `$OWNER.name`.
package protocol PredicateSource {
  /// The value at the end of a key path; a list if a step is to-many.
  func predicateValue(at path: ArraySlice<String>) throws(FetchPredicateError) -> Value
}

extension FetchExpression {
  /// The value at the end of a key path from what a variable stands for. Nil leads to nil.
  static func constant(
    at path: ArraySlice<String>, of source: Any?, variable: String
  ) -> FetchExpression {
    if Value(converting: source) == .null { return .constant(.null) }
    guard let object = source as? any PredicateSource else {
      let name = path.joined(separator: ".")
      return .refused(
        FetchPredicateError(
          .arguments,
          "$\(variable).\(name) reads a property, and $\(variable) stands for a value that has none. Give "
            + "$\(variable) an object, or give $\(variable).\(name) a value."))
    }
    do throws(FetchPredicateError) {
      return .constant(try object.predicateValue(at: path))
    } catch {
      return .refused(error)
    }
  }
}
