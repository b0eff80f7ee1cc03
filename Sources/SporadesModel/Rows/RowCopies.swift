// SPDX-License-Identifier: MIT

/// Copies rows of several pages, one after the other, into as many new pages as their bytes need.
package struct RowCopies: ~Copyable {
  private let layout: RowLayout
  private var builder: RowPageBuilder
  private var pages: [RowPage] = []
  private var expected: Int

  /// Prepares for a number of rows.
  package init(_ layout: RowLayout, count: Int) {
    self.layout = layout
    expected = count
    builder = RowPageBuilder(layout: layout, capacity: max(1, count))
  }

  /// Copies one row of a page.
  package mutating func append(_ index: Int, of page: RowPage) {
    if builder.byteCount > RowPage.roomyByteCount {
      expected -= builder.count
      pages.append(builder.finish())
      builder = RowPageBuilder(layout: layout, capacity: max(1, min(expected, 512)))
    }
    builder.appendCopy(of: index, in: page)
  }

  /// Returns the pages, in the order of the rows; none if there are no rows.
  package consuming func finish() -> [RowPage] {
    if builder.count > 0 { pages.append(builder.finish()) }
    return pages
  }
}
