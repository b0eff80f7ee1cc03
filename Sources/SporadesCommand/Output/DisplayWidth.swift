// SPDX-License-Identifier: MIT

/// The number of columns that a text takes on a terminal.
enum DisplayWidth {
  static func of(_ text: String) -> Int {
    if text.utf8.allSatisfy({ $0 < 0x80 }) { return text.utf8.count }
    return text.reduce(0) { $0 + of($1) }
  }

  /// A character takes two columns if East Asian texts or emoji have it, and else one.
  static func of(_ character: Character) -> Int {
    guard let first = character.unicodeScalars.first else { return 0 }
    switch first.properties.generalCategory {
    case .nonspacingMark, .enclosingMark, .format: return 0
    default: break
    }
    if first.properties.isEmojiPresentation { return 2 }
    switch first.value {
    case 0x1100...0x115F, 0x2E80...0x303E, 0x3041...0xA4CF, 0xAC00...0xD7A3, 0xF900...0xFAFF,
      0xFE30...0xFE6F, 0xFF00...0xFF60, 0xFFE0...0xFFE6, 0x20000...0x3FFFD:
      return 2
    default: return 1
    }
  }

  /// The beginning of a text that fits, with a sign of what is missing.
  static func shortened(_ text: String, to width: Int) -> String {
    guard of(text) > width else { return text }
    var shown = ""
    var used = 1
    for character in text {
      let next = of(character)
      guard used + next <= width else { break }
      used += next
      shown.append(character)
    }
    return shown + "…"
  }
}
