// SPDX-License-Identifier: MIT
import SporadesModel

/// The pages that take the changed rows of one entity in one context: full ones live on in the
/// objects that show them, the last takes the next row.
struct OpenPages {
  private var last: RowPage?
  private let ofChangedRows: Bool
  private static let firstCapacity = 4
  private static let largestCapacity = 1024

  init(ofChangedRows: Bool) { self.ofChangedRows = ofChangedRows }

  mutating func next(_ layout: RowLayout) -> RowPage {
    if let last, !last.isFull { return last }
    let capacity = min((last?.count ?? 1) * Self.firstCapacity, Self.largestCapacity)
    let page = RowPage(openFor: layout, capacity: capacity, ofChangedRows: ofChangedRows)
    last = page
    return page
  }

  mutating func close() { last = nil }
}
