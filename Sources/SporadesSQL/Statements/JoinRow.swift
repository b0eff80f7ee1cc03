// SPDX-License-Identifier: MIT
package import SporadesModel
package import SporadesStore

/// A link as a row of a join table: the keys of both sides, and each side's place among the links of the
/// other.
package struct JoinRow: Hashable, Sendable {
  package let join: Int
  package let first: Int64
  package let second: Int64
  /// Nil for an unordered side, and for a place that is not known yet.
  package let firstPosition: Int64?
  package let secondPosition: Int64?

  /// The link of an owner, as the change set names it.
  package init(
    _ change: LinkChange, _ other: RowKey, place: Int64? = nil, ownerPlace: Int64? = nil
  ) {
    let (owner, other) = (change.owner.primaryKey, other.primaryKey)
    join = change.join
    (first, second) = change.isFirst ? (owner, other) : (other, owner)
    (firstPosition, secondPosition) = change.isFirst ? (ownerPlace, place) : (place, ownerPlace)
  }

  /// The same link seen from the other side. A relationship that is its own inverse stores both.
  package var turned: JoinRow {
    JoinRow(
      join: join, first: second, second: first, firstPosition: secondPosition,
      secondPosition: firstPosition)
  }

  private init(
    join: Int, first: Int64, second: Int64, firstPosition: Int64?, secondPosition: Int64?
  ) {
    self.join = join
    self.first = first
    self.second = second
    self.firstPosition = firstPosition
    self.secondPosition = secondPosition
  }

  package func position(first isFirst: Bool) -> Int64? { isFirst ? firstPosition : secondPosition }

  /// Numbers the join's statements separately for each side.
  package func number(first isFirst: Bool) -> Int { join * 2 + (isFirst ? 1 : 0) }
}
