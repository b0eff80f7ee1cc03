// SPDX-License-Identifier: MIT
import SporadesModel

/// Puts rows behind those to which they lead in the same table. Rows in a circle come in any order.
enum InOwnOrder {
  /// The places of rows in their new order. `targets` are the keys to which each leads.
  static func order(of rows: [RowKey], _ targets: [[RowKey]]) -> [Int] {
    let places = Dictionary(rows.enumerated().map { ($1, $0) }) { first, _ in first }
    var order: [Int] = []
    var isVisited = [Bool](repeating: false, count: rows.count)
    // A stack of its own, because a chain of rows may be long.
    for start in rows.indices where !isVisited[start] {
      var stack = [(place: start, isReady: false)]
      while let (place, isReady) = stack.popLast() {
        if isReady {
          order.append(place)
          continue
        }
        guard !isVisited[place] else { continue }
        isVisited[place] = true
        stack.append((place, true))
        for other in targets[place].compactMap({ places[$0] }) where !isVisited[other] {
          stack.append((other, false))
        }
      }
    }
    return order
  }
}
