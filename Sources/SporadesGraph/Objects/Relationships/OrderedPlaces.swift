// SPDX-License-Identifier: MIT

/// Places in ordered relationships, with room between them for what is inserted later; Core Data's
/// numbers.
///
/// Members keep their places where they can: of those that have one, the longest line in the right
/// order stays, and the others go into the gaps. A gap that is too narrow takes its neighbour in.
enum OrderedPlaces {
  static let first: Int64 = 2048
  static let step: Int64 = 1024

  /// Rising places for members in their order, of which `current` tells the places they have.
  static func rising(_ current: [Int64?]) -> [Int64] {
    // A place so near to the last number there is, by no program of ours, leaves no room behind it.
    let hasRoom = current.allSatisfy { ($0 ?? 0) <= largest(among: current.count) }
    return hasRoom ? keeping(current) : keeping(current.map { _ in nil })
  }

  /// The place behind another; nil where there is none.
  static func next(after place: Int64) -> Int64? {
    let (next, isOver) = place.addingReportingOverflow(step)
    return isOver ? nil : next
  }

  private static func largest(among count: Int) -> Int64 { .max - step * Int64(count + 1) }

  private static func keeping(_ current: [Int64?]) -> [Int64] {
    var places = current.map { $0 ?? 0 }
    var kept = keepable(current)[...]
    var next = 0
    var last: Int64 = 0
    while next < current.count {
      if kept.first == next {
        last = places[next]
        kept.removeFirst()
        next += 1
        continue
      }
      let end = fill(&places, from: next, after: last, &kept)
      last = places[end - 1]
      next = end
    }
    return places
  }

  /// Gives places to the members before the next one that keeps its own, and returns where they end.
  private static func fill(
    _ places: inout [Int64], from start: Int, after last: Int64, _ kept: inout ArraySlice<Int>
  ) -> Int {
    while let end = kept.first {
      let gap = (places[end] - last) / Int64(end - start + 1)
      if gap > 0 {
        for index in start..<end { places[index] = last + gap * Int64(index - start + 1) }
        return end
      }
      kept.removeFirst()
    }
    let begin = last == 0 ? first : last + step
    for index in start..<places.count { places[index] = begin + step * Int64(index - start) }
    return places.count
  }

  /// The longest row of members whose places rise already.
  private static func keepable(_ current: [Int64?]) -> [Int] {
    // the last members of the best rows of each length, and who stands before each member
    var tails: [Int] = []
    var before = [Int](repeating: -1, count: current.count)
    for (index, place) in current.enumerated() {
      guard let place, place > 0 else { continue }
      let length = lowerBound(tails) { (current[$0] ?? 0) < place }
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
    var (low, high) = (0, tails.count)
    while low < high {
      let middle = (low + high) / 2
      if isLess(tails[middle]) { low = middle + 1 } else { high = middle }
    }
    return low
  }
}
