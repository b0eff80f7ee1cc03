// SPDX-License-Identifier: MIT

/// The tokens of texts: words without case and marks, or the parts of such words.
///
/// A word is a run of letters, numbers, marks and scalars of private use. A token has no ASCII characters but `a` to `z` and
/// `0` to `9`, so that the tokenizer `ascii` of SQLite splits the tokens of a text at the spaces between them.
public enum SearchTokens {
  /// The version of the rules. Another version of the rules may make other tokens of the same text.
  public static let version = 1
  /// The folded scalars of the longest token. A longer word is several tokens.
  public static let longestToken = 512
  /// The folded scalars of a part.
  static let partLength = 3

  /// A token of a text, and the place from which it came.
  public struct Token: Hashable, Sendable {
    /// The folded text.
    public let text: String
    /// The token's whole scalars in the original text.
    public let range: Range<String.Index>
  }

  /// Folds a text into its tokens, with one space between neighbours.
  public static func folded(_ text: String, _ form: SearchForm) -> String {
    switch form {
    case .words: foldedWords(text)
    case .parts: foldedParts(text)
    }
  }

  private static func foldedWords(_ text: String) -> String {
    let table = FoldedScalar.common
    var bytes: [UInt8] = []
    bytes.reserveCapacity(text.utf8.count)
    var length = 0
    var isBetween = false
    for scalar in text.unicodeScalars {
      let folded = FoldedScalar.of(scalar, table)
      if folded.isSeparator {
        length = 0
        isBetween = !bytes.isEmpty
        continue
      }
      folded.forEachByte(of: scalar) { byte in
        if byte.beginsScalar {
          if isBetween || length == longestToken {
            bytes.append(0x20)
            (isBetween, length) = (false, 0)
          }
          length += 1
        }
        bytes.append(byte)
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  private static func foldedParts(_ text: String) -> String {
    let table = FoldedScalar.common
    var bytes: [UInt8] = []
    var run = FoldedRun()
    func finishRun() {
      for first in run.starts.indices {
        if !bytes.isEmpty { bytes.append(0x20) }
        bytes.append(contentsOf: run.bytes(of: run.token(at: first, longest: partLength)))
      }
      run.removeAll()
    }
    for scalar in text.unicodeScalars {
      let folded = FoldedScalar.of(scalar, table)
      if folded.isSeparator {
        if !run.isEmpty { finishRun() }
      } else {
        run.append(folded, of: scalar)
      }
    }
    finishRun()
    return String(decoding: bytes, as: UTF8.self)
  }

  /// The tokens of a text in order, each with its place in the text.
  public static func tokens(of text: String, form: SearchForm) -> [Token] {
    tokensAndEnds(of: text, form: form).tokens
  }

  /// The tokens of a text, and for each part the end of its first scalar in the text.
  static func tokensAndEnds(
    of text: String, form: SearchForm
  ) -> (tokens: [Token], ends: [String.Index]) {
    if form == .words, let tokens = shortWords(of: text) { return (tokens, []) }
    var tokens: [Token] = []
    var ends: [String.Index] = []
    forEachRun(of: text) { run in
      for scalars in run.tokens(form) {
        let text = String(decoding: run.bytes(of: scalars), as: UTF8.self)
        tokens.append(Token(text: text, range: run.origin(of: scalars)))
        ends.append(run.origins[scalars.lowerBound].upperBound)
      }
    }
    return (tokens, ends)
  }

  /// The folded words of a text. A word that is longer than a token is several words of form `.words`, and one of `.parts`.
  static func words(of text: some StringProtocol, form: SearchForm) -> [String] {
    var words: [String] = []
    forEachRun(of: String(text)) { run in
      let all = [run.token(at: 0, longest: .max)]
      for scalars in form == .words ? run.tokens(.words) : all {
        words.append(String(decoding: run.bytes(of: scalars), as: UTF8.self))
      }
    }
    return words
  }

  private static func forEachRun(of text: String, _ body: (FoldedRun) -> Void) {
    let table = FoldedScalar.common
    let scalars = text.unicodeScalars
    var run = FoldedRun()
    var place = scalars.startIndex
    while place < scalars.endIndex {
      let next = scalars.index(after: place)
      let folded = FoldedScalar.of(scalars[place], table)
      if !folded.isSeparator {
        run.append(folded, of: scalars[place], at: place..<next)
      } else if !run.isEmpty {
        body(run)
        run.removeAll()
      }
      place = next
    }
    if !run.isEmpty { body(run) }
  }
}
