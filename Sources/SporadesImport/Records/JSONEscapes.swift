// SPDX-License-Identifier: MIT

/// The escapes in texts of JSON.
enum JSONEscapes {
  /// The UTF-8 of a text whose escapes a scanner has checked.
  static func decode(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
    var all: [UInt8] = []
    all.reserveCapacity(bytes.count)
    var place = bytes.startIndex
    while place < bytes.endIndex {
      let byte = bytes[place]
      guard byte == UInt8(ascii: "\\") else {
        all.append(byte)
        place += 1
        continue
      }
      let letter = bytes[place + 1]
      guard letter == UInt8(ascii: "u") else {
        all.append(plain(letter))
        place += 2
        continue
      }
      var number = UInt32(unit(bytes, place + 2))
      place += 6
      if (0xD800..<0xDC00).contains(number) {
        number = 0x10000 + (number - 0xD800) << 10 + UInt32(unit(bytes, place + 2)) - 0xDC00
        place += 6
      }
      // The scanner lets no half of a pair pass, so every number is a scalar.
      all.append(contentsOf: String(Unicode.Scalar(number) ?? "\u{FFFD}").utf8)
    }
    return all
  }

  /// The character of an escape with one letter.
  private static func plain(_ letter: UInt8) -> UInt8 {
    switch letter {
    case UInt8(ascii: "b"): 8
    case UInt8(ascii: "f"): 12
    case UInt8(ascii: "n"): 10
    case UInt8(ascii: "r"): 13
    case UInt8(ascii: "t"): 9
    default: letter
    }
  }

  /// The number that four hexadecimal digits mean.
  private static func unit(_ bytes: ArraySlice<UInt8>, _ place: Int) -> UInt16 {
    bytes[place..<place + 4].reduce(0) { $0 << 4 | UInt16(digit($1) ?? 0) }
  }

  /// The value of a hexadecimal digit; nil for every other byte.
  static func digit(_ byte: UInt8) -> UInt8? {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
    default: nil
    }
  }
}
