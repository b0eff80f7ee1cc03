// SPDX-License-Identifier: MIT
import SporadesModel

/// The pages for new or changed rows of one entity in one context. The last page takes the next
/// row. The objects that show a full page keep it alive.
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
