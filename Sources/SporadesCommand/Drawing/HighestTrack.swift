// SPDX-License-Identifier: MIT

/// The highest track in use at each of many places, for ranges of places.
struct HighestTrack {
  private let size: Int
  /// The highest track that was set for all places below a node of the tree.
  private var whole: [Int]
  /// The highest track of any place below it.
  private var best: [Int]

  init(places: Int) {
    var size = 1
    while size < places { size *= 2 }
    self.size = size
    whole = Array(repeating: -1, count: 2 * size)
    best = whole
  }

  /// The highest track in a range of places; -1 if none is in use there.
  func highest(_ range: ClosedRange<Int>) -> Int { highest(range, 1, 0, size - 1) }

  private func highest(_ range: ClosedRange<Int>, _ node: Int, _ low: Int, _ high: Int) -> Int {
    if range.upperBound < low || high < range.lowerBound { return -1 }
    if range.lowerBound <= low, high <= range.upperBound { return best[node] }
    let middle = (low + high) / 2
    return max(
      whole[node],
      max(highest(range, 2 * node, low, middle), highest(range, 2 * node + 1, middle + 1, high)))
  }

  /// Puts a track, higher than those in use there, into a range of places.
  mutating func use(_ track: Int, _ range: ClosedRange<Int>) { use(track, range, 1, 0, size - 1) }

  private mutating func use(
    _ track: Int, _ range: ClosedRange<Int>, _ node: Int, _ low: Int, _ high: Int
  ) {
    if range.upperBound < low || high < range.lowerBound { return }
    best[node] = max(best[node], track)
    if range.lowerBound <= low, high <= range.upperBound {
      whole[node] = max(whole[node], track)
      return
    }
    let middle = (low + high) / 2
    use(track, range, 2 * node, low, middle)
    use(track, range, 2 * node + 1, middle + 1, high)
  }
}
