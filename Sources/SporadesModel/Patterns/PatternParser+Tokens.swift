// SPDX-License-Identifier: MIT

extension PatternParser {
  /// The scalar after the current token, without its meaning.
  func peekScalar(_ offset: Int = 0) -> Unicode.Scalar? {
    position + offset < scalars.count ? Unicode.Scalar(scalars[position + offset]) : nil
  }

  mutating func advance() throws(FetchPredicateError) {
    if isAfterBackslash {
      isAfterBackslash = false
      return take(isQuoted: false)
    }
    if isInQuotes {
      guard peekScalar() == "\\", peekScalar(1) == "E" else { return take(isQuoted: true) }
      isInQuotes = false
      position += 2
      return try advance()
    }
    if flags.contains(.allowsComments) { skipBlanks() }
    guard peekScalar() == "\\" else { return take(isQuoted: false) }
    if let scalar = try takeEscape() {
      current = Token(scalar: scalar, isQuoted: true)
    } else {
      take(isQuoted: false)
      isAfterBackslash = true
    }
  }

  private mutating func take(isQuoted: Bool) {
    guard position < scalars.count else {
      current = Token(scalar: nil, isQuoted: false)
      return
    }
    current = Token(scalar: scalars[position], isQuoted: isQuoted)
    position += 1
  }

  /// Skips blanks, and comments from `#` to the end of a line, which have no meaning after `(?x)`.
  private mutating func skipBlanks() {
    while let scalar = peekScalar() {
      if scalar == "#" {
        while let next = peekScalar(), !ScalarClass.isLineEnd(next.value) { position += 1 }
      } else if scalar.properties.isPatternWhitespace {
        position += 1
      } else {
        return
      }
    }
  }

  /// Skips `(?# … )` at the current token.
  mutating func skipComment() throws(FetchPredicateError) -> Bool {
    guard current.isSign("("), peekScalar() == "?", peekScalar(1) == "#" else { return false }
    while let scalar = peekScalar() {
      position += 1
      guard scalar == ")" else { continue }
      try advance()
      return true
    }
    throw failure("a comment is not closed.")
  }

  // MARK: - Escapes that stand for one scalar

  /// Takes an escape that stands for one scalar; nil if the escape stands for something else.
  private mutating func takeEscape() throws(FetchPredicateError) -> UInt32? {
    guard let letter = peekScalar(1) else { return nil }
    let start = position
    position += 2
    switch letter {
    case "a": return 7
    case "e": return 0x1B
    case "f": return 12
    case "n": return 10
    case "r": return 13
    case "t": return 9
    case "c": return try takeControl()
    case "u": return joinSurrogates(try takeDigits(4...4, start))
    case "U": return try takeDigits(8...8, start)
    case "x": return try takeHexadecimal(start)
    case "0": return try takeOctal()
    default:
      position = start
      return nil
    }
  }

  private mutating func takeControl() throws(FetchPredicateError) -> UInt32 {
    guard let letter = peekScalar() else { throw failure("\\c needs a letter.") }
    position += 1
    return letter.value & 0x1F
  }

  private mutating func takeHexadecimal(_ start: Int) throws(FetchPredicateError) -> UInt32 {
    guard peekScalar() == "{" else { return try takeDigits(1...2, start) }
    position += 1
    let scalar = try takeDigits(1...8, start)
    guard peekScalar() == "}" else { throw failure("\\x{ is not closed.") }
    position += 1
    return scalar
  }

  private mutating func takeDigits(
    _ count: ClosedRange<Int>, _ start: Int
  ) throws(FetchPredicateError) -> UInt32 {
    var number: UInt64 = 0
    var found = 0
    while found < count.upperBound, let digit = peekScalar().flatMap(Self.hexadecimalDigit) {
      number = number << 4 | UInt64(digit)
      found += 1
      position += 1
    }
    guard count.contains(found), number <= 0x10_FFFF else {
      position = start
      throw failure("the escape needs the hexadecimal digits of a Unicode scalar.")
    }
    return UInt32(number)
  }

  private static func hexadecimalDigit(_ scalar: Unicode.Scalar) -> UInt32? {
    switch scalar {
    case "0"..."9": scalar.value - 48
    case "a"..."f": scalar.value - 87
    case "A"..."F": scalar.value - 55
    default: nil
    }
  }

  /// Joins the two halves of a scalar in UTF-16, if the second half follows in the same spelling.
  private mutating func joinSurrogates(_ first: UInt32) -> UInt32 {
    guard 0xD800...0xDBFF ~= first, peekScalar() == "\\", peekScalar(1) == "u" else { return first }
    let digits = (2..<6).compactMap { peekScalar($0).flatMap(Self.hexadecimalDigit) }
    guard digits.count == 4 else { return first }
    let second = digits.reduce(0) { $0 << 4 | $1 }
    guard 0xDC00...0xDFFF ~= second else { return first }
    position += 6
    return 0x1_0000 + (first - 0xD800) << 10 + (second - 0xDC00)
  }

  /// Takes one to three digits up to 377, after the zero before them.
  private mutating func takeOctal() throws(FetchPredicateError) -> UInt32 {
    var number: UInt32 = 0
    var found = 0
    while found < 3, let scalar = peekScalar(), ("0"..."7").contains(scalar),
      number * 8 + (scalar.value - 48) <= 255
    {
      number = number * 8 + (scalar.value - 48)
      found += 1
      position += 1
    }
    guard found > 0 else { throw failure("\\0 needs octal digits.") }
    return number
  }
}
