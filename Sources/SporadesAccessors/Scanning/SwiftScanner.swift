// SPDX-License-Identifier: MIT

/// Splits Swift source into tokens. Comments are left out, and so is all that is within literal texts.
///
/// The scanner takes any bytes. Source that the compiler refuses gives tokens of some kind, and never an error.
package struct SwiftScanner {
  /// The text or the brackets around the place of the scanner.
  enum Context {
    /// A text with so many signs `#` around it.
    case text(hashes: Int, isLong: Bool)
    /// The code of an interpolation, with so many open parentheses.
    case interpolation(parentheses: Int)
  }

  /// A comment that begins with `@NSManaged`.
  package struct Note {
    let text: String
    let start: Int
  }

  let bytes: [UInt8]
  var place = 0
  var contexts: [Context] = []
  var tokens: [SwiftToken] = []
  var notes: [Note] = []
  /// The words and signs within interpolations, if they are kept.
  private var inner: [SwiftToken] = []
  private let keepsInner: Bool
  /// The outermost text at hand: the first byte of its quotes, that of its content, and whether it has interpolations.
  var text: (start: Int, content: Int, isPlain: Bool) = (0, 0, true)
  /// The last line that had no end of a regular expression, so that it is looked for once a line.
  var lineWithoutRegex: Range<Int> = 0..<0

  private init(_ bytes: [UInt8], keepsInner: Bool = false) {
    self.bytes = bytes
    self.keepsInner = keepsInner
  }

  /// The tokens of a file, and its comments that speak of managed types.
  package static func scan(_ bytes: [UInt8]) -> (tokens: [SwiftToken], notes: [Note]) {
    var scanner = SwiftScanner(bytes)
    scanner.scan()
    return (scanner.tokens, scanner.notes)
  }

  /// The tokens of a file, and beside them the words and signs within interpolations.
  static func scanAll(_ bytes: [UInt8]) -> (tokens: [SwiftToken], inner: [SwiftToken]) {
    var scanner = SwiftScanner(bytes, keepsInner: true)
    scanner.scan()
    return (scanner.tokens, scanner.inner)
  }

  private mutating func scan() {
    // A script's first line names its interpreter.
    if begins("#!") { skipLine() }
    while place < bytes.count { step() }
  }

  func byte(_ offset: Int = 0) -> UInt8? {
    place + offset < bytes.count && place + offset >= 0 ? bytes[place + offset] : nil
  }

  func begins(_ text: StaticString, at offset: Int = 0) -> Bool {
    text.withUTF8Buffer { unsafe bytes.dropFirst(place + offset).starts(with: $0) }
  }

  mutating func advance(_ count: Int = 1) { place = min(place + count, bytes.count) }

  mutating func add(_ kind: SwiftToken.Kind, from start: Int) {
    if contexts.isEmpty {
      tokens.append(SwiftToken(kind, start..<place))
    } else if keepsInner, case .interpolation? = contexts.last {
      inner.append(SwiftToken(kind, start..<place))
    }
  }

  private mutating func step() {
    switch contexts.last {
    case .text(let hashes, let isLong)?: stepInText(hashes, isLong)
    case .interpolation?, nil: stepInCode()
    }
  }

  private mutating func stepInCode() {
    guard let byte = byte() else { return }
    if begins("//") {
      scanLineComment()
    } else if begins("/*") {
      skipComment()
    } else if byte == UInt8(ascii: "\"") {
      openText(hashes: 0)
    } else if byte == UInt8(ascii: "#") {
      stepAtHashes()
    } else if byte == UInt8(ascii: "/"), skipRegex() {
      return
    } else if byte == UInt8(ascii: "`") {
      scanQuotedWord()
    } else if Self.isWord(byte) {
      scanWord()
    } else {
      advance()
      if byte > 0x20 { scanSign(byte) }
    }
  }

  // MARK: - Comments

  private mutating func skipLine() {
    while let next = byte(), next != UInt8(ascii: "\n"), next != UInt8(ascii: "\r") { advance() }
  }

  private mutating func scanLineComment() {
    let start = place
    skipLine()
    guard contexts.isEmpty else { return }
    let content = bytes[start..<place].drop { $0 == UInt8(ascii: "/") || $0 == 0x20 }
    guard content.starts(with: "@NSManaged".utf8) else { return }
    notes.append(Note(text: String(decoding: content, as: UTF8.self), start: start))
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

  // MARK: - Words and signs

  private mutating func scanSign(_ byte: UInt8) {
    add(.sign(byte), from: place - 1)
    guard case .interpolation(let open)? = contexts.last else { return }
    switch byte {
    case UInt8(ascii: "("): contexts[contexts.count - 1] = .interpolation(parentheses: open + 1)
    case UInt8(ascii: ")") where open == 1: contexts.removeLast()
    case UInt8(ascii: ")"): contexts[contexts.count - 1] = .interpolation(parentheses: open - 1)
    default: break
    }
  }

  static func isWord(_ byte: UInt8) -> Bool {
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
    guard contexts.isEmpty || keepsInner else { return }
    add(.word(String(decoding: bytes[start..<place], as: UTF8.self)), from: start)
  }

  private mutating func scanQuotedWord() {
    let start = place
    advance()
    while let byte = byte(), byte != UInt8(ascii: "`"), byte != UInt8(ascii: "\n") { place += 1 }
    let word = String(decoding: bytes[(start + 1)..<place], as: UTF8.self)
    if byte() == UInt8(ascii: "`") { advance() }
    add(.quotedWord(word), from: start)
  }
}
