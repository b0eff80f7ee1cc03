// SPDX-License-Identifier: MIT

/// The latest changes, as long as somebody makes a value of an older state.
struct FollowingLog {
  private var changes: [RowChanges] = []
  private var first = 0
  private var rows = 0
  /// The places from which makers of values will ask, and their numbers.
  private var starts: [Int: Int] = [:]
  private static let mostRows = 100_000

  /// The place behind the last changes.
  var end: Int { first + changes.count }

  mutating func begin() -> Int {
    starts[end, default: 0] += 1
    return end
  }

  mutating func finish(_ start: Int) {
    guard let count = starts[start] else { return }
    starts[start] = count > 1 ? count - 1 : nil
    guard let least = starts.keys.min() else { return clear() }
    for dropped in changes.prefix(max(0, least - first)) { rows -= dropped.rows.count }
    changes.removeFirst(max(0, least - first))
    first = max(first, least)
  }

  mutating func add(_ change: RowChanges) {
    guard !starts.isEmpty else {
      first += 1
      return
    }
    changes.append(change)
    rows += change.rows.count
    // A maker that takes so long is told that it has missed changes.
    if rows > Self.mostRows { clear() }
  }

  private mutating func clear() {
    first = end
    changes = []
    rows = 0
  }

  /// The changes since a place; nil if they are not known any more.
  func changes(since start: Int) -> ArraySlice<RowChanges>? {
    start < first ? nil : changes[(start - first)...]
  }
}
