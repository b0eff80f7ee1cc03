// SPDX-License-Identifier: MIT

/// The numbers of the transactions in the history that this connection has committed.
struct OwnTransactions: Sendable {
  private var uncommitted: [Int64] = []
  /// Ascending. Numbers that follow each other form one range, as they do while no other process writes.
  private var ranges: [ClosedRange<Int64>] = []
  /// A process that forgets a transaction of its own takes it for that of another, and reads rows in vain.
  private static let mostRanges = 1_000

  mutating func note(_ number: Int64) { uncommitted.append(number) }

  /// Forgets the transactions that were rolled back.
  mutating func forgetUncommitted() { uncommitted.removeAll(keepingCapacity: true) }

  mutating func noteCommit() {
    for number in uncommitted {
      if let last = ranges.last, last.upperBound < .max, last.upperBound + 1 == number {
        ranges[ranges.count - 1] = last.lowerBound...number
      } else {
        ranges.append(number...number)
      }
    }
    if ranges.count > Self.mostRanges { ranges.removeFirst(ranges.count - Self.mostRanges) }
    forgetUncommitted()
  }

  func contains(_ number: Int64) -> Bool { ranges.contains { $0.contains(number) } }
}
