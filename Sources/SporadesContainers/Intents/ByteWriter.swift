// SPDX-License-Identifier: MIT

/// Writes numbers and texts as bytes, the lowest byte of a number first.
struct ByteWriter {
  var bytes: [UInt8] = []

  mutating func write(_ number: some FixedWidthInteger) {
    var rest = number
    for _ in 0..<number.bitWidth / 8 {
      bytes.append(UInt8(truncatingIfNeeded: rest))
      rest >>= 8
    }
  }

  mutating func write(count: Int) { write(UInt64(count)) }

  mutating func write(_ text: String) { write(blob: text.utf8) }

  mutating func write(blob: some Collection<UInt8>) {
    write(count: blob.count)
    bytes.append(contentsOf: blob)
  }

  mutating func write(_ truth: Bool) { write(UInt8(truth ? 1 : 0)) }

  /// A truth value that says whether there is a value, then the value.
  mutating func write(optional text: String?) {
    write(text != nil)
    if let text { write(text) }
  }

  mutating func write(optional number: Int64?) {
    write(number != nil)
    if let number { write(number) }
  }
}
