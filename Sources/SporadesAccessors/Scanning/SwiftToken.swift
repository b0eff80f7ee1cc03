// SPDX-License-Identifier: MIT

/// A word, a sign or a text of Swift source.
package struct SwiftToken {
  package enum Kind: Equatable {
    /// A name, a keyword or a number.
    case word(String)
    /// A name in backticks.
    case quotedWord(String)
    /// A literal text without interpolations; nil for one with them.
    case text(String?)
    /// A literal regular expression.
    case regex
    case sign(UInt8)
  }

  package let kind: Kind
  /// The place of the first byte.
  package let start: Int
  /// The place behind the last byte.
  package let end: Int
  /// The condition (`#if`) around the token, by its place in the list of the file; nil for none.
  package internal(set) var condition: Int?

  init(_ kind: Kind, _ range: Range<Int>) {
    self.kind = kind
    (start, end) = (range.lowerBound, range.upperBound)
  }

  /// The word, if it can be a keyword.
  package var keyword: String? { if case .word(let word) = kind { word } else { nil } }

  /// The word, in backticks or not.
  package var name: String? {
    switch kind {
    case .word(let word), .quotedWord(let word): word
    case .text, .regex, .sign: nil
    }
  }

  package func isSign(_ sign: Unicode.Scalar) -> Bool {
    if case .sign(let byte) = kind { UInt32(byte) == sign.value } else { false }
  }

  /// Whether the token opens a group.
  package var isOpening: Bool { isSign("{") || isSign("(") || isSign("[") }

  /// Whether the token closes a group.
  package var isClosing: Bool { isSign("}") || isSign(")") || isSign("]") }
}
