// SPDX-License-Identifier: MIT
package import SporadesModel

/// Collects the objects of groups, and makes the answer of them.
package struct GroupTable {
  private let groups: PreparedQuestion.Groups
  private var places: [ValueKey: Int] = [:]
  private var entries: [Entry] = []
  /// A part is a sum of doubles, which was rounded. A sum that is made of it is not exact.
  package private(set) var hasRoundedParts = false

  private struct Entry {
    let keys: [Value]
    var collected: [Collected]
  }

  /// The values of a group that an aggregate has seen.
  private struct Collected {
    /// The values of objects, or the results of parts.
    var values: [Value] = []
    /// The number of values that are not nil, or of objects.
    var count = 0
    var hasParts = false
  }

  package init(_ groups: PreparedQuestion.Groups) {
    self.groups = groups
    if groups.isOne { _ = place(of: []) }
  }

  /// Adds the values of one object. An argument is nil where an aggregate takes none.
  package mutating func add(_ keys: [Value], _ arguments: [Value?]) {
    let place = place(of: keys)
    for (number, argument) in arguments.enumerated() {
      guard let argument else {
        entries[place].collected[number].count += 1
        continue
      }
      if !ValueOrder.isNil(argument) { entries[place].collected[number].count += 1 }
      entries[place].collected[number].values.append(argument)
    }
  }

  private mutating func place(of keys: [Value]) -> Int {
    let key = ValueKey(keys)
    if let known = places[key] { return known }
    places[key] = entries.count
    entries.append(
      Entry(keys: keys, collected: groups.aggregates.map { _ in Collected() }))
    return entries.count - 1
  }

  // MARK: - Parts

  /// The question whose answers can be added as parts, in place of the objects that it concerns. Nil if an aggregate
  /// needs the single values.
  package static func part(
    of question: TableQuestion, _ groups: PreparedQuestion.Groups
  ) -> TableQuestion? {
    guard question.fetch.limit == nil, question.fetch.offset == 0 else { return nil }
    var columns = groups.keys.map(\.expression)
    for aggregate in groups.aggregates {
      guard let parts = aggregate.parts else { return nil }
      columns += parts
    }
    if columns.isEmpty { columns = [.objectCount] }
    var part = TableQuestion(question.fetch, columns)
    part.fetch.sortTerms = []
    part.groups = groups.keys.map(\.expression)
    return part
  }

  /// Adds the answer to the question for parts.
  package mutating func add(part: TableAnswer) {
    for row in 0..<part.rowCount {
      let values = part.row(row)
      let place = place(of: Array(values.prefix(groups.keys.count)))
      var column = groups.keys.count
      for (number, aggregate) in groups.aggregates.enumerated() {
        entries[place].collected[number].hasParts = true
        switch aggregate.function {
        case .count: entries[place].collected[number].count += values[column].numberOfRows
        case .average:
          noteRounding(values[column])
          entries[place].collected[number].values.append(values[column])
          entries[place].collected[number].count += values[column + 1].numberOfRows
        default:
          if aggregate.function == .sum { noteRounding(values[column]) }
          entries[place].collected[number].values.append(values[column])
        }
        column += aggregate.function == .average ? 2 : 1
      }
    }
  }

  private mutating func noteRounding(_ total: Value) {
    if case .double = total { hasRoundedParts = true }
  }

  // MARK: - Single values

  /// The question for each object whose answer has the values that the groups are made of.
  package static func values(
    of question: TableQuestion, _ groups: PreparedQuestion.Groups
  ) -> TableQuestion {
    let arguments = groups.aggregates.compactMap(\.argument)
    let columns = (groups.keys + arguments).map(\.expression)
    return TableQuestion(question.fetch, columns.isEmpty ? [.constant(.null)] : columns)
  }

  /// Adds the answer to the question for single values.
  package mutating func add(values answer: TableAnswer) {
    for row in 0..<answer.rowCount { add(row: answer.row(row)) }
  }

  /// Adds a row of the answer to the question for single values.
  package mutating func add(row: [Value]) {
    var place = groups.keys.count
    let arguments = groups.aggregates.map { aggregate -> Value? in
      guard aggregate.argument != nil else { return nil }
      defer { place += 1 }
      return row[place]
    }
    add(Array(row.prefix(groups.keys.count)), arguments)
  }

  // MARK: - The answer

  package func answer(to question: TableQuestion) throws(StoreError) -> TableAnswer {
    var values: [GroupValues] = []
    values.reserveCapacity(entries.count)
    for entry in entries {
      var results: [Value] = []
      for (aggregate, collected) in zip(groups.aggregates, entry.collected) {
        results.append(try Self.result(aggregate, collected))
      }
      values.append(GroupValues(keys: entry.keys, aggregates: results))
    }
    return try groups.answer(values, to: question)
  }

  private static func result(
    _ aggregate: AggregateShape, _ collected: Collected
  ) throws(StoreError) -> Value {
    if aggregate.function == .count, !aggregate.isDistinct {
      return .integer(Int64(collected.count))
    }
    if aggregate.function == .average, collected.hasParts {
      guard collected.count > 0 else { return .null }
      let total = AggregateFunction.sum.value(of: collected.values)
      return AggregateFunction.average(of: total, count: collected.count)
    }
    return try aggregate.result(over: collected.values)
  }
}
