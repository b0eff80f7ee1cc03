// SPDX-License-Identifier: MIT

/// Reads one value of JSON at a time out of a window, and notes its parts as nodes.
///
/// Zeros behind the end stop every loop, so that no byte needs a check of its own. A value that the window does not
/// hold whole is scanned anew when more bytes are there. Texts are checked and stay where they are; nothing is
/// copied.
@safe
struct JSONScanner {
  private let base: UnsafePointer<UInt8>
  private let end: Int
  private let isLast: Bool
  private let deepest: Int
  /// A line end ends the value.
  private let staysInLine: Bool
  /// The index of the next byte.
  var place: Int
  var nodes: [RecordNode] = []

  @unsafe
  init(
    _ base: UnsafePointer<UInt8>, _ window: ByteWindow, deepest: Int, staysInLine: Bool
  ) {
    unsafe self.base = base
    end = window.end
    isLast = window.isLast
    place = window.start
    self.deepest = deepest
    self.staysInLine = staysInLine
  }

  // MARK: - Values

  /// Reads the value that begins at ``place``.
  mutating func readValue(_ depth: Int = 0) throws(ScanStop) {
    let start = place
    switch unsafe base[place] {
    case UInt8(ascii: "{"): try readObject(depth)
    case UInt8(ascii: "["): try readArray(depth)
    case UInt8(ascii: "\""): try readText()
    case UInt8(ascii: "t"): try readWord("true", .isTrue)
    case UInt8(ascii: "f"): try readWord("false", .isFalse)
    case UInt8(ascii: "n"): try readWord("null", .null)
    case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): try readNumber()
    case 0 where place == end: throw stopAtEnd(start)
    default: throw mistake("a value was expected here")
    }
  }

  private mutating func readObject(_ depth: Int) throws(ScanStop) {
    let index = try open(.object, depth)
    var count: UInt32 = 0
    if try nextByte("a key or }") == UInt8(ascii: "}") {
      place += 1
    } else {
      while true {
        guard try nextByte("a key") == UInt8(ascii: "\"") else {
          throw mistake("a key in quotes was expected here")
        }
        try readText()
        guard try nextByte(":") == UInt8(ascii: ":") else {
          throw mistake("a colon was expected behind the key")
        }
        place += 1
        _ = try nextByte("a value")
        try readValue(depth + 1)
        count += 1
        if try isAtEnd(of: UInt8(ascii: "}"), "a comma or } was expected here") { break }
      }
    }
    close(index, count)
  }

  private mutating func readArray(_ depth: Int) throws(ScanStop) {
    let index = try open(.array, depth)
    var count: UInt32 = 0
    if try nextByte("a value or ]") == UInt8(ascii: "]") {
      place += 1
    } else {
      while true {
        _ = try nextByte("a value")
        try readValue(depth + 1)
        count += 1
        if try isAtEnd(of: UInt8(ascii: "]"), "a comma or ] was expected here") { break }
      }
    }
    close(index, count)
  }

  /// Passes over a comma or the closing bracket, and tells which.
  @inline(__always)
  private mutating func isAtEnd(of bracket: UInt8, _ mistake: String) throws(ScanStop) -> Bool {
    let byte = try nextByte("a comma")
    place += 1
    if byte == UInt8(ascii: ",") { return false }
    if byte == bracket { return true }
    place -= 1
    throw self.mistake(mistake)
  }

  private mutating func open(_ kind: RecordNode.Kind, _ depth: Int) throws(ScanStop) -> Int {
    guard depth < deepest else {
      throw .mistake(
        "the record is nested deeper than \(deepest) levels; raise maximumDepth if that is right",
        place, .tooLarge)
    }
    nodes.append(RecordNode(start: UInt32(place), count: 0, next: 0, kind: kind))
    place += 1
    return nodes.count - 1
  }

  @inline(__always)
  private mutating func close(_ index: Int, _ count: UInt32) {
    nodes[index].count = count
    nodes[index].next = UInt32(nodes.count)
  }

  private mutating func readWord(
    _ word: StaticString, _ kind: RecordNode.Kind
  ) throws(ScanStop) {
    let start = place
    for index in 0..<word.utf8CodeUnitCount {
      guard unsafe base[start + index] == word.utf8Start[index] else {
        if start + index == end { throw stopAtEnd(start) }
        throw mistake("a value was expected here")
      }
    }
    place += word.utf8CodeUnitCount
    add(start, kind)
  }

  @inline(__always)
  private mutating func add(_ start: Int, _ kind: RecordNode.Kind, end: Int? = nil) {
    nodes.append(
      RecordNode(
        start: UInt32(start), count: UInt32((end ?? place) - start), next: UInt32(nodes.count + 1),
        kind: kind))
  }

  // MARK: - Numbers

  private mutating func readNumber() throws(ScanStop) {
    let start = place
    if unsafe base[place] == UInt8(ascii: "-") { place += 1 }
    if unsafe base[place] == UInt8(ascii: "0") {
      place += 1
    } else {
      try readDigits(start)
    }
    var kind = RecordNode.Kind.integer
    if unsafe base[place] == UInt8(ascii: ".") {
      kind = .real
      place += 1
      try readDigits(start)
    }
    if unsafe base[place] | 0x20 == UInt8(ascii: "e") {
      kind = .real
      place += 1
      let sign = unsafe base[place]
      if sign == UInt8(ascii: "+") || sign == UInt8(ascii: "-") { place += 1 }
      try readDigits(start)
    }
    // More digits may follow behind the window.
    if place == end, !isLast { throw .needsMore }
    if unsafe (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(base[place]) {
      throw mistake("a number must not begin with a zero before other digits")
    }
    add(start, kind)
  }

  @inline(__always)
  private mutating func readDigits(_ start: Int) throws(ScanStop) {
    let first = place
    while unsafe base[place] &- UInt8(ascii: "0") < 10 { place += 1 }
    guard place == first else { return }
    throw place == end ? stopAtEnd(start) : mistake("a digit was expected here")
  }

  // MARK: - Texts

  private mutating func readText() throws(ScanStop) {
    let start = place + 1
    var index = start
    var kind = RecordNode.Kind.text
    while true {
      index = skipPlain(index)
      let byte = unsafe base[index]
      if byte == UInt8(ascii: "\"") { break }
      if byte == UInt8(ascii: "\\") {
        kind = .escaped
        index = try passEscape(index)
      } else if byte >= 0x80 {
        index = try passSequence(index)
      } else {
        place = index
        if index == end { throw stopAtEnd(start - 1) }
        throw mistake(
          byte == 0x0A
            ? "the line ends inside a text" : "a control character in a text must be escaped")
      }
    }
    place = index + 1
    add(start, kind, end: index)
  }

  /// The index of the first byte from `index` on that is a quote, a backslash, a control character or not ASCII.
  @inline(__always)
  private func skipPlain(_ index: Int) -> Int {
    var index = index
    while true {
      let raw = unsafe UnsafeRawPointer(base + index)
      let word = unsafe UInt64(littleEndian: raw.loadUnaligned(as: UInt64.self))
      let special =
        Self.zeros(word ^ 0x2222_2222_2222_2222) | Self.zeros(word ^ 0x5C5C_5C5C_5C5C_5C5C)
        | (word &- 0x2020_2020_2020_2020) & ~word | word
      let marks = special & 0x8080_8080_8080_8080
      if marks != 0 { return index + marks.trailingZeroBitCount >> 3 }
      index += 8
    }
  }

  /// The highest bit of the lowest byte that is zero; bytes above it may be marked without being zero.
  @inline(__always)
  private static func zeros(_ word: UInt64) -> UInt64 { (word &- 0x0101_0101_0101_0101) & ~word }

  private func passSequence(_ index: Int) throws(ScanStop) -> Int {
    let length = unsafe UTF8Check.length(base + index)
    guard length > 0 else {
      if index + 4 > end, !isLast { throw .needsMore }
      throw .mistake("the text is not UTF-8", index, .encoding)
    }
    return index + length
  }

  /// The index behind an escape.
  private func passEscape(_ index: Int) throws(ScanStop) -> Int {
    if index + 12 > end, !isLast { throw .needsMore }
    switch unsafe base[index + 1] {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"), UInt8(ascii: "b"),
      UInt8(ascii: "f"), UInt8(ascii: "n"), UInt8(ascii: "r"), UInt8(ascii: "t"):
      return index + 2
    case UInt8(ascii: "u"): break
    default: throw .mistake("a text has an escape that JSON does not know", index, .malformed)
    }
    let first = try unit(index)
    guard (0xD800..<0xE000).contains(first) else { return index + 6 }
    guard first < 0xDC00, unsafe base[index + 6] == UInt8(ascii: "\\"),
      unsafe base[index + 7] == UInt8(ascii: "u"), (0xDC00..<0xE000).contains(try unit(index + 6))
    else {
      throw .mistake("a text has half of a surrogate pair", index, .malformed)
    }
    return index + 12
  }

  /// The number of an escape with four hexadecimal digits.
  private func unit(_ index: Int) throws(ScanStop) -> Int {
    var number = 0
    for place in index + 2..<index + 6 {
      guard let digit = unsafe JSONEscapes.digit(base[place]) else {
        throw .mistake("four hexadecimal digits were expected behind \\u", index, .malformed)
      }
      number = number << 4 | Int(digit)
    }
    return number
  }

  // MARK: - Between values

  /// Passes over space, and returns the byte behind it.
  @inline(__always)
  private mutating func nextByte(_ expected: StaticString) throws(ScanStop) -> UInt8 {
    while true {
      let byte = unsafe base[place]
      if byte > 0x20 { return byte }
      switch byte {
      case 0x20, 0x09, 0x0D: place += 1
      case 0x0A:
        if staysInLine { throw mistake("the line ends inside the record") }
        place += 1
      default:
        if place == end { throw stopAtEnd(place) }
        throw mistake("\(expected) was expected here")
      }
    }
  }

  private func mistake(_ detail: String) -> ScanStop { .mistake(detail, place, .malformed) }

  private func stopAtEnd(_ start: Int) -> ScanStop {
    isLast ? .mistake("the input ends inside a record", end, .malformed) : .needsMore
  }
}
