// SPDX-License-Identifier: MIT

extension SearchParser {
  /// The words of a quoted text or of a word, as they were typed.
  private struct Piece {
    var words: [String]
    var isPrefix: Bool
  }

  /// The distance of NEAR without a number.
  private static let usualDistance = 10
  /// The longest distance. It is longer than columns are in tokens.
  private static let longestDistance = 1_000_000

  /// A phrase or a NEAR. The place is at a scalar that is neither a space nor a parenthesis.
  mutating func parsePhrases() -> Reading {
    if scalars[place...].starts(with: "NEAR(".unicodeScalars) { return parseNear() }
    var isAtStart = false
    while place < scalars.count, scalars[place] == "^" {
      isAtStart = true
      place += 1
    }
    guard place < scalars.count, !Self.isSpace(scalars[place]), scalars[place] != "(",
      scalars[place] != ")"
    else { return .absent }
    guard let phrase = parsePhrase(isAtStart: isAtStart, isNear: false) else { return .absent }
    return .term(.phrase(phrase))
  }

  /// Pieces with `+` between them; nil without a word in them.
  private mutating func parsePhrase(isAtStart: Bool, isNear: Bool) -> SearchPhrase? {
    var piece = readPiece(isNear)
    while takePlus(isNear) {
      let next = readPiece(isNear)
      guard !next.words.isEmpty else { continue }
      piece.words.append(contentsOf: next.words)
      piece.isPrefix = next.isPrefix
    }
    let words = fitting(piece.words)
    guard !words.isEmpty else { return nil }
    let isPrefix = form == .words && piece.isPrefix && words.count == piece.words.count
    return SearchPhrase(words: words, isPrefix: isPrefix, isAtStart: isAtStart)
  }

  /// A `+` before a quoted text or a word. A plus at the beginning of a word is no operator.
  private mutating func takePlus(_ isNear: Bool) -> Bool {
    var next = place
    if next > 0, next < scalars.count, scalars[next - 1] == "+", Self.isQuote(scalars[next]) {
      return true
    }
    while next < scalars.count, Self.isSpace(scalars[next]) { next += 1 }
    guard next < scalars.count, scalars[next] == "+" else { return false }
    let isAlone = next == place
    next += 1
    guard next < scalars.count,
      isAlone || Self.isSpace(scalars[next]) || Self.isQuote(scalars[next])
    else { return false }
    while next < scalars.count, Self.isSpace(scalars[next]) { next += 1 }
    guard next < scalars.count, scalars[next] != "(", scalars[next] != ")",
      !(isNear && scalars[next] == ","), !isOperator(at: next)
    else { return false }
    place = next
    return true
  }

  func isOperator(at start: Int) -> Bool {
    isOperator("AND", at: start) || isOperator("OR", at: start) || isOperator("NOT", at: start)
  }

  private mutating func readPiece(_ isNear: Bool) -> Piece {
    Self.isQuote(scalars[place]) ? readQuoted() : readWord(isNear)
  }

  /// A text up to the closing quote or the end. Two straight quotes within it are one.
  private mutating func readQuoted() -> Piece {
    let isStraight = scalars[place] == "\""
    var text = String.UnicodeScalarView()
    place += 1
    while place < scalars.count {
      let scalar = scalars[place]
      place += 1
      if Self.isQuote(scalar), (scalar == "\"") == isStraight {
        guard isStraight, place < scalars.count, scalars[place] == "\"" else { break }
        place += 1
      }
      text.append(scalar)
    }
    var isPrefix = false
    while place < scalars.count, scalars[place] == "*" {
      isPrefix = true
      place += 1
    }
    return Piece(words: SearchTokens.words(of: String(text), form: form), isPrefix: isPrefix)
  }

  /// A text up to a space, a quote or a parenthesis, and in NEAR a comma.
  private mutating func readWord(_ isNear: Bool) -> Piece {
    var text = String.UnicodeScalarView()
    var isPrefix = false
    while place < scalars.count, !Self.endsWord(scalars[place]),
      !(isNear && scalars[place] == ",")
    {
      let scalar = scalars[place]
      if scalar == "*" {
        // The star counts after the last word of the text.
        isPrefix = isPrefix || text.last.map(FoldedScalar.isWord) ?? false
      } else if FoldedScalar.isWord(scalar) {
        isPrefix = false
      }
      text.append(scalar)
      place += 1
    }
    return Piece(words: SearchTokens.words(of: String(text), form: form), isPrefix: isPrefix)
  }

  /// The words for which the query has room. The query ends with the first that has none.
  private mutating func fitting(_ words: [String]) -> [String] {
    var kept: [String] = []
    for word in words {
      let length = form == .words ? 1 : word.unicodeScalars.count
      if length > room {
        let rest = word.unicodeScalars.prefix(room)
        if kept.isEmpty, rest.count >= SearchTokens.partLength { kept.append(String(rest)) }
        room = 0
        place = scalars.count
        return kept
      }
      room -= length
      kept.append(word)
    }
    return kept
  }

  // MARK: - NEAR

  private mutating func parseNear() -> Reading {
    place += "NEAR(".unicodeScalars.count
    var phrases: [SearchPhrase] = []
    var distance = Self.usualDistance
    var inner = 0
    while skipSpace() {
      switch scalars[place] {
      case "(": inner += 1
      case ")" where inner > 0: inner -= 1
      case ")":
        place += 1
        return near(phrases, distance)
      case ",":
        if let number = takeDistance() {
          distance = number
          continue
        }
      default:
        if isOperator(at: place) {
          while place < scalars.count, !Self.endsWord(scalars[place]) { place += 1 }
        } else if let phrase = parsePhrase(isAtStart: false, isNear: true) {
          phrases.append(phrase)
        }
        continue
      }
      place += 1
    }
    return near(phrases, distance)
  }

  private func near(_ phrases: [SearchPhrase], _ distance: Int) -> Reading {
    switch phrases.count {
    case 0: .absent
    case 1: .term(.phrase(phrases[0]))
    default: .term(.near(phrases, distance: distance))
    }
  }

  /// The number after a comma and before the end of NEAR.
  private mutating func takeDistance() -> Int? {
    var next = place + 1
    func skipSpace() { while next < scalars.count, Self.isSpace(scalars[next]) { next += 1 } }
    skipSpace()
    var number: Int?
    while next < scalars.count, ("0"..."9").contains(scalars[next]) {
      let digit = Int(scalars[next].value - 48)
      number = min((number ?? 0) * 10 + digit, Self.longestDistance)
      next += 1
    }
    skipSpace()
    guard let number, next == scalars.count || scalars[next] == ")" else { return nil }
    place = next
    return number
  }
}
