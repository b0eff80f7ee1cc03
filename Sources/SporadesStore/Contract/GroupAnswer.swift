// SPDX-License-Identifier: MIT
import SporadesModel

extension PreparedQuestion.Groups {
  private struct Row {
    let group: GroupValues
    let sortKeys: [Value]
  }

  /// The answer of groups whose values are known: those that satisfy the condition, in their order, within the
  /// bounds.
  package func answer(
    _ groups: [GroupValues], to question: TableQuestion
  ) throws(StoreError) -> TableAnswer {
    do {
      var rows: [Row] = []
      rows.reserveCapacity(groups.count)
      for group in groups where try holds(group) {
        rows.append(Row(group: group, sortKeys: try sortKeys(group)))
      }
      if !isOne { rows.sort { comesBefore($0, $1) } }
      return try answer(rows, question)
    } catch {
      throw StoreError(refusing: error)
    }
  }

  private func holds(_ group: GroupValues) throws(FetchPredicateError) -> Bool {
    guard let having else { return true }
    return try ConstantExpression.holds(group.filling(having))
  }

  private func sortKeys(_ group: GroupValues) throws(FetchPredicateError) -> [Value] {
    var keys: [Value] = []
    for step in order {
      let value = try step.output.map { output throws(FetchPredicateError) in
        try group.value(output)
      }
      keys.append(step.term.key(value ?? .integer(.random(in: .min ... .max)), step.collator))
    }
    return keys
  }

  /// Groups that are equal by all terms follow each other by their own values.
  private func comesBefore(_ left: Row, _ right: Row) -> Bool {
    for place in order.indices {
      let result = order[place].term.compare(left.sortKeys[place], right.sortKeys[place])
      if result != 0 { return result < 0 }
    }
    for place in keys.indices {
      let result = ValueOrder.sortOrder(left.group.keys[place], right.group.keys[place])
      if result != 0 { return result < 0 }
    }
    return false
  }

  private func answer(
    _ rows: [Row], _ question: TableQuestion
  ) throws(FetchPredicateError) -> TableAnswer {
    var values: [Value] = []
    var known: Set<ValueKey> = []
    var skipped = 0
    var count = 0
    for row in rows {
      if let limit = question.limit, count == limit { break }
      var outputs: [Value] = []
      for output in self.outputs { outputs.append(try row.group.value(output)) }
      if question.isDistinct, !known.insert(ValueKey(outputs)).inserted { continue }
      guard skipped >= question.offset else {
        skipped += 1
        continue
      }
      values += outputs
      count += 1
    }
    return TableAnswer(width: outputs.count, values)
  }
}
