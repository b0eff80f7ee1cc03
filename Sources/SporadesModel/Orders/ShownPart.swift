// SPDX-License-Identifier: MIT

/// The part of an order that a request with an offset and a limit shows.
///
/// A result that follows changes holds the order from its beginning up to the last shown element, and a margin behind it.
/// Elements that leave then do not make it ask the store again, until the margin is used up.
package struct ShownPart {
  package let offset: Int
  /// The position behind the last shown element; nil if all are shown from the offset on.
  package let end: Int?

  package init(offset: Int, limit: Int?) {
    self.offset = offset
    end = limit.flatMap { Self.sum(offset, $0) }
  }

  /// All of the order is shown.
  package var isWhole: Bool { offset == 0 && end == nil }

  /// The positions that are shown of an order with a number of elements.
  package func positions(of count: Int) -> Range<Int> {
    let end = min(count, end ?? count)
    return min(offset, end)..<end
  }

  /// The shown elements of an order.
  @inlinable
  package func elements<Element>(of order: [Element]) -> ArraySlice<Element> {
    order[positions(of: order.count)]
  }

  /// So many elements from the beginning of the order are all that is shown.
  package func isFull(with count: Int) -> Bool { count >= end ?? .max }

  /// A change from the position on changes what is shown.
  package func isShown(from position: Int) -> Bool { position < end ?? .max }

  /// The number of elements to hold, with the margin; nil if all are held.
  package var held: Int? { end.flatMap { Self.sum($0, max(16, min($0 / 4, 1024))) } }

  /// The number of elements to hold of an order that has grown to more than twice as many; nil if it has not.
  package func trimmed(from count: Int) -> Int? { held.flatMap { count / 2 > $0 ? $0 : nil } }

  /// Nil if no `Int` is as large, and no order can have as many elements.
  private static func sum(_ one: Int, _ two: Int) -> Int? {
    let (sum, isOver) = one.addingReportingOverflow(two)
    return isOver ? nil : sum
  }
}
