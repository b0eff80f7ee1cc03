// SPDX-License-Identifier: MIT

extension SearchTokens {
  /// The words of a text as tokens, without a list of the places of their scalars; nil if a word is longer than a token,
  /// or the text lies in memory in another form.
  static func shortWords(of text: String) -> [Token]? {
    guard text.isContiguousUTF8 else { return nil }
    let table = FoldedScalar.common
    var words = WordList(text)
    var place = 0
    for scalar in text.unicodeScalars {
      let folded = FoldedScalar.of(scalar, table)
      let next = place + UTF8.width(scalar)
      if folded.isSeparator {
        guard words.finish(at: place) else { return nil }
      } else {
        words.append(folded, of: scalar, at: place)
      }
      place = next
    }
    return words.finish(at: place) ? words.tokens : nil
  }
}

/// The words of a text that are read so far, and the beginning of the next one.
private struct WordList {
  private(set) var tokens: [SearchTokens.Token] = []
  private let text: String
  private var bytes: [UInt8] = []
  /// The place in the bytes at which the open word begins.
  private var start = 0
  /// The place of the open word in the text.
  private var origin = 0

  init(_ text: String) {
    self.text = text
    bytes.reserveCapacity(text.utf8.count)
    tokens.reserveCapacity(text.utf8.count / 6)
  }

  @inline(__always)
  mutating func append(_ folded: FoldedScalar, of scalar: Unicode.Scalar, at place: Int) {
    // Marks before the first letter are in no token.
    if bytes.count == start { origin = place }
    folded.forEachByte(of: scalar) { bytes.append($0) }
  }

  /// Ends the open word, whose marks go to a place in the text; false if the word is longer than a token may be.
  @inline(__always)
  mutating func finish(at place: Int) -> Bool {
    guard bytes.count > start else { return true }
    let word = bytes[start...]
    // No token has more scalars than bytes.
    guard word.count <= SearchTokens.longestToken else { return false }
    let places = text.utf8
    let first = places.index(places.startIndex, offsetBy: origin)
    let end = places.index(first, offsetBy: place - origin)
    tokens.append(
      SearchTokens.Token(text: String(decoding: word, as: UTF8.self), range: first..<end))
    start = bytes.count
    return true
  }
}
