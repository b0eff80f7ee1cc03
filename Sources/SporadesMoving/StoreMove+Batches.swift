// SPDX-License-Identifier: MIT
import SporadesModel
import SporadesStore

// The rows of the source, read a few at a time: so many that their bytes fit into little memory.
extension StoreMove {
  private static let firstBatch = 256
  private static let largestBatch = 4_096
  private static let fullByteCount = 1 << 22

  /// Calls `body` with the rows that have the keys, all of one inheritance tree.
  func forEachBatch(
    of keys: [RowKey], in view: StoreView, _ body: ([RowPage]) throws(StoreError) -> Void
  ) throws(StoreError) {
    var rest = keys[...]
    var size = Self.firstBatch
    while !rest.isEmpty {
      let next = Array(rest.prefix(size))
      rest = rest.dropFirst(size)
      let pages = try source.rows(for: next, in: view)
      let count = pages.reduce(0) { $0 + $1.count }
      guard count == next.count else {
        throw StoreError(
          .conflict([]),
          "Somebody deleted objects of the source while it was read. Try again, and keep others away."
        )
      }
      try body(pages)
      // The rows that follow are likely as large. A few small ones do not make the next batch much larger.
      let bytes = pages.reduce(0) { $0 + $1.memory + $1.largeBytesInMemory }
      let fitting = count * Self.fullByteCount / max(bytes, 1)
      size = min(max(fitting, 1), size * 4, Self.largestBatch)
    }
  }
}

extension RowPage {
  /// The bytes of values outside of the rows. Those in files are read when they are written.
  fileprivate var largeBytesInMemory: Int {
    var sum = 0
    for slot in layout.largeSlots {
      for index in 0..<count {
        guard let value = largeValue(index, slot: slot), value.isInMemory else { continue }
        // `try?`, because a value in memory is always readable.
        sum += (try? value.count()) ?? 0
      }
    }
    return sum
  }
}
