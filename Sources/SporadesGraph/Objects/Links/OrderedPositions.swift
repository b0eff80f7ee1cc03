// SPDX-License-Identifier: MIT
import SporadesModel

/// Positions in ordered relationships, with gaps for later insertions; Core Data's numbers.
///
/// A member keeps its position if it can. The longest run of members whose positions already rise
/// stays, and the other members go into the gaps. If a gap is too narrow, its next neighbour gives
/// up its position and widens the gap.
enum OrderedPositions {
  static let first: Int64 = 2048
  static let step: Int64 = 1024

  /// Rising positions for the members in their order. `current` holds their present positions.
  static func rising(_ current: [Int64?]) -> [Int64] {
    // A position close to the largest number leaves no room behind it. Sporades never writes such a
    // position, but another program may.
    let hasRoom = current.allSatisfy { ($0 ?? 0) <= largest(among: current.count) }
    return hasRoom ? keeping(current) : keeping(current.map { _ in nil })
  }

  /// The position behind another one; nil if there is none.
  static func next(after position: Int64) -> Int64? {
    let (next, isOver) = position.addingReportingOverflow(step)
    return isOver ? nil : next
  }

  /// The places of members in the order of their positions. Members that another program left without one are in front, as
  /// in the store; those that the next save places come last.
  static func order(of positions: [Int64?]) -> [Int] {
    let inFront = positions.prefix { $0 == nil }.count
    let placed = positions.enumerated().map { place, position in
      (position: position ?? (place < inFront ? .min : .max), place: place)
    }
    return placed.sorted { $0 < $1 }.map(\.place)
  }

  private static func largest(among count: Int) -> Int64 { .max - step * Int64(count + 1) }

  private static func keeping(_ current: [Int64?]) -> [Int64] {
    var positions = current.map { $0 ?? 0 }
    var kept = keepable(current)[...]
    var next = 0
    var last: Int64 = 0
    while next < current.count {
      if kept.first == next {
        last = positions[next]
        kept.removeFirst()
        next += 1
        continue
      }
      let end = fill(&positions, from: next, after: last, &kept)
      last = positions[end - 1]
      next = end
    }
    return positions
  }

  /// Sets the positions of the members before the next one that keeps its own. Returns the index
  /// behind them.
  private static func fill(
    _ positions: inout [Int64], from start: Int, after last: Int64, _ kept: inout ArraySlice<Int>
  ) -> Int {
    while let end = kept.first {
      let gap = (positions[end] - last) / Int64(end - start + 1)
      if gap > 0 {
        for index in start..<end { positions[index] = last + gap * Int64(index - start + 1) }
        return end
      }
      kept.removeFirst()
    }
    let begin = last == 0 ? first : last + step
    for index in start..<positions.count { positions[index] = begin + step * Int64(index - start) }
    return positions.count
  }

  /// The longest run of members whose positions already rise.
  private static func keepable(_ current: [Int64?]) -> [Int] {
    // `tails` has the last member of the best run of each length; `before` has the predecessor of
    // each member.
    var tails: [Int] = []
    var before = [Int](repeating: -1, count: current.count)
    for (index, position) in current.enumerated() {
      guard let position, position > 0 else { continue }
      let length = lowerBound(tails) { (current[$0] ?? 0) < position }
      if length > 0 { before[index] = tails[length - 1] }
      if length == tails.count { tails.append(index) } else { tails[length] = index }
    }
    var row: [Int] = []
    var index = tails.last ?? -1
    while index >= 0 {
      row.append(index)
      index = before[index]
    }
    return row.reversed()
  }

  private static func lowerBound(_ tails: [Int], _ isLess: (Int) -> Bool) -> Int {
    if let last = tails.last, isLess(last) { return tails.count }
    return (0..<tails.count).division { isLess(tails[$0]) }
  }
}
