// SPDX-License-Identifier: MIT

extension SwiftScanner {
  // MARK: - Texts

  mutating func openText(hashes: Int) {
    let isLong = begins("\"\"\"")
    let start = place - hashes
    advance(isLong ? 3 : 1)
    if contexts.isEmpty { text = (start, place, true) }
    contexts.append(.text(hashes: hashes, isLong: isLong))
  }

  mutating func stepInText(_ hashes: Int, _ isLong: Bool) {
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
      closeText(behind: (isLong ? 3 : 1) + hashes)
    } else if !isLong, byte == UInt8(ascii: "\n") {
      // A text that no quote ends, as a stray quote begins one, ends with its line.
      closeText(behind: 0)
    } else {
      advance()
    }
  }

  private mutating func closeText(behind count: Int) {
    contexts.removeLast()
    let content = place
    advance(count)
    guard contexts.isEmpty else { return }
    let plain = String(decoding: bytes[text.content..<content], as: UTF8.self)
    add(.text(text.isPlain ? plain : nil), from: text.start)
  }

  private func hasHashes(_ count: Int, at offset: Int) -> Bool {
    (0..<count).allSatisfy { byte(offset + $0) == UInt8(ascii: "#") }
  }

  /// A text or a regular expression between signs `#`, or such a sign alone.
  mutating func stepAtHashes() {
    let start = place
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
      add(.regex, from: start)
    } else {
      advance()
      add(.sign(UInt8(ascii: "#")), from: start)
    }
  }

  // MARK: - Regular expressions without signs `#`

  /// Passes over a regular expression between slashes; answers false where the slash is an operator.
  mutating func skipRegex() -> Bool {
    guard let next = byte(1), next > 0x20, next != UInt8(ascii: "/"), isBeforeValue,
      !lineWithoutRegex.contains(place)
    else { return false }
    var end = place + 1
    while end < bytes.count, bytes[end] != UInt8(ascii: "\n") {
      switch bytes[end] {
      case UInt8(ascii: "\\"): end += 1
      case UInt8(ascii: "/"):
        let start = place
        place = end + 1
        add(.regex, from: start)
        return true
      default: break
      }
      end += 1
    }
    lineWithoutRegex = place..<end
    return false
  }

  /// Whether a value can begin at the place, so that a slash is not the operator between two values.
  private var isBeforeValue: Bool {
    // Interpolations keep no tokens.
    guard contexts.isEmpty, let last = tokens.last else { return false }
    switch last.kind {
    case .text, .regex, .quotedWord: return false
    case .word(let word):
      return ["return", "in", "case", "try", "await", "if", "else"].contains(word)
    case .sign(let sign):
      let ends = [UInt8(ascii: ")"), UInt8(ascii: "]"), UInt8(ascii: "}"), UInt8(ascii: ">")]
      let isOptional = sign == UInt8(ascii: "?") || sign == UInt8(ascii: "!")
      return !ends.contains(sign) && !(isOptional && last.end == place)
    }
  }
}
