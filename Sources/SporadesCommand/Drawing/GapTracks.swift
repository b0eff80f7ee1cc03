// SPDX-License-Identifier: MIT

/// The vertical tracks in the gap between two layers. Each wire that changes its height there does so in one of them.
///
/// Rules:
/// 1. Wires whose vertical parts overlap have different tracks, unless they begin at the same place.
/// 2. Of two wires that go down, the one that begins higher has the track further right. Of two that go up, the one that
///    begins lower has. So wires that run side by side do not cross.
struct GapTracks {
  /// A wire's way through the gap.
  struct Run {
    let from: Double
    let to: Double
    /// Runs with the same number share a track.
    var bundle: Int?
  }

  /// The track of each run; nil for a straight one.
  private(set) var tracks: [Int?]
  private(set) var count = 0
  /// Heights that differ by less are drawn as one.
  static let straight = 0.5
  private static let room = 5.0

  /// Runs that get a track together.
  private struct Group {
    var runs: [Int]
    var low: Double
    var high: Double
    let start: Double
    var descent: Double
  }

  init(_ runs: [Run]) {
    tracks = Array(repeating: nil, count: runs.count)
    let groups = Self.groups(runs)
    guard !groups.isEmpty else { return }
    let heights = Set(groups.flatMap { [$0.low, $0.high] }).sorted()
    let places = Dictionary(heights.enumerated().map { ($1, $0) }) { first, _ in first }
    var used = HighestTrack(places: heights.count)
    let order = groups.indices.sorted { first, second in
      let (one, other) = (groups[first], groups[second])
      let (goesDown, otherGoesDown) = (one.descent >= 0, other.descent >= 0)
      if goesDown != otherGoesDown { return goesDown }
      if one.start != other.start {
        return goesDown ? one.start > other.start : one.start < other.start
      }
      return first < second
    }
    for number in order {
      let group = groups[number]
      let range = (places[group.low] ?? 0)...(places[group.high] ?? 0)
      let track = used.highest(range) + 1
      used.use(track, range)
      for run in group.runs { tracks[run] = track }
      count = max(count, track + 1)
    }
  }

  private static func groups(_ runs: [Run]) -> [Group] {
    var groups: [Group] = []
    var bundles: [Int: Int] = [:]
    for (place, run) in runs.enumerated() where abs(run.from - run.to) >= straight {
      let (low, high) = (min(run.from, run.to) - room, max(run.from, run.to) + room)
      if let bundle = run.bundle, let known = bundles[bundle] {
        groups[known].runs.append(place)
        groups[known].low = min(groups[known].low, low)
        groups[known].high = max(groups[known].high, high)
        groups[known].descent += run.to - run.from
        continue
      }
      if let bundle = run.bundle { bundles[bundle] = groups.count }
      groups.append(
        Group(runs: [place], low: low, high: high, start: run.from, descent: run.to - run.from))
    }
    return groups
  }
}
