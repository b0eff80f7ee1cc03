// SPDX-License-Identifier: MIT
import SporadesAccessors

/// A file that is to be ported, with what the rules ask of it.
struct PortSource {
  let path: String
  let bytes: [UInt8]
  let lines: LineTable
  /// The tokens that Linux compiles.
  let tokens: [SwiftToken]
  /// The words and signs in interpolations.
  let inner: [SwiftToken]
  /// The place of the closing token for each opening one, and the other way round; nil for other tokens.
  let partners: [Int?]
  /// The opening token of the brackets around each token; nil at the top of the file.
  let enclosing: [Int?]
  /// The line break of the file.
  let newline: String

  init(path: String, bytes: [UInt8]) {
    (self.path, self.bytes) = (path, bytes)
    lines = LineTable(bytes)
    let source = LinuxSource(bytes, lines: lines)
    (tokens, inner) = (source.tokens, source.inner)
    (partners, enclosing) = Self.brackets(of: source.tokens)
    let first = bytes.firstIndex(of: UInt8(ascii: "\n")) ?? 0
    newline = first > 0 && bytes[first - 1] == UInt8(ascii: "\r") ? "\r\n" : "\n"
  }

  private static func brackets(
    of tokens: [SwiftToken]
  ) -> (partners: [Int?], enclosing: [Int?]) {
    var partners: [Int?] = Array(repeating: nil, count: tokens.count)
    var enclosing = partners
    var open: [Int] = []
    for (place, token) in tokens.enumerated() {
      if token.isOpening { open.append(place) }
      if token.isClosing, let start = open.popLast() {
        (partners[start], partners[place]) = (place, start)
      }
      enclosing[place] = token.isOpening ? open.dropLast().last : open.last
    }
    return (partners, enclosing)
  }

  // MARK: - Tokens

  func token(_ place: Int) -> SwiftToken? {
    tokens.indices.contains(place) ? tokens[place] : nil
  }

  func isSign(_ sign: Unicode.Scalar, _ place: Int) -> Bool { token(place)?.isSign(sign) ?? false }

  func word(_ place: Int) -> String? { token(place)?.keyword }

  func name(_ place: Int) -> String? { token(place)?.name }

  /// The text from one token to another one.
  func text(_ range: ClosedRange<Int>) -> String {
    String(
      decoding: bytes[tokens[range.lowerBound].start..<tokens[range.upperBound].end], as: UTF8.self)
  }

  // MARK: - Lines

  func line(_ start: Int) -> Int { lines.position(of: start).line }

  /// The first byte of the line around a place.
  func lineStart(_ start: Int) -> Int { start - lines.position(of: start).column + 1 }

  /// The place behind the last byte of the line, before its break.
  func lineEnd(_ start: Int) -> Int {
    var end = bytes[start...].firstIndex(of: UInt8(ascii: "\n")) ?? bytes.count
    if end > start, bytes[end - 1] == UInt8(ascii: "\r") { end -= 1 }
    return end
  }

  /// The blanks at the beginning of the line around a place.
  func indent(_ start: Int) -> String {
    let line = bytes[lineStart(start)...].prefix { $0 == 0x20 || $0 == 0x09 }
    return String(decoding: line, as: UTF8.self)
  }

  /// Nothing but blanks stands before the token in its line.
  func isFirst(_ place: Int) -> Bool {
    let start = tokens[place].start
    return bytes[lineStart(start)..<start].allSatisfy { $0 == 0x20 || $0 == 0x09 }
  }

  /// No token stands behind this one in its line.
  func isLast(_ place: Int) -> Bool {
    token(place + 1).map { line($0.start) > line(tokens[place].end) } ?? true
  }

  /// The place behind the blanks that follow a place.
  func behindBlanks(_ end: Int) -> Int {
    end + bytes[end...].prefix { $0 == 0x20 || $0 == 0x09 }.count
  }

  // MARK: - Declarations

  /// No declaration has more attributes and modifiers.
  static let mostModifiers = 32

  /// The words that can stand before the word of a declaration.
  private static let modifiers: Set<String> = [
    "public", "private", "fileprivate", "internal", "open", "package", "static", "class", "final",
    "override", "dynamic", "lazy", "weak", "unowned", "nonisolated", "required", "convenience",
    "mutating", "nonmutating", "indirect", "optional", "distributed",
  ]

  /// The attributes and modifiers before a token that belong to its declaration.
  ///
  /// They begin a line or stand behind a brace. So `case open` in the line before is none.
  func head(before place: Int) -> (start: Int, modifiers: [String]) {
    var (start, modifiers) = (place, [String]())
    var found = (place, [String]())
    for _ in 0..<Self.mostModifiers {
      guard let step = headStep(before: start) else { break }
      start = step.start
      if let modifier = step.modifier { modifiers.append(modifier) }
      let before = token(start - 1)
      let isBegin = isFirst(start) || ["{", "}", ";"].contains { before?.isSign($0) ?? true }
      if isBegin { found = (start, modifiers) }
    }
    return found
  }

  /// The first token of a place that is no modifier.
  func behindModifiers(_ start: Int) -> Int {
    var place = start
    while place - start < Self.mostModifiers, let word = word(place), Self.modifiers.contains(word)
    {
      place += 1
      if isSign("(", place), let close = partners[place] { place = close + 1 }
    }
    return place
  }

  /// The attribute or modifier that ends before a token.
  private func headStep(before place: Int) -> (start: Int, modifier: String?)? {
    var end = place - 1
    if isSign(")", end), let open = partners[end] { end = open - 1 }
    guard var name = word(end) else { return nil }
    if !isSign("@", end - 1), Self.modifiers.contains(name), !isSign(".", end - 1) {
      // `private(set)`
      return (end, name)
    }
    while isSign(".", end - 1), let outer = word(end - 2) { (end, name) = (end - 2, outer) }
    return isSign("@", end - 1) ? (end - 1, nil) : nil
  }
}
