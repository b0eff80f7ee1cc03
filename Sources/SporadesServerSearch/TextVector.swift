// SPDX-License-Identifier: MIT
import SporadesSearch

/// The words of a text with their places, as the server's `tsvector` takes them: `'^':1 'green':2,5 'ham':3`.
///
/// The first place is a mark, so that a search finds what a text begins with. The server keeps 256 places of a word below 16,384,
/// words of 2,046 bytes, and a megabyte. A text that has more is cut.
struct TextVector {
  /// The part of a text that its vector lacks.
  enum Cut: Int16 {
    case nothing = 0
    /// Places of words, so that it may lack phrases.
    case places = 1
    /// Words.
    case words = 2
  }

  private(set) var text = "'\(mark)':1"
  private(set) var cut = Cut.nothing
  /// The number of the text's tokens.
  private(set) var tokens = 0

  /// The mark at the beginning of each text, which is no token.
  static let mark = "^"
  /// The bytes of the longest word.
  static let longestWord = 2_046
  private static let mostPlaces = 255
  private static let lastPlace = 16_382
  private static let mostBytes = 1_000_000

  /// Takes a text that `SearchTokens.folded` made.
  init(folded: String) {
    var places: [Substring: [Int]] = [:]
    for token in folded.unicodeScalars.split(separator: " ") {
      tokens += 1
      let (token, place) = (Substring(token), tokens + 1)
      guard token.utf8.count <= Self.longestWord else {
        cut = .words
        continue
      }
      if place > Self.lastPlace || places[token, default: []].count == Self.mostPlaces {
        if cut == .nothing { cut = .places }
        // A word without a free place stands at the last one, which no phrase asks for before its rows are asked themselves.
        if places[token] == nil { places[token] = [Self.lastPlace + 1] }
      } else {
        places[token, default: []].append(place)
      }
    }
    let bytes = places.reduce(0) { $0 + $1.key.utf8.count + 4 + 2 * $1.value.count }
    guard bytes <= Self.mostBytes else {
      cut = .words
      return
    }
    for (token, places) in places {
      text += " '\(token)':\(places.map(String.init).joined(separator: ","))"
    }
  }
}
