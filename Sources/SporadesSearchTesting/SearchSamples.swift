// SPDX-License-Identifier: MIT
import SporadesTesting

/// Generated texts and searches over few words, so that searches find much.
package struct SearchSamples {
  private var generator: SeededGenerator
  private let columns: [String]
  private static let words = [
    "ham", "Ham", "hàm", "hamlet", "egg", "EGGS", "e-mail", "3.14", "日本", "日本語", "本", "한글", "한",
    "😀", "a", "ab", "abc", "ß", "Straße", "x", "y", "हिन्दी", "กำไร",
  ]

  /// A generator whose searches name some of the columns.
  package init(seed: UInt64, columns: [String]) {
    generator = SeededGenerator(seed: seed)
    self.columns = columns
  }

  package mutating func below(_ limit: Int) -> Int {
    Int.random(in: 0..<limit, using: &generator)
  }

  package mutating func pick(_ choices: [String]) -> String { choices[below(choices.count)] }

  package mutating func word() -> String { pick(Self.words) }

  package mutating func text() -> String {
    let texts = (0..<below(14)).map { _ in word() }
    return texts.joined(separator: below(6) == 0 ? ", " : " ")
  }

  private mutating func phrase() -> String {
    switch below(8) {
    case 0: "\"" + word() + " " + word() + "\""
    case 1: word() + "*"
    case 2: "\"" + word() + " " + word().prefix(1) + "\"*"
    case 3: "^" + word()
    case 4: word() + " + " + word()
    default: word()
    }
  }

  private mutating func near() -> String {
    let phrases = (0..<(1 + below(4))).map { _ in phrase() }.joined(separator: " ")
    return "NEAR(" + phrases + (below(2) == 0 ? ")" : ", \(below(5)))")
  }

  private mutating func columnFilter() -> String {
    let (first, second) = (pick(columns), pick(columns))
    return pick([
      "\(first):", "\(second):", "-\(first):", "-{\(first) \(second)}:", "{\(first) \(second)}:",
      "\(first.uppercased()):",
    ])
  }

  private mutating func operand(_ depth: Int) -> String {
    switch below(depth > 3 ? 7 : 11) {
    case 0: near()
    case 1: columnFilter() + phrase()
    case 2: "-" + phrase()
    case 7, 8: "(" + search(depth + 1) + ")"
    case 9: columnFilter() + "(" + search(depth + 1) + ")"
    case 10: "-(" + search(depth + 1) + ")"
    default: phrase()
    }
  }

  package mutating func search(_ depth: Int = 0) -> String {
    var text = operand(depth)
    for _ in 0..<below(4) {
      text += pick([" ", " ", " AND ", " OR ", " OR ", " NOT ", " AND NOT ", "  "])
      text += operand(depth)
    }
    return text
  }
}
