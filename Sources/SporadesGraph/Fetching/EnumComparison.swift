// SPDX-License-Identifier: MIT
import SporadesModel

/// Refuses comparisons of an enum with a raw value that no case has. Such a comparison finds nothing,
/// or everything, and is a slip of the pen.
///
/// Comparisons that leave differences between texts out, bounds and patterns are not checked.
struct EnumComparison {
  let entity: EntityShape
  let stack: BoundModel

  func check(_ predicate: FetchPredicate) throws(FetchPredicateError) {
    switch predicate {
    case .constant, .open: break
    case .comparison(let comparison): try check(comparison)
    case .not(let inner): try check(inner)
    case .and(let parts), .or(let parts): for part in parts { try check(part) }
    }
  }

  private func check(_ comparison: FetchPredicate.Comparison) throws(FetchPredicateError) {
    guard [.equal, .notEqual, .isIn].contains(comparison.comparator), comparison.options.isEmpty
    else { return }
    for (path, other) in [
      (comparison.left, comparison.right), (comparison.right, comparison.left),
    ] {
      let names: [String]
      switch path {
      case .keyPath(let path), .indexed(let path, by: _): names = path
      default: continue
      }
      guard let cases = cases(of: names) else { continue }
      for value in constants(in: other) { try check(value, cases, names) }
    }
  }

  private func check(
    _ value: Value, _ cases: EnumCases, _ names: [String]
  ) throws(FetchPredicateError) {
    switch value {
    case .string, .integer: break
    default: return
    }
    guard !cases.contain(value) else { return }
    throw FetchPredicateError(
      .wrongOperands,
      "\(entity.name).\(names.joined(separator: ".")) is compared with a raw value that no case of "
        + "\(cases.typeName) has.\(cases.hint(for: value)) Compare with the raw value of a case, or "
        + "use LIKE or BETWEEN to find rows with other values.")
  }

  private func constants(in expression: FetchExpression) -> [Value] {
    switch expression {
    case .constant(.list(let values)): values
    case .constant(let value): [value]
    case .list(let items): items.flatMap(constants)
    default: []
    }
  }

  /// The cases of the enum at the end of a key path; nil if it ends in something else.
  private func cases(of names: [String]) -> EnumCases? {
    var entity = entity
    var rest = names[...]
    while let name = rest.first, case .relationship(let relationship)? = entity[name] {
      entity = stack.model.shape(numbered: relationship.destination)
      rest = rest.dropFirst()
    }
    return stack.bindings[entity.number - 1].enumChecks[Array(rest)]
  }
}
