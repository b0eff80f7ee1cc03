// SPDX-License-Identifier: MIT

extension ElementPlace {
  /// The member at the place; nil if there is none.
  package func pick<Member>(from members: [Member]) -> Member? {
    switch self {
    case .first: members.first
    case .last: members.last
    case .index(let index): members.indices.contains(index) ? members[index] : nil
    }
  }
}

extension [Value] {
  /// A value of the list equals the value.
  func contains(_ value: Value) -> Bool { contains { ValueOrder.areEqual(value, $0) } }
}

extension SetOperator {
  /// Puts two collections together.
  package func apply(_ left: [Value], _ right: [Value]) -> [Value] {
    switch self {
    case .union: left + right
    case .intersect: left.filter { right.contains($0) }
    case .minus: left.filter { !right.contains($0) }
    }
  }
}

extension FetchCollection.Union {
  /// Leaves out the values that the operator leaves out. Different values come in their order.
  package func apply(_ values: [Value]) -> [Value] {
    guard self != .all else { return values }
    let present = values.filter { !ValueOrder.isNil($0) }
    guard self == .distinct else { return present }
    var distinct: [Value] = []
    for value in present.sorted(by: { ValueOrder.sortOrder($0, $1) < 0 }) {
      if let last = distinct.last, ValueOrder.areEqual(last, value) { continue }
      distinct.append(value)
    }
    return distinct
  }
}

extension AggregateFunction {
  /// Aggregates the values of a collection. The sum of no values is 0.
  package func total(of values: [Value]) -> Value {
    let result = value(of: values)
    return result.isNull && self == .sum ? .integer(0) : result
  }
}
