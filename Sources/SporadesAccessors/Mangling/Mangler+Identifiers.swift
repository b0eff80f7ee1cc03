// SPDX-License-Identifier: MIT

extension Mangler {
  /// The symbol remembers no more words than letters can name.
  private static let mostWords = 26

  /// A part of an identifier: bytes of its own, or a word that the symbol has already.
  private enum Part {
    case bytes(ArraySlice<UInt8>)
    case word(Int)
  }

  /// Appends an identifier that the symbol has not had.
  mutating func appendNewIdentifier(_ name: String) {
    guard name.utf8.allSatisfy({ $0 < 0x80 }) else { return appendEncoded(name) }
    let parts = divide(Array(name.utf8))
    let words = parts.filter { if case .word = $0 { true } else { false } }.count
    if words > 0 { append("0") }
    var seen = 0
    for (place, part) in parts.enumerated() {
      switch part {
      case .bytes(let bytes):
        append("\(bytes.count)")
        symbol.append(contentsOf: bytes)
      case .word(let word):
        seen += 1
        let isLast = seen == words
        symbol.append(UInt8(ascii: isLast ? "A" : "a") + UInt8(word))
        if isLast, place == parts.count - 1 { append("0") }
      }
    }
  }

  private mutating func appendEncoded(_ name: String) {
    let encoded = Punycode.encode(name)
    append("00\(encoded.count)")
    if let first = encoded.first, first == UInt8(ascii: "_") || Self.isDigit(first) { append("_") }
    symbol += encoded
  }

  private static func isDigit(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
  }

  private static func isUpper(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte)
  }

  /// Divides an identifier at the words that the symbol has, and remembers its new words.
  private mutating func divide(_ name: [UInt8]) -> [Part] {
    var parts: [Part] = []
    var rest = 0
    for range in Self.words(of: name) {
      let word = Array(name[range])
      if let known = words.firstIndex(of: word) {
        if rest < range.lowerBound { parts.append(.bytes(name[rest..<range.lowerBound])) }
        parts.append(.word(known))
        rest = range.upperBound
      } else if word.count >= 2, words.count < Self.mostWords {
        words.append(word)
      }
    }
    if rest < name.count { parts.append(.bytes(name[rest...])) }
    return parts
  }

  /// The words of an identifier: letters and digits that begin with no digit. A capital begins a word.
  private static func words(of name: [UInt8]) -> [Range<Int>] {
    var found: [Range<Int>] = []
    var start: Int?
    for place in 0...name.count {
      let byte = place < name.count ? name[place] : UInt8(ascii: "_")
      if let first = start {
        let isCapital = isUpper(byte) && !isUpper(name[place - 1])
        if byte == UInt8(ascii: "_") || isCapital {
          found.append(first..<place)
          start = nil
        }
      }
      if start == nil, byte != UInt8(ascii: "_"), !isDigit(byte) { start = place }
    }
    return found
  }
}
