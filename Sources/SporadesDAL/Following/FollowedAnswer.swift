// SPDX-License-Identifier: MIT
import SporadesModel
import SporadesStore

/// The store's answer to a question for groups whose values only the store computes: sums of fractions and of decimals,
/// different values, and computed values.
///
/// Changed rows tell whether the answer is still right. A row concerns it that comes into the request or leaves it, and one
/// of the request whose values the question reads.
final class FollowedAnswer: FollowedContent {
  private(set) var members: Set<RowKey>
  private let condition: FollowedCondition
  /// Nil after a change that concerns it, until the store is asked again.
  private(set) var answer: TableAnswer?

  /// Takes the keys of all rows that the predicate accepts.
  init(_ members: Set<RowKey>, _ condition: FollowedCondition, _ answer: TableAnswer) {
    self.members = members
    self.condition = condition
    self.answer = answer
  }

  var keys: [RowKey] { Array(members) }

  func removeAll() -> MemberChanges {
    defer { if !members.isEmpty { (members, answer) = ([], nil) } }
    return MemberChanges(left: keys)
  }

  func apply(
    _ changes: [RowChange], _ moved: inout MemberChanges
  ) throws(FetchPredicateError) -> FollowedEffect {
    var isConcerned = false
    for change in changes {
      if let row = change.row, try condition.includes(row) {
        if members.insert(change.key).inserted {
          moved.joined.append(change.key)
        } else if !change.slots.meets(condition.slots) {
          continue
        }
      } else if members.remove(change.key) != nil {
        moved.left.append(change.key)
      } else {
        continue
      }
      isConcerned = true
    }
    if isConcerned { answer = nil }
    return isConcerned ? .changed : .none
  }
}
