// SPDX-License-Identifier: MIT

/// The phrases of a NEAR in one document.
struct SearchNear {
  let starts: [[SearchPosition]]
  let lengths: [Int]
  let distance: Int

  /// The beginnings of each phrase that belong to a place where all phrases are near each other.
  ///
  /// Each step moves one phrase forward, so that the work is the number of beginnings times the number of phrases.
  func kept() -> [[SearchPosition]] {
    var kept = [[SearchPosition]](repeating: [], count: starts.count)
    guard starts.allSatisfy({ !$0.isEmpty }) else { return kept }
    var places = [Int](repeating: 0, count: starts.count)
    while gather(&places) {
      for (phrase, place) in places.enumerated() {
        let position = starts[phrase][place]
        if kept[phrase].last != position { kept[phrase].append(position) }
      }
      // The phrase whose next beginning comes first moves on.
      var moved = 0
      for phrase in starts.indices where following(phrase, places) < following(moved, places) {
        moved = phrase
      }
      places[moved] += 1
      if places[moved] == starts[moved].count { break }
    }
    return kept
  }

  private func following(_ phrase: Int, _ places: [Int]) -> Int {
    let next = places[phrase] + 1
    return next < starts[phrase].count ? starts[phrase][next].raw : .max
  }

  /// Moves phrases forward until all are near the last of them; false if one has no further beginning.
  private func gather(_ places: inout [Int]) -> Bool {
    var last = starts[0][places[0]].raw
    var isTogether = false
    while !isTogether {
      isTogether = true
      for phrase in starts.indices {
        let first = last - lengths[phrase] - distance
        let position = starts[phrase][places[phrase]].raw
        if position >= first, position <= last { continue }
        isTogether = false
        while starts[phrase][places[phrase]].raw < first {
          places[phrase] += 1
          if places[phrase] == starts[phrase].count { return false }
        }
        last = max(last, starts[phrase][places[phrase]].raw)
      }
    }
    return true
  }
}
