// SPDX-License-Identifier: MIT

extension AggregateFunction {
  /// Refuses an attribute that does not fit the function.
  func check(_ attribute: AttributeShape, _ name: String) throws(FetchPredicateError) {
    let kind = PreparedPredicate.Term.Kind(attribute.type)
    guard accepts(kind) else {
      throw FetchPredicateError(
        .wrongOperands,
        "There is no \(rawValue) of \(name), which is \(kind.phrase). \(Self.meaning)")
    }
    if attribute.description.isLarge {
      throw FetchPredicateError(
        .wrongOperands,
        "There is no \(rawValue) of \(name), because its values may lie in files outside the store."
      )
    }
  }

  private func accepts(_ kind: PreparedPredicate.Term.Kind) -> Bool {
    switch self {
    case .min, .max: kind.hasOrder
    case .sum: kind == .number
    case .average: kind == .number || kind == .date
    }
  }

  static let meaning =
    "min and max take values with an order, sum takes numbers, average takes numbers and dates."
}
