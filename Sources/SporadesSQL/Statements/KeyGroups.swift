// SPDX-License-Identifier: MIT

/// Keys in ascending groups of a few fixed sizes, so that a few statements serve any number of keys.
///
/// A group of adjacent keys becomes a range, which takes one pass over the index.
package struct KeyGroups: Sequence {
  /// The keys, without duplicates.
  package let sorted: [Int64]

  package init(_ keys: [Int64]) {
    var unique: [Int64] = []
    unique.reserveCapacity(keys.count)
    for key in keys.sorted() where unique.last != key { unique.append(key) }
    sorted = unique
  }

  /// The first and last key, if there are many keys and none between them is missing.
  package var wholeRange: ClosedRange<Int64>? {
    guard sorted.count > Group.few, let range, Self.count(of: range) == sorted.count else {
      return nil
    }
    return range
  }

  /// The first and last key, if a scan of all rows between them is cheaper than a seek for each key.
  package var denseRange: ClosedRange<Int64>? {
    guard sorted.count >= 64, let range, let count = Self.count(of: range),
      count <= 2 * sorted.count
    else { return nil }
    return range
  }

  private var range: ClosedRange<Int64>? {
    guard let first = sorted.first, let last = sorted.last else { return nil }
    return first...last
  }

  /// Nil if an integer cannot count the numbers in the range.
  private static func count(of range: ClosedRange<Int64>) -> Int? {
    let (width, isOver) = range.upperBound.subtractingReportingOverflow(range.lowerBound)
    return isOver || width == .max ? nil : Int(width) + 1
  }

  package func makeIterator() -> Iterator { Iterator(keys: sorted[...], range: wholeRange) }

  package struct Iterator: IteratorProtocol {
    fileprivate var keys: ArraySlice<Int64>
    fileprivate let range: ClosedRange<Int64>?

    package mutating func next() -> Group? {
      guard !keys.isEmpty else { return nil }
      if let range {
        keys = []
        return Group(range)
      }
      let size = keys.count == 1 ? 1 : keys.count > Group.few ? Group.many : Group.few
      defer { keys = keys.dropFirst(size) }
      return Group(keys: keys.prefix(size), size: size)
    }
  }

  /// The keys of one statement.
  package struct Group: Sendable {
    package static let few = 16
    package static let many = 256

    /// The bounds, if the group is a range.
    package let keys: ArraySlice<Int64>
    /// The number of parameters: 1, ``few`` or ``many``; 0 for a range.
    package let size: Int

    package init(_ range: ClosedRange<Int64>) {
      keys = [range.lowerBound, range.upperBound]
      size = 0
    }

    fileprivate init(keys: ArraySlice<Int64>, size: Int) {
      self.keys = keys
      self.size = size
    }

    /// `t0.id = ?`, `t0.id BETWEEN ? AND ?`, `t0.id IN (?, …)`
    func condition(_ column: String) -> SQLFragment {
      switch size {
      case 0: "\(sql: column) BETWEEN \(.parameter) AND \(.parameter)"
      case 1: "\(sql: column) = \(.parameter)"
      default: "\(sql: column) IN (\(.parameters(size)))"
      }
    }
  }
}
