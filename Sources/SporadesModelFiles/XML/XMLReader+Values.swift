// SPDX-License-Identifier: MIT
import SporadesModel

// Names, attributes, text and references.
extension XMLReader {
  var current: UInt8? { position < bytes.count ? bytes[position] : nil }

  var following: UInt8? { position + 1 < bytes.count ? bytes[position + 1] : nil }

  /// Takes the character if it is the next one.
  mutating func take(_ character: Unicode.Scalar) -> Bool {
    guard current == UInt8(ascii: character) else { return false }
    position += 1
    return true
  }

  func isNext(_ text: String) -> Bool { bytes[position...].starts(with: text.utf8) }

  /// Skips white space; true if there was any.
  @discardableResult
  mutating func skipSpace() -> Bool {
    let start = position
    while let byte = current, XMLCharacters.isSpace(byte) { position += 1 }
    return position > start
  }

  func text(_ range: Range<Int>) -> String { String(decoding: bytes[range], as: UTF8.self) }

  mutating func readName() throws(ModelError) -> Range<Int> {
    let start = position
    while position < bytes.count, let next = XMLCharacters.scalar(in: bytes, at: position) {
      let belongs =
        position == start
        ? XMLCharacters.startsName(next.value) : XMLCharacters.continuesName(next.value)
      guard belongs else { break }
      position += next.length
    }
    if position == bytes.count { throw makePrematureEnd() }
    if position == start {
      throw makeMalformed("a name is missing, or begins with another character")
    }
    return start..<position
  }

  // MARK: - Attributes

  mutating func readAttribute() throws(ModelError) -> (name: String, value: String) {
    let name = text(try readName())
    skipSpace()
    guard current != nil else { throw makePrematureEnd() }
    guard take("=") else { throw makeMalformed("the attribute \(name) has no value") }
    skipSpace()
    guard let quote = current else { throw makePrematureEnd() }
    guard quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") else {
      throw makeMalformed("the value of the attribute \(name) has no quotation marks")
    }
    position += 1
    return (name, try readValue(to: quote))
  }

  private mutating func readValue(to quote: UInt8) throws(ModelError) -> String {
    let start = position
    // Nearly all values contain no references or line ends, and become strings in one step.
    var isPlain = true
    while let byte = current, byte != quote {
      if byte == UInt8(ascii: "<") {
        throw makeMalformed("a < stands in the value of an attribute")
      }
      if byte == UInt8(ascii: "&") || byte < 0x20 { isPlain = false }
      position += 1
    }
    let end = position
    guard end < bytes.count else { throw makePrematureEnd() }
    position += 1
    return isPlain ? text(start..<end) : try expandReferences(start..<end)
  }

  /// Replaces references by their characters, and white space by spaces. A line end of two bytes becomes one
  /// space. White space from a reference stays as it is.
  private func expandReferences(_ range: Range<Int>) throws(ModelError) -> String {
    var value: [UInt8] = []
    value.reserveCapacity(range.count)
    var index = range.lowerBound
    while index < range.upperBound {
      let byte = bytes[index]
      if byte == UInt8(ascii: "&") {
        let reference = try readReference(at: index, before: range.upperBound)
        value.append(contentsOf: String(reference.scalar).utf8)
        index = reference.end
        continue
      }
      index += 1
      if byte == UInt8(ascii: "\r"), bytes[index] == UInt8(ascii: "\n") { continue }
      value.append(byte < 0x20 ? UInt8(ascii: " ") : byte)
    }
    return String(decoding: value, as: UTF8.self)
  }

  // MARK: - Text

  /// Skips the text between elements. It has no meaning in model files, but must be well-formed.
  mutating func skipText() throws(ModelError) {
    while let byte = current, byte != UInt8(ascii: "<") {
      switch byte {
      case UInt8(ascii: "&"): position = try readReference(at: position, before: bytes.count).end
      case UInt8(ascii: "]"):
        if following == byte, isNext("]]>") { throw makeMalformed("]]> stands in text") }
        position += 1
      default: position += 1
      }
    }
  }

  /// Replaces the references in a text by their characters.
  func expandText(_ range: Range<Int>) throws(ModelError) -> String {
    guard bytes[range].contains(UInt8(ascii: "&")) else { return text(range) }
    var value: [UInt8] = []
    var index = range.lowerBound
    while index < range.upperBound {
      guard bytes[index] == UInt8(ascii: "&") else {
        value.append(bytes[index])
        index += 1
        continue
      }
      let reference = try readReference(at: index, before: range.upperBound)
      value.append(contentsOf: String(reference.scalar).utf8)
      index = reference.end
    }
    return String(decoding: value, as: UTF8.self)
  }

  // MARK: - References

  private func readReference(
    at start: Int, before end: Int
  ) throws(ModelError) -> (scalar: Unicode.Scalar, end: Int) {
    let body = bytes[start + 1..<end]
    if body.first == UInt8(ascii: "#") { return try readCharacterReference(at: start, before: end) }
    for (name, scalar) in XMLCharacters.predefined where body.starts(with: name.utf8) {
      return (scalar, start + 1 + name.utf8.count)
    }
    throw makeMalformed(
      "a & does not begin one of the five entities; write &amp; for it", at: start)
  }

  private func readCharacterReference(
    at start: Int, before end: Int
  ) throws(ModelError) -> (scalar: Unicode.Scalar, end: Int) {
    var index = start + 2
    let isHexadecimal = index < end && bytes[index] == UInt8(ascii: "x")
    if isHexadecimal { index += 1 }
    let radix: UInt32 = isHexadecimal ? 16 : 10
    let first = index
    var value: UInt32 = 0
    while index < end, let digit = XMLCharacters.digit(bytes[index]), digit < radix {
      // The value stays just above the last character, so that it cannot overflow.
      value = min(value * radix + digit, 0x11_0000)
      index += 1
    }
    guard index > first, index < end, bytes[index] == UInt8(ascii: ";"),
      XMLCharacters.isAllowed(value), let scalar = Unicode.Scalar(value)
    else { throw makeMalformed("a character reference does not name a character", at: start) }
    return (scalar, index + 1)
  }
}
