// SPDX-License-Identifier: MIT
import SporadesModel
import SporadesStore

/// The rows with given keys, read a few at a time: so many that their bytes fit into little memory.
struct RowBatches {
  private let store: any PersistentStore
  private let view: StoreView
  private var keys: ArraySlice<RowKey>
  private var size = 256
  private static let largestSize = 4_096
  private static let fullByteCount = 1 << 22

  /// All keys belong to one inheritance tree.
  init(_ store: any PersistentStore, _ keys: [RowKey], in view: StoreView) {
    (self.store, self.keys, self.view) = (store, keys[...], view)
  }

  /// The next rows; nil after the last ones.
  mutating func next() throws(StoreError) -> [RowPage]? {
    guard !keys.isEmpty else { return nil }
    let next = Array(keys.prefix(size))
    keys = keys.dropFirst(size)
    let pages = try store.rows(for: next, in: view)
    let count = pages.reduce(0) { $0 + $1.count }
    guard count == next.count else {
      throw StoreError(
        .conflict([]),
        "Somebody deleted objects of the store \(store.placeText) while it was read. Try again, and keep others away."
      )
    }
    let bytes = pages.reduce(0) { $0 + $1.memory + $1.largeBytesInMemory }
    // The rows that follow are likely as large. A few small ones do not make the next batch much larger.
    let fitting = count * Self.fullByteCount / max(bytes, 1)
    size = min(max(fitting, 1), size * 4, Self.largestSize)
    return pages
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
