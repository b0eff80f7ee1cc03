// SPDX-License-Identifier: MIT
import SporadesStore

/// Small committed saves, kept until the next writer frees them.
///
/// The writing thread allocated their memory. When that thread frees it too, its next save reuses the memory.
/// When the committing thread frees it, the allocator's locks stand between the two threads, and a run of
/// small writes takes a tenth longer.
struct SpentSaves {
  private var saves: [ChangeSet] = []
  /// Saves with more rows are freed at once.
  private static let mostRows = 16
  private static let mostSaves = 1024

  /// Takes two saves: more than the one that each accepted save adds, so that none pile up.
  mutating func take() -> (ChangeSet?, ChangeSet?) { (saves.popLast(), saves.popLast()) }

  /// Keeps the saves committed now; returns the former ones, and those that are not kept, to be freed.
  mutating func replace(by committed: [ChangeSet]) -> [ChangeSet] {
    defer { saves = committed.prefix(Self.mostSaves).filter { $0.count <= Self.mostRows } }
    return saves + committed
  }
}
