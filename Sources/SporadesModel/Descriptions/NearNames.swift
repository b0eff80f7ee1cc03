// SPDX-License-Identifier: MIT

/// A name that nobody has, and the names that exist in its place. It makes the sentence that leads to the
/// right one.
package struct NearNames {
  /// Longer names are not compared, nor those of larger models: the work grows with the square of the length
  /// and with the number.
  private static let longest = 32
  private static let largest = 1000
  /// The number of names that a sentence lists.
  private static let listed = 8

  private let name: String
  private let known: [String]

  package init(_ name: String, among known: some Sequence<String>) {
    self.name = name
    self.known = known.inOrder()
  }

  /// The name that needs the fewest changes, if these are few; nil if no name is near.
  package var nearest: String? {
    let folded = Array(name.lowercased().unicodeScalars.prefix(Self.longest + 1))
    let limit = max(1, folded.count / 3)
    guard folded.count <= Self.longest, known.count <= Self.largest else { return nil }
    var best: (name: String, changes: Int)?
    for candidate in known {
      let other = Array(candidate.lowercased().unicodeScalars.prefix(Self.longest + 1))
      guard abs(other.count - folded.count) <= limit else { continue }
      let changes = Self.changes(from: folded, to: other)
      if changes <= limit, changes < best?.changes ?? .max { best = (candidate, changes) }
    }
    return best?.name
  }

  /// The sentence about the nearest name, or about the names there are; empty if there are none.
  package var hint: String {
    if let nearest { return " The nearest name is \(nearest)." }
    guard !known.isEmpty else { return "" }
    let rest = known.count - Self.listed
    return " Known names: \(known.prefix(Self.listed).joined(separator: ", "))"
      + (rest > 0 ? " and \(rest) more." : ".")
  }

  /// The number of letters to insert, remove, replace, or exchange with their neighbour.
  private static func changes(from left: [Unicode.Scalar], to right: [Unicode.Scalar]) -> Int {
    var beforeLast: [Int] = []
    var last = Array(0...right.count)
    for row in left.indices {
      var current = [row + 1]
      for column in right.indices {
        let isEqual = left[row] == right[column]
        var least = min(
          last[column] + (isEqual ? 0 : 1), last[column + 1] + 1, current[column] + 1)
        if row > 0, column > 0, left[row] == right[column - 1], left[row - 1] == right[column] {
          least = min(least, beforeLast[column - 1] + 1)
        }
        current.append(least)
      }
      (beforeLast, last) = (last, current)
    }
    return last[right.count]
  }
}
