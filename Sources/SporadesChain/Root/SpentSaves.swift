// SPDX-License-Identifier: MIT
import SporadesStore

/// Small committed saves that wait for the next writer to free them.
///
/// The writing thread allocated their memory, and reuses it in its next save if it frees the memory itself. If
/// the committing thread frees the memory, both threads contend for the allocator's locks, and a series of small
/// writes takes a tenth longer.
struct SpentSaves {
  private var saves: [ChangeSet] = []
  /// The largest number of rows in a kept save.
  private static let mostRows = 16
  private static let mostSaves = 1024

  /// Removes and returns two saves. Each accepted save adds only one, so the number of kept saves shrinks.
  mutating func take() -> (ChangeSet?, ChangeSet?) { (saves.popLast(), saves.popLast()) }

  /// Keeps the newly committed small saves. Returns the former ones and all new ones; the caller frees them.
  mutating func replace(by committed: [ChangeSet]) -> [ChangeSet] {
    defer { saves = committed.prefix(Self.mostSaves).filter { $0.count <= Self.mostRows } }
    return saves + committed
  }
}
