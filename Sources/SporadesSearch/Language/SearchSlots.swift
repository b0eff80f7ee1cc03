// SPDX-License-Identifier: MIT

/// The different tokens of a query, numbered, so that one pass over a document finds the places of all.
struct SearchSlots: Sendable {
  private var whole: [Substring: Int] = [:]
  private var beginnings: [Substring: Int] = [:]
  /// The lengths of the beginnings in bytes.
  private var lengths: [Int] = []
  /// The first bytes of all tokens. Few tokens of a document begin so, and only these are looked up.
  private var firstBytes = [Bool](repeating: false, count: 256)
  private(set) var count = 0
  /// The numbers of each phrase's tokens.
  private(set) var phrases: [[Int]] = []

  init(_ phrases: [SearchPlan.Phrase]) {
    for phrase in phrases {
      let last = phrase.tokens.count - 1
      let numbers = phrase.tokens.enumerated().map { place, token in
        number(Substring(token), isBeginning: phrase.isPrefix && place == last)
      }
      self.phrases.append(numbers)
    }
    lengths = Set(beginnings.keys.map(\.utf8.count)).sorted()
  }

  private mutating func number(_ token: Substring, isBeginning: Bool) -> Int {
    if let number = isBeginning ? beginnings[token] : whole[token] { return number }
    if let first = token.utf8.first { firstBytes[Int(first)] = true }
    defer { count += 1 }
    if isBeginning { beginnings[token] = count } else { whole[token] = count }
    return count
  }

  /// The places of each token in a document, in order.
  func positions(in document: SearchDocument) -> [[SearchPosition]] {
    var found = [[SearchPosition]](repeating: [], count: count)
    for (column, tokens) in document.tokens.enumerated() {
      for (offset, token) in tokens.enumerated() {
        guard let first = token.utf8.first, firstBytes[Int(first)] else { continue }
        let position = SearchPosition(column: column, offset: offset)
        if let slot = whole[token] { found[slot].append(position) }
        if !lengths.isEmpty {
          forEachBeginning(of: token) { found[$0].append(position) }
        }
      }
    }
    return found
  }

  private func forEachBeginning(of token: Substring, _ body: (Int) -> Void) {
    let bytes = token.utf8
    let size = bytes.count
    for length in lengths {
      guard length <= size else { return }
      let end = bytes.index(bytes.startIndex, offsetBy: length)
      // A beginning ends between scalars.
      guard end == bytes.endIndex || bytes[end].beginsScalar else { continue }
      if let slot = beginnings[token[..<end]] { body(slot) }
    }
  }
}
