// SPDX-License-Identifier: MIT
import Synchronization

/// Temporary keys for new objects. Each context takes a block of keys, so that contexts need not
/// synchronise for each key.
enum TemporaryKeys {
  private static let next = Atomic<Int>(1)

  static func nextBlock() -> Range<Int64> {
    let size = 256
    let start = next.wrappingAdd(size, ordering: .relaxed).oldValue
    return Int64(start)..<Int64(start + size)
  }
}
