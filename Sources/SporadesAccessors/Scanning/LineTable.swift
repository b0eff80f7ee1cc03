// SPDX-License-Identifier: MIT

/// Tells the line and the column of a place in a file.
package struct LineTable {
  /// The first byte of each line.
  private let starts: [Int]

  package init(_ bytes: [UInt8]) {
    var starts = [0]
    for (place, byte) in bytes.enumerated() where byte == UInt8(ascii: "\n") {
      starts.append(place + 1)
    }
    self.starts = starts
  }

  /// The line and the column, both counted from 1. The compiler counts columns in bytes too.
  package func position(of place: Int) -> (line: Int, column: Int) {
    var (low, high) = (0, starts.count)
    while high - low > 1 {
      let middle = (low + high) / 2
      if starts[middle] <= place { low = middle } else { high = middle }
    }
    return (low + 1, place - starts[low] + 1)
  }
}
