// SPDX-License-Identifier: MIT
import SporadesModel

/// A set of primary keys that arrive mostly in ascending order. Neighbours cost no memory.
struct KeyRanges {
  private(set) var ranges: [ClosedRange<Int64>] = []

  /// Adds a key above all others. Returns false, and adds nothing, if the key is not above them.
  mutating func append(_ key: Int64) -> Bool {
    guard let last = ranges.last else {
      ranges.append(key...key)
      return true
    }
    guard key > last.upperBound else { return false }
    if key - 1 == last.upperBound {
      ranges[ranges.count - 1] = last.lowerBound...key
    } else {
      ranges.append(key...key)
    }
    return true
  }

  func contains(_ key: Int64) -> Bool {
    let place = (0..<ranges.count).division { ranges[$0].upperBound < key }
    return place < ranges.count && ranges[place].contains(key)
  }
}
