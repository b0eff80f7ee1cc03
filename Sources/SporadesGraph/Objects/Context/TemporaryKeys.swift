// SPDX-License-Identifier: MIT
import Synchronization

/// Hands out the keys of objects no store has seen, in blocks, so that contexts need not agree on
/// every one.
enum TemporaryKeys {
  private static let next = Atomic<Int64>(1)

  static func nextBlock() -> Range<Int64> {
    let size: Int64 = 256
    let start = next.wrappingAdd(size, ordering: .relaxed).oldValue
    return start..<(start + size)
  }
}
