// SPDX-License-Identifier: MIT

/// Splits Swift source into tokens. Comments are left out, and so is all that is within literal texts.
///
/// The scanner takes any bytes. Source that the compiler refuses gives tokens of some kind, and never an error.
struct SwiftScanner {
  /// What surrounds the place of the scanner.
  private enum Context {
    /// A text with so many signs `#` around it.
    case text(hashes: Int, isLong: Bool)
    /// The code of an interpolation, with so many open parentheses.
    case interpolation(parentheses: Int)
  }

  private let bytes: [UInt8]
  private var place = 0
  private var line = 1
  private var contexts: [Context] = []
  private var tokens: [SwiftToken] = []
  /// The outermost text at hand: its first byte, its line, and whether it has interpolations.
  private var text: (start: Int, line: Int, isPlain: Bool) = (0, 1, true)

  private init(_ bytes: [UInt8]) { self.bytes = bytes }

  static func tokens(of bytes: [UInt8]) -> [SwiftToken] {
    var scanner = SwiftScanner(bytes)
    while scanner.place < bytes.count { scanner.step() }
    return scanner.tokens
  }

  private func byte(_ offset: Int = 0) -> UInt8? {
    place + offset < bytes.count ? bytes[place + offset] : nil
  }

  private func begins(_ text: StaticString, at offset: Int = 0) -> Bool {
    text.withUTF8Buffer { unsafe bytes.dropFirst(place + offset).starts(with: $0) }
  }

  private mutating func advance(_ count: Int = 1) {
    for _ in 0..<count where place < bytes.count {
      if bytes[place] == UInt8(ascii: "\n") { line += 1 }
      place += 1
    }
  }

  private mutating func step() {
    switch contexts.last {
    case .text(let hashes, let isLong)?: stepInText(hashes, isLong)
    case .interpolation?, nil: stepInCode()
    }
  }

  // MARK: - Code

  private mutating func stepInCode() {
    guard let byte = byte() else { return }
    if begins("//") {
      while let next = self.byte(), next != UInt8(ascii: "\n") { advance() }
    } else if begins("/*") {
      skipComment()
    } else if byte == UInt8(ascii: "\"") {
      openText(hashes: 0)
    } else if byte == UInt8(ascii: "#") {
      stepAtHashes()
    } else if byte == UInt8(ascii: "`") {
      scanQuotedWord()
    } else if Self.isWord(byte) {
      scanWord()
    } else {
      if byte > 0x20 { scanSign(byte) }
      advance()
    }
  }

  private mutating func skipComment() {
    var depth = 0
    repeat {
      if begins("/*") {
        depth += 1
        advance(2)
      } else if begins("*/") {
        depth -= 1
        advance(2)
      } else {
        advance()
      }
    } while depth > 0 && place < bytes.count
  }

  /// A text or a regular expression between signs `#`, or such a sign alone.
  private mutating func stepAtHashes() {
    var hashes = 0
    // No source has more of them around a text.
    while hashes < 64, byte(hashes) == UInt8(ascii: "#") { hashes += 1 }
    if byte(hashes) == UInt8(ascii: "\"") {
      advance(hashes)
      openText(hashes: hashes)
    } else if byte(hashes) == UInt8(ascii: "/") {
      advance(hashes + 1)
      while place < bytes.count {
        if byte() == UInt8(ascii: "/"), hasHashes(hashes, at: 1) { break }
        advance()
      }
      advance(hashes + 1)
    } else {
      for _ in 0..<hashes { scanSign(UInt8(ascii: "#")) }
      advance(hashes)
    }
  }

  private func hasHashes(_ count: Int, at offset: Int) -> Bool {
    (0..<count).allSatisfy { byte(offset + $0) == UInt8(ascii: "#") }
  }

  private mutating func scanSign(_ byte: UInt8) {
    guard case .interpolation(let open)? = contexts.last else {
      tokens.append(SwiftToken(kind: .sign(byte), line: line))
      return
    }
    switch byte {
    case UInt8(ascii: "("): contexts[contexts.count - 1] = .interpolation(parentheses: open + 1)
    case UInt8(ascii: ")") where open == 1: contexts.removeLast()
    case UInt8(ascii: ")"): contexts[contexts.count - 1] = .interpolation(parentheses: open - 1)
    default: break
    }
  }

  private static func isWord(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "$"), 0x80...0xFF:
      true
    default: false
    }
  }

  private mutating func scanWord() {
    let start = place
    while let byte = byte(), Self.isWord(byte) { place += 1 }
    guard contexts.isEmpty else { return }
    let word = String(decoding: bytes[start..<place], as: UTF8.self)
    tokens.append(SwiftToken(kind: .word(word), line: line))
  }

  private mutating func scanQuotedWord() {
    advance()
    let start = place
    while let byte = byte(), byte != UInt8(ascii: "`"), byte != UInt8(ascii: "\n") { place += 1 }
    if contexts.isEmpty {
      let word = String(decoding: bytes[start..<place], as: UTF8.self)
      tokens.append(SwiftToken(kind: .quotedWord(word), line: line))
    }
    if byte() == UInt8(ascii: "`") { advance() }
  }

  // MARK: - Texts

  private mutating func openText(hashes: Int) {
    let isLong = begins("\"\"\"")
    advance(isLong ? 3 : 1)
    if contexts.isEmpty { text = (place, line, true) }
    contexts.append(.text(hashes: hashes, isLong: isLong))
  }

  private mutating func stepInText(_ hashes: Int, _ isLong: Bool) {
    guard let byte = byte() else { return }
    if byte == UInt8(ascii: "\\"), hasHashes(hashes, at: 1) {
      advance(1 + hashes)
      if self.byte() == UInt8(ascii: "(") {
        advance()
        text.isPlain = false
        contexts.append(.interpolation(parentheses: 1))
      } else if isLong || self.byte() != UInt8(ascii: "\n") {
        advance()
      }
    } else if isLong ? begins("\"\"\"") : byte == UInt8(ascii: "\""),
      hasHashes(hashes, at: isLong ? 3 : 1)
    {
      closeText()
      advance((isLong ? 3 : 1) + hashes)
    } else if !isLong, byte == UInt8(ascii: "\n") {
      // A text that no quote ends, as a stray quote begins one, ends with its line.
      closeText()
    } else {
      advance()
    }
  }

  private mutating func closeText() {
    contexts.removeLast()
    guard contexts.isEmpty else { return }
    let content = String(decoding: bytes[text.start..<place], as: UTF8.self)
    tokens.append(SwiftToken(kind: .text(text.isPlain ? content : nil), line: text.line))
  }
}
