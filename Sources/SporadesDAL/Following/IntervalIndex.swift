// SPDX-License-Identifier: MIT
import SporadesModel

/// Finds the intervals that contain a number.
///
/// The intervals lie in the order of their lower bounds. The middle of a stretch is the root of a tree over it, and knows
/// the largest upper bound of the stretch.
struct IntervalIndex {
  private struct Entry {
    let range: ClosedRange<Double>
    let owner: Int
  }

  private var entries: [Entry] = []
  /// The largest upper bound of the stretch whose middle is at the place. Empty after a change, until somebody asks.
  private var tops: [Double] = []

  var isEmpty: Bool { entries.isEmpty }

  mutating func insert(_ range: ClosedRange<Double>, owner: Int) {
    tops = []
    entries.insert(Entry(range: range, owner: owner), at: firstPlace(range.lowerBound))
  }

  mutating func remove(_ range: ClosedRange<Double>, owner: Int) {
    tops = []
    var place = firstPlace(range.lowerBound)
    while place < entries.count, entries[place].range.lowerBound == range.lowerBound {
      if entries[place].owner == owner {
        entries.remove(at: place)
        return
      }
      place += 1
    }
  }

  /// Calls `body` with the owner of each interval that contains the number.
  mutating func forEach(containing number: Double, _ body: (Int) -> Void) {
    if tops.isEmpty, !entries.isEmpty {
      tops = Array(repeating: -.infinity, count: entries.count)
      _ = measure(0..<entries.count)
    }
    visit(0..<entries.count, number, body)
  }

  private func firstPlace(_ bound: Double) -> Int {
    (0..<entries.count).division { entries[$0].range.lowerBound < bound }
  }

  private mutating func measure(_ stretch: Range<Int>) -> Double {
    guard !stretch.isEmpty else { return -.infinity }
    let middle = (stretch.lowerBound + stretch.upperBound) / 2
    let sides = max(
      measure(stretch.lowerBound..<middle), measure((middle + 1)..<stretch.upperBound))
    tops[middle] = max(entries[middle].range.upperBound, sides)
    return tops[middle]
  }

  private func visit(_ stretch: Range<Int>, _ number: Double, _ body: (Int) -> Void) {
    guard !stretch.isEmpty else { return }
    let middle = (stretch.lowerBound + stretch.upperBound) / 2
    guard tops[middle] >= number else { return }
    visit(stretch.lowerBound..<middle, number, body)
    guard entries[middle].range.lowerBound <= number else { return }
    if entries[middle].range.contains(number) { body(entries[middle].owner) }
    visit((middle + 1)..<stretch.upperBound, number, body)
  }
}
