// SPDX-License-Identifier: MIT

/// The characters of XML 1.0, fifth edition, in UTF-8.
enum XMLCharacters {
  /// The entities of every document. Each name ends with the mark that ends a reference.
  static let predefined: [(name: String, scalar: Unicode.Scalar)] = [
    ("amp;", "&"), ("lt;", "<"), ("gt;", ">"), ("quot;", "\""), ("apos;", "'"),
  ]

  static func isSpace(_ byte: UInt8) -> Bool {
    byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D
  }

  /// The value of a decimal or hexadecimal digit.
  static func digit(_ byte: UInt8) -> UInt32? {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt32(byte - UInt8(ascii: "0"))
    case UInt8(ascii: "a")...UInt8(ascii: "f"): UInt32(byte - UInt8(ascii: "a") + 10)
    case UInt8(ascii: "A")...UInt8(ascii: "F"): UInt32(byte - UInt8(ascii: "A") + 10)
    default: nil
    }
  }

  /// Decodes the character at an index of UTF-8, and its length in bytes; nil if the bytes are invalid.
  static func scalar(in bytes: [UInt8], at index: Int) -> (value: UInt32, length: Int)? {
    let first = bytes[index]
    let length: Int
    let least: UInt32
    switch first {
    case ..<0x80: return (UInt32(first), 1)
    case 0xC2...0xDF: (length, least) = (2, 0x80)
    case 0xE0...0xEF: (length, least) = (3, 0x800)
    case 0xF0...0xF4: (length, least) = (4, 0x1_0000)
    default: return nil
    }
    guard index + length <= bytes.count else { return nil }
    var value = UInt32(first & (0x7F >> UInt8(length)))
    for byte in bytes[index + 1..<index + length] {
      guard byte & 0xC0 == 0x80 else { return nil }
      value = value << 6 | UInt32(byte & 0x3F)
    }
    // UTF-8 forbids halves of surrogate pairs, and longer forms than necessary.
    guard value >= least, Unicode.Scalar(value) != nil else { return nil }
    return (value, length)
  }

  /// A document may contain the character.
  static func isAllowed(_ value: UInt32) -> Bool {
    switch value {
    case 0x09, 0x0A, 0x0D, 0x20...0xD7FF, 0xE000...0xFFFD, 0x1_0000...0x10_FFFF: true
    default: false
    }
  }

  static func startsName(_ value: UInt32) -> Bool {
    switch value {
    case 0x61...0x7A, 0x41...0x5A, 0x5F, 0x3A: true
    case 0xC0...0xD6, 0xD8...0xF6, 0xF8...0x2FF, 0x370...0x37D, 0x37F...0x1FFF, 0x200C...0x200D,
      0x2070...0x218F, 0x2C00...0x2FEF, 0x3001...0xD7FF, 0xF900...0xFDCF, 0xFDF0...0xFFFD,
      0x1_0000...0xE_FFFF:
      true
    default: false
    }
  }

  static func continuesName(_ value: UInt32) -> Bool {
    switch value {
    case 0x30...0x39, 0x2D, 0x2E, 0xB7, 0x300...0x36F, 0x203F...0x2040: true
    default: startsName(value)
    }
  }
}
