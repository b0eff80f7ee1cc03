// SPDX-License-Identifier: MIT

/// Texts and numbers as JSON writes them.
package enum JSONText {
  /// Appends a text in quotes.
  package static func append(_ text: ArraySlice<UInt8>, to bytes: inout [UInt8]) {
    unsafe text.withUnsafeBytes { unsafe append($0, to: &bytes) }
  }

  /// Appends a text in quotes.
  package static func append(_ text: UnsafeRawBufferPointer, to bytes: inout [UInt8]) {
    bytes.append(UInt8(ascii: "\""))
    var start = 0
    for index in 0..<text.count {
      let byte = unsafe text[index]
      guard byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") else {
        continue
      }
      unsafe bytes.append(contentsOf: UnsafeRawBufferPointer(rebasing: text[start..<index]))
      appendEscape(of: byte, to: &bytes)
      start = index + 1
    }
    unsafe bytes.append(contentsOf: UnsafeRawBufferPointer(rebasing: text[start..<text.count]))
    bytes.append(UInt8(ascii: "\""))
  }

  private static func appendEscape(of byte: UInt8, to bytes: inout [UInt8]) {
    bytes.append(UInt8(ascii: "\\"))
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"): bytes.append(byte)
    case 0x0A: bytes.append(UInt8(ascii: "n"))
    case 0x0D: bytes.append(UInt8(ascii: "r"))
    case 0x09: bytes.append(UInt8(ascii: "t"))
    default:
      bytes.append(contentsOf: "u00".utf8)
      bytes.append(hexadecimal(byte >> 4))
      bytes.append(hexadecimal(byte & 15))
    }
  }

  /// The hexadecimal digit of a number below 16.
  static func hexadecimal(_ number: UInt8) -> UInt8 {
    number < 10 ? UInt8(ascii: "0") + number : UInt8(ascii: "A") + number - 10
  }

  /// Appends the digits of a number.
  package static func append(_ number: Int64, to bytes: inout [UInt8]) {
    if number < 0 { bytes.append(UInt8(ascii: "-")) }
    append(number.magnitude, width: 1, to: &bytes)
  }

  /// Appends the digits of a number, with zeros before them up to the width.
  static func append(_ number: UInt64, width: Int, to bytes: inout [UInt8]) {
    var (count, bound) = (1, number / 10)
    while bound > 0 { (count, bound) = (count + 1, bound / 10) }
    bytes.append(contentsOf: repeatElement(UInt8(ascii: "0"), count: max(width, count)))
    var (rest, place) = (number, bytes.count - 1)
    while rest > 0 {
      bytes[place] += UInt8(rest % 10)
      (rest, place) = (rest / 10, place - 1)
    }
  }
}
