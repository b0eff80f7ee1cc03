// SPDX-License-Identifier: MIT
import SporadesChain
import SporadesModel

/// The arrivals that no request has followed yet, in their order.
struct FollowingInbox {
  private var waiting: [Arrival] = []
  private var rows = 0
  /// Saves that nobody takes out must not fill the memory.
  private static let limits = (saves: 20_000, rows: 500_000)

  var isEmpty: Bool { waiting.isEmpty }

  mutating func add(_ arrival: Arrival) {
    if case .outdated(let number)? = waiting.last {
      waiting = [.outdated(number: max(number, arrival.number))]
      return
    }
    if case .saved(let changes, _) = arrival { rows += changes.count }
    waiting.append(arrival)
    guard waiting.count > Self.limits.saves || rows > Self.limits.rows else { return }
    waiting = [.outdated(number: arrival.number)]
    rows = 0
  }

  /// Removes and returns the arrivals up to the save with the number. Arrivals without a number belong to the save before
  /// them.
  mutating func take(upTo number: Int = .max) -> [Arrival] {
    guard number < .max, let end = waiting.firstIndex(where: { $0.number > number }) else {
      defer { (waiting, rows) = ([], 0) }
      return waiting
    }
    var taken = Array(waiting[..<end])
    for case .saved(let changes, _) in taken { rows -= changes.count }
    waiting.removeFirst(end)
    // Saves up to the number are among those that were dropped, and later ones too. So it counts now and again.
    if case .outdated? = waiting.first { taken.append(.outdated(number: number)) }
    return taken
  }
}
