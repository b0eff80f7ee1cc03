// SPDX-License-Identifier: MIT
import SporadesModel

/// The pages for new or changed rows of one entity in one context. The last page takes the next
/// row. The objects that show a full page keep it alive.
struct OpenPages {
  private var last: RowPage?
  private static let firstCapacity = 4
  private static let largestCapacity = 1024

  /// The page for the next row. `open` makes one with room for a number of rows.
  @inline(__always)
  mutating func next(_ open: (_ capacity: Int) -> RowPage) -> RowPage {
    if let last, !last.isFull { return last }
    let page = open(min((last?.count ?? 1) * Self.firstCapacity, Self.largestCapacity))
    last = page
    return page
  }

  mutating func close() { last = nil }
}
