// SPDX-License-Identifier: MIT

/// Rows of any pages, copied one after the other into as many pages as their bytes need.
package struct RowCopies: ~Copyable {
  private let layout: RowLayout
  private var builder: RowPageBuilder
  private var pages: [RowPage] = []
  private var expected: Int

  /// Expects so many rows.
  package init(_ layout: RowLayout, count: Int) {
    self.layout = layout
    expected = count
    builder = RowPageBuilder(layout: layout, capacity: max(1, count))
  }

  package mutating func append(_ index: Int, of page: RowPage) {
    if builder.byteCount > RowPage.roomyByteCount {
      expected -= builder.count
      pages.append(builder.finish())
      builder = RowPageBuilder(layout: layout, capacity: max(1, min(expected, 512)))
    }
    builder.appendCopy(of: index, in: page)
  }

  /// The pages, in the order of the rows; none where there were no rows.
  package consuming func finish() -> [RowPage] {
    if builder.count > 0 { pages.append(builder.finish()) }
    return pages
  }
}
