// SPDX-License-Identifier: MIT
import SporadesChain
import SporadesModel
import SporadesStore

/// The groups of a request and their values, which changes of rows bring up to date.
///
/// Rules:
/// 1. Of each row its group is known, and what the aggregates took of it, so nobody needs its old values.
/// 2. Counts, and sums and means of whole numbers, are computed from what comes and what goes.
/// 3. A least or greatest value is known until its row goes. The store is asked again then.
final class FollowedGroups: FollowedContent {
  /// The share of a row in its group.
  private struct Share: Equatable {
    let group: ValueKey
    let keys: [Value]
    /// A value for each aggregate; null for one that counts rows.
    let values: [Value]
  }

  private struct Group {
    let keys: [Value]
    var rows = 0
    var totals: [Total]
  }

  /// An aggregate of one group.
  fileprivate struct Total {
    /// The number of values that are not nil, or of rows.
    var count = 0
    var sum: Int128 = 0
    /// The least or greatest value.
    var extreme = Value.null
  }

  private let condition: FollowedCondition
  private let question: GroupQuestion
  private var shares: [RowKey: Share] = [:]
  private var groups: [ValueKey: Group] = [:]

  /// Takes all rows of the request's objects.
  init(
    _ rows: some Sequence<RowPlace>, _ condition: FollowedCondition, _ question: GroupQuestion
  ) throws(FetchPredicateError) {
    self.condition = condition
    self.question = question
    for row in rows { add(row.key, try share(of: row)) }
  }

  var keys: [RowKey] { Array(shares.keys) }

  /// The answer to the question.
  func answer() throws(StoreError) -> TableAnswer {
    var values = groups.values.map { group in
      GroupValues(
        keys: group.keys,
        aggregates: zip(question.groups.aggregates, group.totals).map { $1.value($0.function) })
    }
    if values.isEmpty && question.groups.isOne {
      values = [
        GroupValues(
          keys: [], aggregates: question.groups.aggregates.map { Total().value($0.function) })
      ]
    }
    return try question.groups.answer(values, to: question.question)
  }

  func removeAll() -> MemberChanges {
    defer { (shares, groups) = ([:], [:]) }
    return MemberChanges(left: keys)
  }

  func apply(
    _ changes: [RowChange], _ members: inout MemberChanges
  ) throws(FetchPredicateError) -> FollowedEffect {
    var effect = FollowedEffect.none
    for change in changes {
      var new: Share?
      if let row = change.row, try condition.includes(row) { new = try share(of: row) }
      let old = shares[change.key]
      guard old != new else { continue }
      effect.formUnion(.changed)
      if let old, !remove(change.key, old) { effect.formUnion(.lost) }
      if let new { add(change.key, new) }
      switch (old, new) {
      case (nil, .some): members.joined.append(change.key)
      case (.some, nil): members.left.append(change.key)
      default: break
      }
    }
    return effect
  }

  private func share(of row: RowPlace) throws(FetchPredicateError) -> Share {
    let subject = FollowedSubject(row: row, scope: condition.scope)
    var (keys, values): ([Value], [Value]) = ([], [])
    for key in question.groups.keys { keys.append(try key.value(of: subject)) }
    for aggregate in question.groups.aggregates {
      values.append(try aggregate.argument?.value(of: subject) ?? .null)
    }
    return Share(group: ValueKey(keys), keys: keys, values: values)
  }

  private func add(_ key: RowKey, _ share: Share) {
    shares[key] = share
    let empty = Group(keys: share.keys, totals: question.groups.aggregates.map { _ in Total() })
    var group = groups.removeValue(forKey: share.group) ?? empty
    group.rows += 1
    for (place, aggregate) in question.groups.aggregates.enumerated() {
      group.totals[place].add(aggregate, share.values[place])
    }
    groups[share.group] = group
  }

  /// Takes a row out. False if its group has lost a least or greatest value.
  private func remove(_ key: RowKey, _ share: Share) -> Bool {
    shares[key] = nil
    guard var group = groups.removeValue(forKey: share.group), group.rows > 1 else { return true }
    group.rows -= 1
    var isKnown = true
    for (place, aggregate) in question.groups.aggregates.enumerated() {
      if !group.totals[place].remove(aggregate, share.values[place]) { isKnown = false }
    }
    groups[share.group] = group
    return isKnown
  }
}

extension FollowedGroups.Total {
  fileprivate mutating func add(_ aggregate: AggregateShape, _ value: Value) {
    guard aggregate.argument != nil else {
      count += 1
      return
    }
    guard !ValueOrder.isNil(value) else { return }
    count += 1
    switch aggregate.function {
    case .min: extreme = count == 1 ? value : AggregateFunction.min.value(of: [extreme, value])
    case .max: extreme = count == 1 ? value : AggregateFunction.max.value(of: [extreme, value])
    default: sum += GroupQuestion.whole(value)
    }
  }

  fileprivate mutating func remove(_ aggregate: AggregateShape, _ value: Value) -> Bool {
    guard aggregate.argument != nil else {
      count -= 1
      return true
    }
    guard !ValueOrder.isNil(value) else { return true }
    count -= 1
    switch aggregate.function {
    case .min, .max:
      guard count > 0 else {
        extreme = .null
        return true
      }
      return ValueOrder.sortOrder(extreme, value) != 0
    default:
      sum -= GroupQuestion.whole(value)
      return true
    }
  }

  fileprivate func value(_ function: FetchFunction) -> Value {
    switch function {
    case .count: return .integer(Int64(count))
    case .min, .max: return extreme
    case .average: return count == 0 ? .null : .double(Double(sum) / Double(count))
    default:
      if count == 0 { return .null }
      return Int64(exactly: sum).map { .integer($0) } ?? .double(Double(sum))
    }
  }
}

/// A question for groups that can be followed by rows.
struct GroupQuestion {
  let question: TableQuestion
  let groups: PreparedQuestion.Groups

  /// Nil if an aggregate is exact only where the store computes it: of fractions, of computed values, or of different
  /// values.
  init?(_ question: TableQuestion, _ model: ManagedObjectModel) throws(FetchPredicateError) {
    guard case .groups(let groups) = try PreparedQuestion(question, model).kind,
      groups.keys.allSatisfy({ $0.path != nil }), groups.aggregates.allSatisfy(\.isFollowed)
    else { return nil }
    self.question = question
    self.groups = groups
  }

  /// The whole number of an attribute whose type has no others.
  static func whole(_ value: Value) -> Int128 {
    if case .integer(let number) = value { return Int128(number) }
    return 0
  }
}

extension AggregateShape {
  fileprivate var isFollowed: Bool {
    guard let argument else { return function == .count }
    guard !isDistinct, let path = argument.path else { return false }
    switch function {
    case .count, .min, .max: return true
    case .sum, .average:
      return [.integer16, .integer32, .integer64].contains(path.attribute?.type)
    default: return false
    }
  }
}
