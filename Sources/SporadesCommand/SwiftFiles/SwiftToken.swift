// SPDX-License-Identifier: MIT

/// A word, a sign or a text of Swift source.
struct SwiftToken {
  enum Kind: Equatable {
    /// A name, a keyword or a number.
    case word(String)
    /// A name in backticks.
    case quotedWord(String)
    /// A literal text without interpolations; nil for one with them.
    case text(String?)
    case sign(UInt8)
  }

  let kind: Kind
  let line: Int

  /// The word, if it can be a keyword.
  var keyword: String? { if case .word(let word) = kind { word } else { nil } }

  /// The word, in backticks or not.
  var name: String? {
    switch kind {
    case .word(let word), .quotedWord(let word): word
    case .text, .sign: nil
    }
  }

  func isSign(_ sign: Unicode.Scalar) -> Bool {
    if case .sign(let byte) = kind { UInt32(byte) == sign.value } else { false }
  }
}
